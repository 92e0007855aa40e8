import { expect, test } from "vitest";
import { visible } from "../../../src/terminal/sanitize.ts";
import { loadStyle } from "../../../src/terminal/style.ts";

const terminal = { isTerminal: true };
const pipe = { isTerminal: false };

test.each([
  ["a terminal", "auto", {}, terminal, true],
  ["a pipe", "auto", {}, pipe, false],
  ["no flag on a terminal", undefined, {}, terminal, true],
  ["--color always in a pipe", "always", { NO_COLOR: "1", TERM: "dumb" }, pipe, true],
  ["--color never on a terminal", "never", { FORCE_COLOR: "1" }, terminal, false],
  ["NO_COLOR", "auto", { NO_COLOR: "1" }, terminal, false],
  ["an empty NO_COLOR", "auto", { NO_COLOR: "" }, terminal, true],
  ["NO_COLOR against FORCE_COLOR", "auto", { NO_COLOR: "1", FORCE_COLOR: "1" }, terminal, false],
  ["FORCE_COLOR in a pipe", "auto", { FORCE_COLOR: "1" }, pipe, true],
  ["an empty FORCE_COLOR", "auto", { FORCE_COLOR: "" }, pipe, true],
  ["FORCE_COLOR=0", "auto", { FORCE_COLOR: "0" }, terminal, false],
  ["CLICOLOR=0", "auto", { CLICOLOR: "0" }, terminal, false],
  ["CLICOLOR_FORCE in a pipe", "auto", { CLICOLOR_FORCE: "1" }, pipe, true],
  ["CLICOLOR_FORCE=0 in a pipe", "auto", { CLICOLOR_FORCE: "0" }, pipe, false],
  ["TERM=dumb", "auto", { TERM: "dumb" }, terminal, false],
] as const)("%s", async (_, when, env, stream, colored) => {
  const style = await loadStyle(when, env, stream);
  expect(style.red(visible("x"))).toBe(colored ? "\u001b[31mx\u001b[39m" : "x");
});

test("null stays null in color", async () => {
  expect((await loadStyle("always", {}, pipe)).bold(visible(""))).toBe("");
});

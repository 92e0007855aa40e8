import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// Node reads the line before the program does: docs/scripting.md says how a script passes on a text that remains one.

test.each([
  ["after `=`", (text: string) => [`--body=${text}`], {}],
  ["if NODE_OPTIONS is set and empty", (text: string) => ["--body", text], { NODE_OPTIONS: "" }],
] as const)("a text that is written as an option of Node loads nothing %s", async (_, body, env) => {
  const { run, home } = await sandboxSession();
  const loaded = join(home, "LOADED");
  writeFileSync(join(home, "planted.cjs"), `require("node:fs").writeFileSync(${JSON.stringify(loaded)}, "")`);
  writeFileSync(join(home, "x.env"), "NODE_OPTIONS=--require ./planted.cjs\n");
  const words = ["notes", "create", "--issue", "1", "-p", "acme/docs", ...body("--env-file=x.env"), "--jq", ".body"];
  const made = await run(...words, { env, asProcess: true });
  expect(made).toMatchObject({ code: 0, stdout: "--env-file=x.env\n" });
  expect(existsSync(loaded)).toBe(false);
});

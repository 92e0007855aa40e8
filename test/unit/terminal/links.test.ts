import { expect, test } from "vitest";
import { takesLinks } from "../../../src/terminal/known-terminals.ts";
import { loadStyle } from "../../../src/terminal/style.ts";
import { linkable, pageOf } from "../../../src/terminal/table/links.ts";
import { shown } from "./recorder.ts";

test.each([
  ["https://forge.example/acme?page=2#top", "https://forge.example/acme?page=2#top"],
  ["http://127.0.0.1:8080/root", "http://127.0.0.1:8080/root"],
  ["https://forge.example/größe", "https://forge.example/gr%C3%B6%C3%9Fe"],
])("an address that may be linked: %s", (address, link) => {
  expect(linkable(address)).toBe(link);
});

test.each([
  "javascript:alert(1)",
  "file:///etc/passwd",
  "ssh://git@forge.example/acme",
  "forge.example/acme",
  "",
  "https://",
  "https://root:hush@forge.example/",
  "https://root@forge.example/",
  "https://forge.example/?private_token=hush",
  "https://forge.example/?X-Amz-Signature=hush",
  "https://forge.example/#access_token=hush",
  "https://forge.example/\u001b\\evil",
  "https://forge.example/\u0007",
  "https://forge.example/a\nb",
  "https://forge.example/a b",
  "https://forge.example/\u202egpj.exe",
  "https://forge.example/\u009c",
  `https://forge.example/${"x".repeat(2000)}`,
])("an address that is never linked: %j", (address) => {
  expect(linkable(address)).toBeUndefined();
});

test("names and IDs link to the page of their resource", () => {
  const page = "https://forge.example/root";
  const row = { id: 1, state: "x", web_url: page, author: { name: "A", web_url: `${page}/a` }, project: { id: 7 } };
  expect(pageOf(row, ["id"])).toBe(page);
  expect(pageOf(row, ["author", "name"])).toBe(`${page}/a`);
  expect(pageOf(row, ["state"])).toBeUndefined();
  expect(pageOf(row, ["project", "id"])).toBeUndefined();
  expect(pageOf({ id: 1, web_url: { a: page } }, ["id"])).toBeUndefined();
});

test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ["an unknown terminal", { TERM: "xterm-256color" }, false],
  ["iTerm", { TERM_PROGRAM: "iTerm.app" }, true],
  ["Terminal.app", { TERM_PROGRAM: "Apple_Terminal" }, false],
  ["WezTerm", { TERM_PROGRAM: "WezTerm" }, true],
  ["a current VTE", { VTE_VERSION: "7402" }, true],
  ["an old VTE", { VTE_VERSION: "4803" }, false],
  ["a current Konsole", { KONSOLE_VERSION: "230800" }, true],
  ["an old Konsole", { KONSOLE_VERSION: "180400" }, false],
  ["Windows Terminal", { WT_SESSION: "4c3" }, true],
  ["kitty", { TERM: "xterm-kitty" }, true],
  ["an old tmux in a VTE", { TMUX: "/tmp/x", TERM: "screen", VTE_VERSION: "7402", TERM_PROGRAM: "tmux" }, false],
  ["tmux 3.3", { TMUX: "/tmp/x", TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: "3.3a" }, false],
  ["tmux 3.4", { TMUX: "/tmp/x", TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: "3.4" }, true],
  ["screen in kitty", { STY: "1.pts", KITTY_WINDOW_ID: "1" }, false],
  ["a dumb terminal", { TERM: "dumb", WT_SESSION: "1" }, false],
  ["no color", { NO_COLOR: "1", WT_SESSION: "1" }, false],
  ["turned on", { FORGECTL_HYPERLINKS: "1" }, true],
  ["turned on, without color", { FORGECTL_HYPERLINKS: "1", NO_COLOR: "1" }, true],
  ["turned off", { FORGECTL_HYPERLINKS: "0", WT_SESSION: "1" }, false],
])("%s supports links or not", (_, env, takes) => {
  expect(takesLinks(env)).toBe(takes);
});

const end = "\u001b\\";
const link = (text: string, address: string) => `\u001b]8;;${address}${end}${text}\u001b]8;;${end}`;
const thing = { name: "thing", shape: { id: { kind: "id" }, name: { kind: "string" }, state: { kind: "string" } } };
const turnedOn = { FORGECTL_HYPERLINKS: "1", NO_COLOR: "1" };

test("a record's names are links, in color or not; none without a terminal, and none with --color never", async () => {
  const record = { id: 1, name: "a\u001b[2J", state: "ok", web_url: "https://forge.example/a" };
  const view = { record, entity: thing };
  const terminal = { isTerminal: true };
  const page = "https://forge.example/a";
  const wanted = { format: "table", columns: 80 } as const;
  expect((await shown(view, { ...wanted, style: await loadStyle(undefined, turnedOn, terminal) })).stdout).toBe(
    `id     ${link("1", page)}\nname   ${link("a␛[2J", page)}\nstate  ok\n`,
  );
  for (const [when, stream] of [
    ["never", terminal],
    ["always", { isTerminal: false }],
  ] as const) {
    const style = await loadStyle(when, turnedOn, stream);
    expect((await shown(view, { ...wanted, style })).stdout).not.toContain("\u001b]8");
  }
});

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requestsIn, sandboxSession, session } from "../support/session.ts";

// Half of a surrogate pair, wherever a text comes in: it has no UTF-8, so an instance would refuse it or store another
// text. It is a usage error that says where it is, and nothing changes.

const half = "x\ud800y";
const log: string[] = [];
const user = await sandboxSession({ log: (line) => log.push(line) });
// The first command of a group is a process, whose arguments cannot have one.
for (const group of ["notes", "files", "settings", "hooks", "envs", "saml", "uploads", "api", "discussions", "users"])
  await user.run(group, "--help");

const typed: readonly (readonly string[])[] = [
  ["notes", "create", "--issue", "28", "-p", "7", "--body", half],
  ["discussions", "create", "--issue", "28", "-p", "7", "--body", half],
  ["files", "put", "new.txt", "-b", "main", "-m", half, "--content", "x", "-p", "7"],
  ["files", "put", half, "-b", "main", "-m", "m", "--content", "x", "-p", "7"],
  ["settings", "set", `after_sign_up_text=${half}`, "--yes"],
  ["hooks", "create", `https://x.example/${half}`, "-g", "acme"],
  ["envs", "protect", half, "-p", "7", "--allow", "level:maintainer"],
  ["saml", "links", "add", half, "-g", "acme", "--access-level", "guest"],
  ["api", "projects/7/issues/28/notes", "-f", `body=${half}`],
  ["api", "projects/7/issues/28/notes", "-f", `${half}=1`],
  ["uploads", "create", half, "-p", "7"],
  ["users", "get", half],
  ["users", "list", "--search", half],
];

test.each(typed)("%s %s %s: no change is sent", async (...words) => {
  writeFileSync(join(user.home, half), "content");
  requestsIn(log);
  const { code, stdout, stderr } = await user.run(...words);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^error: .* is not valid Unicode text/)]);
  expect(requestsIn(log).filter((line) => !/^(?:GET|HEAD) /.test(line))).toEqual([]);
});

test.each(typed)("in a batch, %s %s %s: nothing is sent, and no file is written", async (...words) => {
  requestsIn(log);
  const before = readdirSync(user.home).sort();
  const { code, stdout, stderr } = await user.run("batch", "-", "--yes", { input: JSON.stringify({ args: words }) });
  const where = expect.stringMatching(/^error: .*:1: "args", word \d: is not valid Unicode text/);
  expect([code, stdout, stderr]).toEqual([2, "", where]);
  expect([requestsIn(log), readdirSync(user.home).sort()]).toEqual([[], before]);
});

describe("in a state file", () => {
  const files = {
    value: 'forgectl: 1\nsettings:\n  after_sign_up_text: "x\\uD800"\n',
    key: 'forgectl: 1\nprojects:\n  "acme/\\uD800":\n    environments: {}\n',
    JSON: '{"forgectl": 1,\n\n"settings": {"after_sign_up_text": "\\udc00x"}}',
  };
  test.each(Object.entries(files))("as a %s", async (name, text) => {
    writeFileSync(join(user.home, `${name}.yaml`), text);
    requestsIn(log);
    for (const verb of ["validate", "plan", "apply"]) {
      const { code, stdout, stderr } = await user.run("state", verb, "-f", `${name}.yaml`);
      expect([code, `${stdout}${stderr}`]).toEqual([
        2,
        expect.stringMatching(new RegExp(`${name}\\.yaml\\W+3\\W.*is not valid Unicode text`)),
      ]);
    }
    expect(requestsIn(log)).toEqual([]);
  });
});

test.each(["project", "group", "ca-file", "token-command", "base-url", "registry-url", "proxy", "output"])(
  "in a profile's %s",
  async (key) => {
    const { home, run } = session();
    mkdirSync(join(home, ".config/forgectl"), { recursive: true, mode: 0o700 });
    const odd = { "base-url": user.sandbox.url, [key]: `${key.endsWith("url") ? `${user.sandbox.url}/` : ""}${half}` };
    const text = JSON.stringify({ version: 1, current: "odd", profiles: { odd } });
    writeFileSync(join(home, ".config/forgectl/profiles.json"), text, { mode: 0o600 });
    const line = key === "group" ? "hooks list" : key === "registry-url" ? "registry catalog" : "envs list";
    requestsIn(log);
    const { code, stderr } = await run(...line.split(" "));
    expect([code, stderr]).toEqual([2, expect.stringContaining("error: profile odd, ")]);
    expect(requestsIn(log)).toEqual([]);
  },
);

import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { filledLine } from "../../src/base/template.ts";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import { requestsIn, type Session, sandboxSession, session } from "../support/session.ts";
import { folderWithProgram, isPlain, runLine, runScript, shellWords } from "../support/shell.ts";
import { answered, casesOf, runCases, undoCases, undoIn } from "../support/undo-cases.ts";

// Every command with an undo line is run, then that line, split into words by a shell; this must restore the previous
// state. Commands that must read it first are run on a terminal, in test/tty/undo.test.ts.

const named = (await Promise.all(groups.map((entry) => entry.load())))
  .flatMap((node) => [...commandsIn(node)])
  .filter(({ command }) => command.undo !== undefined)
  .map(({ path, command }) => ({ name: path.join(" "), readsFirst: command.undo?.before !== undefined }));

const storefront = "-p acme/storefront";

test("all undo lines are tested", () => {
  expect(Object.keys(undoCases).sort()).toEqual(named.map(({ name }) => name).sort());
});

describe("the line that undoes a change works as a shell reads it", () => {
  const cases = named
    .filter(({ readsFirst }) => !readsFirst)
    .flatMap(({ name }) => casesOf(name).map((each) => ({ name, ...each })));
  const runs = Object.entries(runCases)
    .filter(([, { editor }]) => editor === undefined)
    .map(([name, each]) => ({ name, ...each }));
  for (const { name, first = [], typed, check, hosting = "self-managed", file = "" } of [...cases, ...runs]) {
    test(`${name}: ${typed}`, async () => {
      const admin = await sandboxSession({ hosting });
      const bin = folderWithProgram(admin.home);
      writeFileSync(join(admin.home, "file.yaml"), file);
      const run = (line: string) => runLine(admin, line);
      for (const file of ["one.txt", "two.txt"]) writeFileSync(join(admin.home, file), file);
      for (const line of first) expect((await run(line)).code).toBe(0);
      const seen = async () => {
        const { code, stdout } = await run(`${check} -o json`);
        return { code, stdout };
      };
      const before = await seen();
      const changed = await run(typed);
      expect(changed.code, changed.stderr).toBe(0);
      expect(await seen()).not.toEqual(before);
      const line = undoIn(changed.stderr);
      expect(line, changed.stderr).toBeDefined();
      const typedLine = `forgectl ${answered(line)}`;
      const PATH = `${bin}${delimiter}${admin.env.PATH}`;
      const undone = isPlain(typedLine)
        ? await run(answered(line))
        : await runScript(typedLine, { cwd: admin.home, env: { ...admin.env, PATH } });
      expect(undone.code, JSON.stringify(undone)).toBe(0);
      expect(await seen()).toEqual(before);
    });
  }
});

test("the undo of a file changes nothing if what it was cannot be read", async () => {
  const admin = await sandboxSession();
  const PATH = `${folderWithProgram(admin.home)}${delimiter}${admin.env.PATH}`;
  const put = "files put README.md -p acme/storefront -b main -m x --content";
  const { stderr } = await runLine(admin, `${put} new`);
  const lost = undoIn(stderr)?.replace(/--ref \w+/, "--ref 0123456789abcdef");
  const undone = await runScript(`forgectl ${lost}`, { cwd: admin.home, env: { ...admin.env, PATH } });
  expect(undone.code, undone.output).toBe(3);
  expect((await runLine(admin, "files cat README.md -p acme/storefront")).stdout).toBe("new");
});

describe("no undo line", () => {
  let admin: Awaited<ReturnType<typeof sandboxSession>>;
  let log: string[];
  beforeAll(async () => {
    log = [];
    admin = await sandboxSession({ log: (line) => log.push(line) });
    await runLine(admin, `files download README.md ${storefront} -q`);
  });

  test.each([
    ["in a dry run", `hooks create https://hooks.example.com/in -g acme --dry-run`],
    ["with --quiet", `hooks create https://hooks.example.com/in -g acme --quiet`],
    ["if nothing changed", `settings set signup_enabled=false`],
    ["if the API cannot delete it", "notes create --epic 104 -g acme --body Hi"],
    ["for a reaction", `notes create --issue 28 ${storefront} --body :tada:`],
    ["if a branch was created too", `files create a.md ${storefront} -b new --start-branch main -m a --content a`],
    ["if a file has the content already", `files put README.md ${storefront} -b main -m a --from README.md`],
    ["if a secret is replaced", "hooks update 2 -g acme --events push,-tag_push --header 'X-Deploy-Key: abc' --yes"],
    ["for a secret", "settings set terminal_max_session_time=5 spamsvc_api_key=abc"],
  ])("%s: %s", async (_, line) => {
    const { code, stderr } = await runLine(admin, line);
    expect([code, undoIn(stderr)], stderr).toEqual([0, undefined]);
  });

  test("if it is too long to be typed", async () => {
    const note = `--mr 19 ${storefront} --key long`;
    expect((await runLine(admin, `notes upsert ${note} --body ${"long".repeat(600)}`)).code).toBe(0);
    const { code, stderr } = await runLine(admin, `notes upsert ${note} --body short`);
    expect([code, undoIn(stderr)], stderr).toEqual([0, undefined]);
  });

  test("if a value would be shown differently; one with a line break inside is printed, and restored", async () => {
    const stored = async () => (await admin.run("settings", "get", "after_sign_up_text")).stdout;
    const set = async (text: string) =>
      undoIn((await admin.run("settings", "set", `after_sign_up_text=${text}`)).stderr);
    await set("$(touch x)\n\u001b[2J'two lines'");
    const before = await stored();
    const undo = await set("short");
    expect(undo).toMatch(/^settings set "\$\(printf '[^']*\\012\\033[^']*'\)" --base-url \S+$/);
    await runLine(admin, undo ?? "");
    expect(await stored()).toBe(before);
    await set("ends with a line\n");
    expect(await set("short")).toBeUndefined();
  });

  test("if the previous value would have to be read: without a terminal only the documented requests are sent", async () => {
    requestsIn(log);
    const { code, stderr } = await runLine(admin, `registry visibility private ${storefront}`);
    expect([code, stderr, requestsIn(log)]).toEqual([0, "", ["PUT /api/v4/projects/acme%2Fstorefront/ 200"]]);
  });
});

test("what a command reads anyway serves its line, in a script too", async () => {
  const log: string[] = [];
  const admin = await sandboxSession({ log: (line) => log.push(line) });
  const { stderr } = await runLine(admin, "hooks update 2 -g acme --events -push --name 'a b'");
  expect(undoIn(stderr)).toMatch(/^hooks update 2 -g acme --events=push --name=Deploys --base-url \S+$/);
  expect(requestsIn(log).map((line) => line.split(" ")[0])).toEqual(["GET", "PUT"]);
});

test("the line uses the instance on which the change was made", async () => {
  const admin = await sandboxSession();
  await admin.run("profiles", "set", "staging", `base-url=${admin.sandbox.url}`);
  const other: Session["run"] = (...args) => admin.run(...args, { env: { FORGECTL_BASE_URL: undefined } });
  const create = "hooks create https://hooks.example.com/in -g acme".split(" ");
  const profile = await other("--profile", "staging", ...create);
  expect(undoIn(profile.stderr), profile.stderr).toMatch(/^hooks delete \d+ -g acme --profile staging$/);
  const url = await other("--base-url", admin.sandbox.url, ...create);
  expect(undoIn(url.stderr), url.stderr).toMatch(/^hooks delete \d+ -g acme --base-url http:\/\/\S+$/);
  expect((await runLine(admin, `${undoIn(url.stderr)} --yes`)).code).toBe(0);
});

test("any text from a server is one word of the line", async () => {
  const { home, env } = session();
  const texts: Readonly<Record<string, string>> = { a: "$(id)", b: "it's; rm", c: "`e`" };
  const line = filledLine("x {a} --b={b} '{c} d'", (name) => texts[name]) ?? "";
  expect(await shellWords(line, { cwd: home, env })).toEqual(["x", "$(id)", "--b=it's; rm", "`e` d"]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

const log: string[] = [];
const { env, sandbox } = await sandboxSession({ log: (line) => log.push(line) });
const instance = { FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_TOKEN: env.FORGECTL_TOKEN };
const host = new URL(sandbox.url).host;

/** Methods and paths of the requests since the last call. */
function requests(): string[] {
  return log.splice(0).map((line) => line.split(" ").slice(0, 2).join(" ").replace("/api/v4", ""));
}
beforeEach(() => {
  requests();
});

const change = "PUT /application/settings";

describeTerminal("a setting that can lock users out", () => {
  const name = "password_authentication_enabled_for_web";
  const set = `forgectl settings set ${name}=false`;
  const question = [`? Set ${name} to false on ${host}, which can lock users out?`, `Type ${name} to confirm:`].join(
    " ",
  );
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ columns: 200, env: instance });
  });

  async function asked(line = set): Promise<void> {
    terminal.start(line);
    expect(await terminal.shows(/to confirm:/)).toEqual([question]);
  }

  test("needs its name typed; another word means no: exit 2, and nothing is sent", async () => {
    await asked();
    terminal.type("yes");
    terminal.press("Enter");
    expect(await terminal.end()).toEqual({
      lines: [`${question} yes`, "error: not confirmed", "outcome: nothing was sent"],
      code: 2,
    });
    expect(requests()).not.toContain(change);
  });

  test.each([
    ["Ctrl-C", "C-c"],
    ["Ctrl-D", "C-d"],
  ])("%s at the prompt: exit 130, and nothing is sent", async (_, key) => {
    await asked();
    terminal.press(key);
    const { lines, code } = await terminal.end();
    expect({ lines, code }).toEqual({ lines: [question, "error: interrupted at a question"], code: 130 });
    expect(requests()).not.toContain(change);
  });

  test("--no-input: exit 2, naming the flag", async () => {
    const { lines, code } = await terminal.run(`${set} --no-input`);
    expect(code).toBe(2);
    expect(lines[1]).toBe("try:   add --yes to confirm, or --dry-run to see the requests");
    expect((await terminal.run(`FORGECTL_NO_INPUT=1 ${set}`)).code).toBe(2);
    expect((await terminal.run(`CI=true ${set}`)).code).toBe(2);
    expect((await terminal.run(`echo ${name} | ${set}`)).code).toBe(2);
    expect(requests()).not.toContain(change);
  });

  test("the prompt follows --color and NO_COLOR", async () => {
    await asked();
    expect((await terminal.colored())[0]).toContain("\u001b[");
    terminal.press("C-c");
    await terminal.end();
    for (const line of [`${set} --color never`, `NO_COLOR=1 ${set}`]) {
      await asked(line);
      expect([line, (await terminal.colored())[0]]).toEqual([line, question]);
      terminal.press("C-c");
      await terminal.end();
    }
  });

  test("with its name typed it is changed, and the result is on stdout", async () => {
    await asked(`${set} >out.txt`);
    terminal.type(name);
    terminal.press("Enter");
    expect(await terminal.end()).toEqual({
      lines: [
        `${question} ${name}`,
        "settings are cached: a change may take up to 60 seconds to take effect",
        `undo: forgectl settings set ${name}=true --base-url ${sandbox.url}`,
      ],
      code: 0,
    });
    expect(requests()).toContain(change);
    expect(readFileSync(join(terminal.home, "out.txt"), "utf8")).toBe(`${name}\nfalse\n`);
  });

  test("--yes asks nothing", async () => {
    const { lines, code } = await terminal.run(`forgectl settings set ${name}=true --yes --quiet`);
    expect({ lines, code }).toEqual({ lines: [`${name}  yes`], code: 0 });
    expect(requests()).toContain(change);
  });
});

describeTerminal("auth login", () => {
  const token = sandbox.tokens.administrator;
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ columns: 120 });
  });
  const stored = async () => (await terminal.run("find .config -type f 2>/dev/null")).lines;

  test("Ctrl-C at the token prompt: exit 130, no request, nothing stored", async () => {
    terminal.start(`forgectl auth login --base-url ${sandbox.url} --insecure-storage`);
    await terminal.shows(/Access token:/);
    terminal.type(token.slice(0, 5));
    terminal.press("C-c");
    const { lines, code } = await terminal.end();
    expect(code).toBe(130);
    expect(lines.join("\n")).not.toContain(token.slice(0, 5));
    expect(requests()).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  test("a refused token is not stored", async () => {
    terminal.start(`forgectl auth login --base-url ${sandbox.url} --insecure-storage`);
    await terminal.shows(/Access token:/);
    terminal.type("no-such-token");
    terminal.press("Enter");
    const { lines, code } = await terminal.end();
    expect(code).toBe(4);
    expect(lines[1]).toBe(`error: ${sandbox.url} does not accept this token (GET /api/v4/user → 401)`);
    expect(lines.join("\n")).not.toContain("no-such-token");
    expect(await stored()).toEqual([]);
  });

  test("several lines are no token, and nothing of them is shown or left to the shell", async () => {
    terminal.start(`forgectl auth login --base-url ${sandbox.url} --insecure-storage`);
    await terminal.shows(/Access token:/);
    for (const line of ["-----BEGIN KEY-----\r", `${token}\r`, "echo run\r"]) terminal.type(line);
    const { lines, code } = await terminal.end();
    expect([code, lines.join("\n")]).toEqual([2, expect.stringContaining("error: what was typed has several lines")]);
    expect(lines.join("\n")).not.toMatch(/BEGIN KEY|run/);
    expect(await stored()).toEqual([]);
  });

  test("asks for address and token; the token is never on the screen", async () => {
    terminal.start("forgectl auth login --insecure-storage");
    await terminal.shows(/^\? Address of the instance:$/m);
    terminal.type(sandbox.url);
    terminal.press("Enter");
    await terminal.shows(/^\? Access token: \(not shown\)$/m);
    terminal.type(token);
    terminal.press("Enter");
    const { lines, code } = await terminal.end();
    expect({ lines, code }).toEqual({
      lines: [
        `? Address of the instance: ${sandbox.url}`,
        "? Access token: (not shown)",
        `signed in to ${sandbox.url} as root`,
        "profile   default",
        `base_url  ${sandbox.url}`,
        "user      root",
        "role      administrator",
        "token     file",
      ],
      code: 0,
    });
    expect(requests()).toEqual(["GET /user"]);
    expect((await terminal.run("forgectl users me --fields username")).lines).toEqual(["username  root"]);
  });

  test("without a keyring it offers the file; no is exit 2 and names the other ways", async () => {
    const other = "--profile other";
    const question = /^\? No keyring is available: store the token in a file that only you can read\? \[y\/N\]$/m;
    terminal.start(`forgectl auth login --base-url ${sandbox.url} ${other}`);
    await terminal.shows(/Access token:/);
    terminal.type(token);
    terminal.press("Enter");
    await terminal.shows(question);
    terminal.press("Enter");
    const refused = await terminal.end();
    expect(refused.code).toBe(2);
    expect(refused.lines.join(" ")).toContain("--token-command");
    expect(requests()).toEqual([]);
    terminal.start(`forgectl auth login --base-url ${sandbox.url} ${other} --fields token`);
    // The token is asked for first: one that is pasted at once must not go into a question that shows it.
    await terminal.shows(/Access token:/);
    terminal.type(token);
    terminal.press("Enter");
    await terminal.shows(question);
    terminal.type("y");
    terminal.press("Enter");
    const { lines, code } = await terminal.end();
    expect([lines.at(-1), code]).toEqual(["token  file", 0]);
    expect(lines.join("\n")).not.toContain(token);
  });

  test("profiles remove asks; Enter alone means no", async () => {
    terminal.start("forgectl profiles remove default");
    await terminal.shows(/^\? Remove profile default and its token\? \[y\/N\]$/m);
    terminal.press("Enter");
    const { lines, code } = await terminal.end();
    expect({ lines, code }).toEqual({
      lines: ["? Remove profile default and its token? No", "error: not confirmed", "outcome: nothing was sent"],
      code: 2,
    });
    terminal.start("forgectl profiles remove default --fields name");
    await terminal.shows(/\[y\/N\]$/m);
    terminal.type("y");
    terminal.press("Enter");
    expect(await terminal.end()).toEqual({
      lines: ["? Remove profile default and its token? Yes", "name  default"],
      code: 0,
    });
  });
});

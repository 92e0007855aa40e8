import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { describeTerminal, openTerminal, type Terminal, waiting } from "../support/terminal.ts";

describeTerminal("the sandbox on a terminal", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ env: { TMPDIR: "tmp" } });
    await terminal.run("mkdir tmp");
  });

  const left = () => readdirSync(join(terminal.home, "tmp"));

  test("start prints what to type, and Ctrl-C stops it with 0 on its own line", async () => {
    terminal.start("forgectl sandbox start");
    const lines = await terminal.shows(/tokens\.job_token /);
    expect(lines[0]).toMatch(/^sandbox at http:\/\/127\.0\.0\.1:\d+; Ctrl-C stops it\. In another shell:$/);
    expect(lines).toContainEqual(expect.stringMatching(/^tokens\.administrator +sandbox-administrator-token$/));
    terminal.press("C-c");
    const ended = await terminal.end();
    expect([ended.lines.at(-1), ended.code]).toEqual(["^C", 0]);
  });

  test("exec gives the command the terminal and returns its exit code", async () => {
    terminal.start("forgectl sandbox exec --as guest -- env PS1='inside> ' sh");
    await terminal.shows(/^inside>$/m);
    terminal.type("forgectl users me --fields username; exit 3");
    terminal.press("Enter");
    const { lines, code } = await terminal.end();
    expect([lines.at(-1), code]).toEqual(["username  grace.green", 3]);
    expect(left()).toEqual([]);
  });

  test("Ctrl-C ends the command and the sandbox", async () => {
    terminal.start(`forgectl sandbox exec -- ${waiting("process.pid")}`);
    const [id] = await terminal.shows(/^\d+$/m);
    terminal.press("C-c");
    expect(await terminal.end()).toMatchObject({ code: 130 });
    expect(() => process.kill(Number(id), 0)).toThrow("ESRCH");
    expect(left()).toEqual([]);
  });

  test("a command that handles Ctrl-C keeps its sandbox, any number of times", async () => {
    const script = [
      "caught=0",
      "trap 'caught=$((caught + 1)); echo caught $caught' INT",
      "echo ready",
      "while [ $caught -lt 3 ]; do sleep 0.05; done",
      "forgectl users me --fields username",
    ].join("; ");
    terminal.start(`forgectl sandbox exec -- sh -c '${script.replaceAll("'", "'\\''")}'`);
    await terminal.shows(/^ready$/m);
    for (const time of [1, 2, 3]) {
      terminal.press("C-c");
      await terminal.shows(new RegExp(`caught ${time}$`, "m"));
    }
    const { lines, code } = await terminal.end();
    expect([lines.at(-1), code]).toEqual(["username  root", 0]);
  });
});

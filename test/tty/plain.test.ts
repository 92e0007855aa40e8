import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

// Terminals that cannot repaint, and screen readers: what a command writes to its terminal is recorded by `script`, and
// not one byte of it may be an escape.

const log: string[] = [];
const { env, sandbox } = await sandboxSession({ log: (line) => log.push(line), latencyMs: 700 });
const instance = { FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_TOKEN: env.FORGECTL_TOKEN };
const changes = () => log.splice(0).filter((line) => !/^(?:GET|HEAD) /.test(line));

describeTerminal("without repainting", () => {
  describe.each(["TERM=dumb", "ACCESSIBLE=1 NO_COLOR=1"])("%s", (variables) => {
    let terminal: Terminal;
    let count = 0;
    beforeEach(async () => {
      terminal = await openTerminal({ columns: 120, env: instance });
    });

    /** Starts a command on a terminal of its own, whose bytes are recorded. */
    const started = (line: string) => {
      count += 1;
      const file = join(terminal.home, `typescript-${count}`);
      terminal.start(`script -qec "env ${variables} ${line}" ${file}`);
      return async () => {
        const { code, lines } = await terminal.end();
        const bytes = readFileSync(file, "latin1");
        expect(bytes.includes("\u001b"), JSON.stringify(bytes)).toBe(false);
        return { code, lines };
      };
    };
    const answer = (text: string) => {
      terminal.type(text);
      terminal.press("Enter");
    };

    test("a missing argument is chosen by its number, or narrowed by text", async () => {
      const ended = started("FORGECTL_PROJECT=acme/storefront forgectl registry tags get --jq .name");
      await terminal.shows(
        /^Which repository\?\n {2}1 {2}12 {2}acme\/storefront$[\s\S]*Choice \(1-\d+, or text to narrow\):$/m,
      );
      answer("work");
      await terminal.shows(/^ {2}1 {2}13 {2}acme\/storefront\/worker\nChoice \(1, or text to narrow\):/m);
      answer("nothing like it");
      await terminal.shows(/nothing matches\nChoice \(text to search\):/);
      answer("");
      await terminal.shows(/14 {2}acme\/storefront\/cache[\s\S]*Choice \(1-\d+, or text to narrow\):$/);
      answer("1");
      await terminal.shows(/Which tag\?[\s\S]*and \d+ more\nChoice \(1-10, or text to narrow\):/);
      // The whole value of a choice needs no number.
      answer("latest");
      const { code, lines } = await ended();
      expect([code, lines.at(-1)]).toEqual([0, "latest"]);
    }, 60_000);

    test("an empty line chooses nothing; Ctrl-C and Ctrl-D are interruptions", async () => {
      for (const [key, code, said] of [
        ["Enter", 2, "error: missing <repository-id>"],
        ["C-c", 130, "error: interrupted at a question"],
        ["C-d", 130, "error: interrupted at a question"],
      ] as const) {
        const ended = started("FORGECTL_PROJECT=acme/storefront forgectl registry delete");
        await terminal.shows(/Choice \(1-\d+, or text to narrow\):/);
        terminal.press(key);
        const result = await ended();
        expect([key, result.code, result.lines.join("\n")]).toEqual([key, code, expect.stringContaining(said)]);
      }
      expect(changes()).toEqual([]);
    }, 60_000);

    test("yes or no, and a name to type", async () => {
      const asked = started("forgectl hooks delete 2 -g acme");
      await terminal.shows(/^[A-Z][^?\n]*\? \[y\/N\]$/m);
      answer("n");
      expect((await asked()).code).toBe(2);
      const typed = started("forgectl registry delete 12 -p 7");
      await terminal.shows(/Type acme\/storefront to confirm: ?$/);
      answer("yes");
      expect((await typed()).code).toBe(2);
      expect(changes()).toEqual([]);
    }, 60_000);

    test("a token is not echoed", async () => {
      const place = `HOME=${terminal.home}/signed-in`;
      const ended = started(`FORGECTL_TOKEN= ${place} forgectl auth login --insecure-storage`);
      await terminal.shows(/oken.*\(not shown\) ?$/m);
      answer(`x\u007f${sandbox.tokens.administrator}`);
      const { code, lines } = await ended();
      expect([code, lines.join("\n").includes(sandbox.tokens.administrator)]).toEqual([0, false]);
    }, 60_000);

    test("a hidden answer is edited like a line, and has no mark of a paste", async () => {
      const place = `HOME=${terminal.home}/edited`;
      const ended = started(`FORGECTL_TOKEN= ${place} forgectl auth login --insecure-storage`);
      await terminal.shows(/oken.*\(not shown\) ?$/m);
      terminal.type("wrong");
      terminal.press("C-w");
      answer(`\u001b[200~${sandbox.tokens.administrator}\u001b[201~`);
      expect((await ended()).code).toBe(0);
    }, 60_000);

    test("the first line of a pasted key is not taken for all of it", async () => {
      const ended = started("forgectl settings set spamsvc_api_key=- --yes");
      await terminal.shows(/\(not shown\) ?$/m);
      terminal.type(`-----BEGIN KEY-----\r${"a".repeat(64)}\r`);
      const { code, lines } = await ended();
      expect([code, lines.join("\n")]).toEqual([2, expect.stringContaining("error: what was typed has several lines")]);
      expect(changes()).toEqual([]);
    }, 60_000);

    test("an empty answer does not empty a secret", async () => {
      const ended = started("forgectl settings set spamsvc_api_key=- --yes");
      await terminal.shows(/\(not shown\) ?$/m);
      terminal.press("Enter");
      const { code, lines } = await ended();
      expect([code, lines.join("\n")]).toEqual([2, expect.stringContaining("spamsvc_api_key: nothing was typed")]);
      expect(changes()).toEqual([]);
    }, 60_000);

    test("a hidden answer with a key that is no character is not sent", async () => {
      for (const key of ["Left", "C-z", "Tab"]) {
        const ended = started("forgectl settings set spamsvc_api_key=- --yes");
        await terminal.shows(/\(not shown\) ?$/m);
        terminal.type("secret");
        terminal.press(key, "Enter");
        const { code, lines } = await ended();
        const said = expect.stringContaining("error: what was typed has a control character");
        expect([key, code, lines.join("\n")]).toEqual([key, 2, said]);
      }
      expect(changes()).toEqual([]);
    }, 60_000);

    test("a wait, a table, and an error", async () => {
      const list = started("forgectl users list -L 30 --per-page 10 --concurrency 1");
      expect((await list()).code).toBe(0);
      expect((await started("forgectl events calendar dana.dixon")()).code).toBeLessThan(4);
      expect((await started("forgectl users get no.such.user")()).code).toBe(3);
    }, 60_000);
  });
});

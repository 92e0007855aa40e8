import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal, waiting } from "../support/terminal.ts";

describeTerminal("notes and discussions on a terminal", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    const { env } = await sandboxSession();
    const { FORGECTL_BASE_URL, FORGECTL_TOKEN } = env;
    terminal = await openTerminal({
      columns: 72,
      rows: 60,
      env: { FORGECTL_BASE_URL, FORGECTL_TOKEN, FORGECTL_PROJECT: "acme/storefront" },
    });
  });

  /** An editor that is a script; `$1` is the file. */
  function editor(script: string): string {
    const path = join(terminal.home, "editor");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  test("a thread reads as a thread: times, texts wrapped and indented, control characters shown", async () => {
    const { lines } = await terminal.run("forgectl discussions list --issue 28");
    const text = lines.join("\n").replace(/\b(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d\d:\d\d\b/g, "DAY TIME");
    expect(text).toContain(
      [
        "comment  f881521ec60f3ce93ee2be61244f7b70e87008b0",
        "  Robin Reyes (robin.reyes)  DAY TIME  note 300001",
        "    After some digging: the button is there, but the cookie banner lies",
        "    on top of it on screens narrower than 360 pixels, and takes the",
      ].join("\n"),
    );
    expect(text).toContain(
      [
        "thread  unresolved  45e1ded38990e86b70bc91ffbf1f90b1d0e47350",
        "  Robin Reyes (robin.reyes)  DAY TIME  note 300031",
        "    Could we add a test for this?",
        "  Dana Dixon (dana.dixon)  ",
      ].join("\n"),
    );
    expect(text).toContain("    ␛[2J␛[31mThis text would like to clear your screen␛[0m␇\n    error: \\u202enothing");
  });

  test("a note that commands delete has an undo line, unless it would come back as a public one", async () => {
    const { env } = await sandboxSession({ asDeployed: true });
    const { FORGECTL_BASE_URL, FORGECTL_TOKEN } = env;
    const at = await openTerminal({
      columns: 300,
      env: { FORGECTL_BASE_URL, FORGECTL_TOKEN, FORGECTL_PROJECT: "acme/storefront" },
    });
    for (const [more, command, isUndone] of [
      ["", "/close", true],
      ["--internal", "/reopen", false],
    ] as const) {
      const { lines } = await at.run(`forgectl notes create --issue 28 ${more} --body 'A decision' -o csv --fields id`);
      const id = lines.find((line) => /^\d+$/.test(line));
      const deleted = (await at.run(`forgectl notes update ${id} --issue 28 --body ${command} --yes`)).lines.join("\n");
      expect(deleted).toContain("and deleted the note");
      expect(/undo: forgectl notes create .*A decision/.test(deleted)).toBe(isUndone);
    }
  });

  test("a list is cut to the width, with one line each", async () => {
    const { lines } = await terminal.run("forgectl notes list --issue 28 --sort asc");
    expect(lines[0]).toMatch(/^ +author\. +created_$/);
    expect(lines[1]).toMatch(/^ +id {2}username +at +system {2}internal {2}body$/);
    expect(lines[2]).toMatch(/^300001 {2}robin\.reyes {2}[A-Z][a-z]{2} \d\d:\d\d {2}no +no +After.*…$/);
    expect(lines).toHaveLength(7);
  });

  test("the editor opens if no text is given, with the current text for a change", async () => {
    const path = editor(`cp "$1" "$HOME/seen"; echo 'And a second line.' >> "$1"`);
    const made = await terminal.run(`EDITOR=${path} forgectl notes create --issue 28`);
    expect(made.lines).toContain("body             And a second line.");
    const [, id = ""] = /^id +(\d+)/.exec(made.lines[0] ?? "") ?? [];
    const changed = await terminal.run(`EDITOR=${path} forgectl notes update ${id} --issue 28`);
    expect(readFileSync(join(terminal.home, "seen"), "utf8")).toBe("And a second line.\n");
    expect(changed.lines.join("\n")).toContain(
      "body             And a second line.\n                 And a second line.\nundo: ",
    );
  });

  test("a text that another user changes while the editor is open is not overwritten", async () => {
    const made = await terminal.run("forgectl notes create --issue 28 --body first");
    const [, id = ""] = /^id +(\d+)/.exec(made.lines[0] ?? "") ?? [];
    const path = editor(`forgectl notes update ${id} --issue 28 --body theirs > "$HOME/theirs"; echo mine > "$1"`);
    const { lines, code } = await terminal.run(`EDITOR=${path} forgectl notes update ${id} --issue 28`);
    const text = lines.join("\n");
    const [, kept = ""] = /your text is kept in (\S+?text\.md)/.exec(lines.join("")) ?? [];
    expect([code, text]).toEqual([
      6,
      expect.stringContaining("error: the text was changed on the instance while you were editing"),
    ]);
    expect(readFileSync(kept, "utf8")).toBe("mine\n");
    rmSync(dirname(kept), { recursive: true });
    const { lines: after } = await terminal.run(`forgectl notes get ${id} --issue 28 --jq .body`);
    expect(after).toEqual(["theirs"]);
  });

  test("an empty text cancels", async () => {
    const { lines, code } = await terminal.run(`EDITOR=${editor(":")} forgectl discussions create --issue 28`);
    expect({ lines, code }).toEqual({ lines: ["error: the text is empty", "outcome: nothing was sent"], code: 2 });
  });

  test("a text that could not be sent is kept", async () => {
    const path = editor(`echo 'A long thought.' > "$1"`);
    const { lines, code } = await terminal.run(`EDITOR=${path} forgectl notes create --issue 999`);
    const [, kept = ""] = /your text is kept in (\S+?text\.md)/.exec(lines.join("")) ?? [];
    expect([code, readFileSync(kept, "utf8")]).toEqual([3, "A long thought.\n"]);
    rmSync(dirname(kept), { recursive: true });
  });

  test("Ctrl-C goes to the editor, and what it had saved is kept", async () => {
    const path = editor(`echo 'Half a' > "$1"; echo "$1" > "$HOME/where"; ${waiting('"editing"')}`);
    terminal.start(`EDITOR=${path} forgectl notes create --issue 28`);
    await terminal.shows(/^editing$/m);
    terminal.press("C-c");
    const { lines, code } = await terminal.end();
    const kept = readFileSync(join(terminal.home, "where"), "utf8").trim();
    expect([code, lines.join("").includes(`your text is kept in ${kept}`), existsSync(kept)]).toEqual([
      130,
      true,
      true,
    ]);
    rmSync(dirname(kept), { recursive: true });
  });

  test("no editor opens if the result goes into a pipe", async () => {
    const { lines } = await terminal.run(`EDITOR=${editor("echo never")} forgectl notes create --issue 28 | cat`);
    expect(lines[0]).toBe("error: missing --body <text> or --body-file <file|->");
  });

  test("a deletion asks, and names the author and the beginning of each note, once", async () => {
    const asked = async (line: string) => {
      terminal.start(`forgectl ${line}`);
      const lines = await terminal.shows(/\[y\/N\]/);
      terminal.press("Enter");
      const refused = await terminal.end();
      expect([refused.code, refused.lines.slice(-2)]).toEqual([
        2,
        ["error: not confirmed", "outcome: nothing was sent"],
      ]);
      return lines.join("");
    };
    await terminal.resize(300, 60);
    expect(await asked("notes delete 300001 300001 300003 399999 --issue 28")).toContain(
      'Delete note 300001 by Robin Reyes, "After some digging: the button is there,..."; ' +
        'note 300003 by Mallory ␛[31mRed␛[0m, "␛[2J␛[31mThis text would like to clear y..."; ' +
        "note 399999 (project acme/storefront, issue 28)?",
    );
    expect(await asked("discussions delete 45e1 300032 --issue 28")).toContain(
      'Delete note 300032 by Dana Dixon, "Yes, I will add one today." (project acme/storefront, issue 28,',
    );
    expect(await asked("uploads delete 1 1 /uploads/6e173ac296917f04694ac02bf691a741/logo.png")).toContain(
      'Delete uploads 1 "logo.png" (70 B), 6e173ac296917f04694ac02bf691a741/logo.png (project acme/storefront)?',
    );
    terminal.start("forgectl notes delete 300002 300003 --issue 28");
    await terminal.shows(/y\/N/);
    terminal.press("y", "Enter");
    expect((await terminal.end()).lines.slice(-4)).toEqual([
      "note_id  status",
      " 300002  deleted",
      " 300003  deleted",
      "2 of 2 done",
    ]);
  });
});

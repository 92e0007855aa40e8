import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal, waiting } from "../support/terminal.ts";

const { env, run } = await sandboxSession();

describeTerminal("files edit on a terminal", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    const { FORGECTL_BASE_URL, FORGECTL_TOKEN } = env;
    terminal = await openTerminal({ columns: 100, rows: 40, env: { FORGECTL_BASE_URL, FORGECTL_TOKEN } });
  });

  function editor(script: string): string {
    const path = join(terminal.home, "editor");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  test("the editor has the terminal, and the user can type in it", async () => {
    terminal.start(
      `EDITOR=${editor('[ -t 0 ] && [ -t 1 ] && echo editing && read -r line && echo "$line" >> "$1"')} forgectl files edit README.md -p 7 -b main`,
    );
    await terminal.shows(/^editing$/m);
    terminal.type("A line that the user typed.");
    terminal.press("Enter");
    const { lines, code } = await terminal.end();
    expect([code, lines.join("\n")]).toEqual([
      0,
      expect.stringContaining("file_path  README.md\nbranch     main\nstatus     updated\nundo: "),
    ]);
    expect((await run("files", "cat", "README.md", "-p", "7")).stdout).toMatch(/\nA line that the user typed\.\n$/);
  });

  test("without VISUAL and EDITOR it is vi, if that is installed", async () => {
    writeFileSync(join(terminal.home, "vi"), '#!/bin/sh\necho vi was here >> "$1"\n');
    chmodSync(join(terminal.home, "vi"), 0o755);
    expect((await terminal.run("forgectl files edit README.md -p 7 -b main")).code).toBe(0);
    expect((await run("files", "cat", "README.md", "-p", "7")).stdout).toMatch(/\nvi was here\n$/);
    rmSync(join(terminal.home, "vi"));
    const { lines, code } = await terminal.run(
      'PATH="$HOME:/nowhere" /bin/sh -c "exec /bin/sh $HOME/forgectl files edit README.md -p 7 -b main"',
    );
    expect([code, lines.join("\n")]).toEqual([
      2,
      expect.stringContaining("error: no editor is set, and vi is not installed\noutcome: nothing was sent\n"),
    ]);
  });

  test("Ctrl-C goes to the editor; what it had saved is kept, and nothing is sent", async () => {
    const before = (await run("files", "cat", "README.md", "-p", "7")).stdout;
    const path = editor(`echo half > "$1"; echo "$1" > "$HOME/where"; ${waiting('"editing"')}`);
    terminal.start(`EDITOR=${path} forgectl files edit README.md -p 7 -b main`);
    await terminal.shows(/^editing$/m);
    terminal.press("C-c");
    const { lines, code } = await terminal.end();
    const kept = readFileSync(join(terminal.home, "where"), "utf8").trim();
    expect([code, lines.join("").includes(`your text is kept in ${kept}`)]).toEqual([130, true]);
    expect([existsSync(kept), (await run("files", "cat", "README.md", "-p", "7")).stdout]).toEqual([true, before]);
    rmSync(dirname(kept), { recursive: true });
  });

  test("--no-input opens no editor; neither does a result in a pipe", async () => {
    const path = editor('touch "$HOME/opened"');
    for (const line of [
      "forgectl files edit README.md -p 7 -b main --no-input",
      "forgectl files edit README.md -p 7 -b main | cat",
    ]) {
      const { lines } = await terminal.run(`EDITOR=${path} ${line}`);
      expect(lines[0]).toContain("error: files edit needs a terminal");
    }
    expect(existsSync(join(terminal.home, "opened"))).toBe(false);
  });
});

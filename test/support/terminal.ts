import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { atEnd } from "./ending.ts";
import { binary, node } from "./session.ts";
import { startTmux, type Tmux } from "./tmux.ts";

interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string | undefined>>;
}

/** What a command left on the screen, and its exit code. */
interface Shown {
  lines: string[];
  code: number;
}

/** A shell on a real terminal: input goes through tmux, and tests check what a user would see. */
export interface Terminal {
  readonly home: string;
  /** Runs a line on a cleared screen, to its end. */
  run(line: string): Promise<Shown>;
  /** Types a line on a cleared screen and leaves it running. */
  start(line: string): void;
  /** Waits for the end of the running command. */
  end(): Promise<Shown>;
  type(text: string): void;
  /** Keys by tmux's names: `Enter`, `C-c`, `C-d`. */
  press(...keys: string[]): void;
  /** The screen's lines, without the empty ones at its end. */
  screen(): Promise<string[]>;
  /** The same with the sequences for colors. */
  colored(): Promise<string[]>;
  /** Waits until the screen shows this, and returns it. */
  shows(pattern: RegExp): Promise<string[]>;
  resize(columns: number, rows: number): Promise<void>;
  /** A variable of tmux about the screen: `pane_title`, `cursor_x`. */
  state(name: string): Promise<string>;
}

/** Milliseconds until what a test waits for is not expected any more. */
const longestMs = 10_000;

const available = hasTmux();

/** `describe` for tests that need a terminal; without tmux they are skipped, with a warning. */
export const describeTerminal = describe.runIf(available);

function hasTmux(): boolean {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write("SKIPPED: tmux is not installed; nothing was tested on a terminal (apt-get install tmux)\n");
    return false;
  }
}

/** A command that prints a JavaScript value and waits for Ctrl-C, which a shell between two steps may miss. */
export function waiting(value: string): string {
  return `"${node}" -e 'console.log(${value}); setTimeout(Object, 60_000)'`;
}

/**
 * Opens a terminal; it and its home folder are removed after the file's tests. `forgectl` is the real program there.
 */
export async function openTerminal({ columns = 80, rows = 40, env = {} }: TerminalOptions = {}): Promise<Terminal> {
  const home = mkdtempSync(join(tmpdir(), "forgectl-test-"));
  writeFileSync(join(home, "forgectl"), `#!/bin/sh\nexec "${node}" "${binary}" "$@"\n`);
  chmodSync(join(home, "forgectl"), 0o755);
  const variables = {
    PATH: `${home}:${process.env.PATH}`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    LC_ALL: "C.UTF-8",
    TERM: "screen-256color",
    HISTFILE: "",
    PS1: "> ",
    ...env,
  };
  const words = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const size = ["-x", String(columns), "-y", String(rows)];
  const shell = ["bash", "--norc", "--noprofile", "-i"];
  const tmux = startTmux(join(home, "tmux"), [...size, "-c", home, "env", "-i", ...words, ...shell]);
  atEnd(async () => {
    await tmux.do("kill-server");
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const terminal = driver(home, tmux);
  await terminal.shows(/^>$/m);
  return terminal;
}

function driver(home: string, tmux: Tmux): Terminal {
  const capture = async (...flags: string[]) => withoutEmptyEnd(await tmux.do("capture-pane", "-p", ...flags));
  // Tmux does one after the other; what a test looks at next comes after them.
  const type = (text: string) => void tmux.do("send-keys", "-l", "--", text);
  const press = (...keys: string[]) => void tmux.do("send-keys", ...keys);
  let started = 0;
  const terminal: Terminal = {
    home,
    type,
    press,
    screen: () => capture(),
    colored: () => capture("-e"),
    async resize(columns, rows) {
      await tmux.do("resize-window", "-x", String(columns), "-y", String(rows));
      // The programs inside are notified some time later.
      for (let tries = 0; (await terminal.run("stty size")).lines[0] !== `${rows} ${columns}`; tries++) {
        if (tries === 100) throw new Error(`the terminal did not become ${columns} columns wide`);
      }
    },
    state: async (name) => (await tmux.do("display-message", "-p", `#{${name}}`)).join("\n"),
    async shows(pattern) {
      const end = Date.now() + longestMs;
      for (;;) {
        const output = tmux.output();
        const lines = await capture();
        if (pattern.test(lines.join("\n"))) return lines;
        if (Date.now() > end) throw new Error(`${pattern} did not show up on:\n${lines.join("\n")}`);
        await output;
      }
    },
    start(line) {
      started += 1;
      // At once, so that no output of the previous line is mistaken for this one's.
      press("-R");
      // The line itself is cleared before the command runs, so that the screen shows only its output.
      type(`clear; ${line}; echo "=${started}:$?="`);
      press("Enter");
    },
    async end() {
      // Marks the end of the command's output; the number distinguishes it from that of the previous line.
      const mark = new RegExp(`^=${started}:(\\d+)=$`, "m");
      const lines = await terminal.shows(mark);
      const last = lines.findIndex((line) => mark.test(line));
      return { lines: lines.slice(0, last), code: Number(mark.exec(lines[last] ?? "")?.[1]) };
    },
    run(line) {
      terminal.start(line);
      return terminal.end();
    },
  };
  return terminal;
}

function withoutEmptyEnd(lines: readonly string[]): string[] {
  const trimmed = lines.map((line) => line.trimEnd());
  return trimmed.slice(0, trimmed.findLastIndex((line) => line !== "") + 1);
}

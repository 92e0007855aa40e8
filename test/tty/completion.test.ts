import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { completionScript, type Shell } from "../../src/reference/completion.ts";
import { hasShell, sample, stubFolder } from "../unit/reference/fixture.ts";

// A shell on a real terminal, with TAB typed by hand.

let folder: string;
let socket: string;

beforeEach(() => {
  folder = stubFolder();
  socket = join(folder, "tmux");
  mkdirSync(join(folder, "here/data"), { recursive: true });
  writeFileSync(join(folder, "here/notes.txt"), "");
});
afterEach(() => {
  tmux("kill-server");
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

function tmux(...words: string[]): string {
  return execFileSync("tmux", ["-S", socket, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Waits until the terminal shows what is looked for, and gives all of it. */
async function shows(pattern: RegExp): Promise<string> {
  let screen = "";
  for (let tries = 0; tries < 100; tries++) {
    screen = tmux("capture-pane", "-p");
    if (pattern.test(screen)) return screen;
    await sleep(100);
  }
  throw new Error(`${pattern} did not show up on:\n${screen}`);
}

const starts: Record<Exclude<Shell, "powershell">, (script: string) => [string[], string]> = {
  bash: (script) => [["bash", "--norc", "--noprofile", "-i"], `PS1='> '; source ${script}`],
  zsh: (script) => [
    ["zsh", "-f", "-i"],
    `PS1='> '; autoload -U compinit; compinit -u -D; zstyle ':completion:*' list-grouped true; source ${script}`,
  ],
  fish: (script) => [["fish", "--no-config", "-i"], `function fish_prompt; echo '> '; end; source ${script}`],
};

async function open(shell: keyof typeof starts): Promise<void> {
  const script = join(folder, `script.${shell}`);
  writeFileSync(script, completionScript(shell, sample));
  const [command, setup] = starts[shell](script);
  const env = [
    "env",
    `PATH=${folder}:${process.env.PATH}`,
    `HOME=${folder}`,
    "LC_ALL=C.UTF-8",
    "TERM=xterm",
    "HISTFILE=",
  ];
  tmux("-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "40", "-c", join(folder, "here"), ...env, ...command);
  // Typed once the shell has its prompt: what comes earlier is shown twice.
  await sleep(300);
  type(`${setup}; echo re''ady`);
  tmux("send-keys", "Enter");
  await shows(/^ready/m);
  tmux("clear-history");
}

function type(text: string): void {
  tmux("send-keys", "-l", "--", text);
}

function tab(times = 1): void {
  for (let time = 0; time < times; time++) tmux("send-keys", "Tab");
}

for (const shell of ["bash", "zsh", "fish"] as const) {
  describe.runIf(hasShell("tmux") && hasShell(shell))(shell, () => {
    test("a word, a flag, its value, a profile, and a setting are completed to the end", async () => {
      await open(shell);
      type("forgectl thi");
      tab();
      await shows(/forgectl things $|forgectl things\s*$/m);
      type("ta");
      tab();
      type("d");
      tab();
      type("--vi");
      tab();
      type("b");
      tab();
      type("--profile=w");
      tab();
      await shows(/forgectl things tags delete --via bulk --profile=work/);
      type("--who=level:d");
      tab();
      await shows(/--profile=work --who=level:developer/);
      type("-p acme/a");
      tab();
      await shows(/level:developer -p acme\/a\\ b/);
      tmux("send-keys", "C-c");
      // What is typed while the shell still drops the line may be dropped with it.
      await shows(/^>\s*$/m);
      type("forgectl things set home");
      tab();
      // No space follows: the value does.
      type("X");
      await shows(/forgectl things set home_page_url=X/);
    });

    test("files and folders are completed, a file after = too", async () => {
      await open(shell);
      type("forgectl things show on no");
      tab();
      await shows(/things show on notes\.txt/);
      type("--from=no");
      tab();
      await shows(/notes\.txt --from=notes\.txt/);
      type("--out da");
      tab();
      await shows(/--out data\//);
    });

    test("nothing is offered where nothing is known, and an error stays silent", async () => {
      await open(shell);
      writeFileSync(join(folder, "forgectl"), "#!/bin/sh\necho BROKEN >&2; exit 70\n");
      type("forgectl --profile ");
      tab(2);
      type("x things tags delete --ref ");
      tab(2);
      type("END");
      const screen = await shows(/END/);
      expect(screen).not.toMatch(/BROKEN|notes\.txt/);
    });

    test("what is offered is listed", async () => {
      await open(shell);
      type("forgectl things tags delete --re");
      if (shell === "bash") {
        type("X");
        tmux("send-keys", "BSpace", "BSpace", "BSpace");
        tab(2);
        await shows(/--active .*--ref/s);
      } else {
        tmux("send-keys", "BSpace", "BSpace");
        tab(2);
        await shows(/--ref.*Branch: it's "\$HOME", `x`, or \\d \(required\)/s);
      }
    });
  });
}

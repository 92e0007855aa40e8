import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { completionScript } from "../../src/reference/stubs.ts";
import { signedIn } from "../support/answering.ts";
import { writeProgram } from "../support/shell.ts";
import { hasShell } from "../support/shells.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

// Names that run something where they are not quoted, offered by an instance and by the files of a folder. TAB puts
// them on the line of a real shell, Enter runs it, and nothing but this program may start.

/** Each would create the file `PWNED-…` if a shell read it. */
const names = [
  "dollar $(touch PWNED-dollar)",
  "tick `touch PWNED-tick`",
  'double"; touch PWNED-double; "',
  "single'; touch PWNED-single; '",
  "semi; touch PWNED-semi;",
  "pipe|touch PWNED-pipe",
  "amp&touch PWNED-amp&",
  "bang !touch",
  "back\\$(touch PWNED-back)",
  "end\\",
  "line\ntouch PWNED-line\n",
  "return\rtouch PWNED-return\r",
  "brace{a,b} *",
  "redirect>PWNED-redirect",
  "process<(touch PWNED-process)",
  "history^a^b",
  "=touch PWNED-equals",
  "~root PWNED",
  "~",
  "-n",
  "--yes",
  ":file 0",
  ":command x[$(touch PWNED-arithmetic)]",
  "#comment",
  "dash–$(touch PWNED-typographic)“”",
];

const { FORGECTL_TEST_NAMES: asked, FORGECTL_TEST_SEED: seed = "1" } = process.env;

/** Each fourth name without a quote, each eighth in the quotes; FORGECTL_TEST_NAMES=all tries all. */
function namesIn(quote: string): string[] {
  const oneOf = quote === "" ? 4 : 8;
  return asked === "all" ? names : names.filter((_, index) => (index + Number(seed)) % oneOf === 0);
}

type Name = "bash" | "zsh" | "fish";

const starts: Record<Name, string> = {
  bash: "PS2='> '; set -H",
  zsh: "exec env PS1='> ' PS2='> ' zsh -f -i",
  fish: "exec fish --no-config -i",
};
const prompts: Record<Name, string> = {
  bash: "",
  zsh: "unsetopt beep; ",
  fish: "function fish_prompt; echo '> '; end; set -g fish_autosuggestion_enabled 0; ",
};

interface Recorded {
  terminal: Terminal;
  /** What the program was started with, other than for TAB; the arguments of each start. */
  started(): string[][];
}

/** A shell with the completions loaded, in a folder of hostile files, with an instance of hostile names. */
async function open(shell: Name): Promise<Recorded> {
  const instance = await signedIn((request, response) => {
    const found = names.map((name, index) => ({ id: index + 1, name, deploy_access_levels: [] }));
    const body = request.url?.includes("protected_environments") ? found : [];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const { FORGECTL_BASE_URL, FORGECTL_TOKEN } = instance.env;
  const env = { FORGECTL_BASE_URL, FORGECTL_TOKEN, FORGECTL_COMPLETION_TIMEOUT: "30" };
  const terminal = await openTerminal({ columns: 160, env });
  const { home } = terminal;
  // The program answers TAB; what Enter starts is recorded.
  const [bin, work, log] = ["bin", "work", "log"].map((name) => join(home, name)) as [string, string, string];
  for (const folder of [bin, work]) mkdirSync(folder);
  writeProgram(
    join(bin, "forgectl"),
    `if [ "$1" = __complete ]; then exec ${home}/forgectl "$@"; fi; printf '%s\\0' "$@" >> ${log}; printf '\\n\\0' >> ${log}`,
  );
  for (const name of names) writeFileSync(join(work, name.replaceAll("/", "_")), "");
  const script = join(home, `script.${shell}`);
  writeFileSync(script, completionScript(shell));
  terminal.type(starts[shell]);
  terminal.press("Enter");
  await terminal.shows(/[>#%]\s*$/);
  const path = shell === "fish" ? `set -x PATH ${bin} $PATH` : `PATH=${bin}:$PATH`;
  terminal.type(`${prompts[shell]}${path}; cd ${work}; source ${script}; echo re''ady`);
  terminal.press("Enter");
  await terminal.shows(/^ready/m);
  const started = () => {
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\0\n\0").slice(0, -1) : [];
    return lines.map((line) => line.split("\0"));
  };
  return { terminal, started };
}

/** Types a line with TAB and Enter; returns what was started, if anything was. */
async function entered({ terminal, started }: Recorded, typed: string, after = ""): Promise<string[] | undefined> {
  const before = started().length;
  terminal.press("C-e", "C-u", "C-l");
  await terminal.shows(/^>\s*$/);
  terminal.type(typed);
  terminal.press("Tab");
  // Behind the completed word, the closed quote, and the space, or within the quote.
  terminal.type(`END${after}`);
  await terminal.shows(/END/);
  terminal.press("Enter");
  // A new line, or the next one within the quote that is still open.
  terminal.type("NEXT");
  await terminal.shows(/[> ] *NEXT/);
  const ended = /NEXT[\s\S]*\n>\s*$/;
  terminal.press("C-c");
  // A busy fish may miss it; pressed once more at the prompt, it does nothing.
  for (let tries = 1; tries < 100 && !ended.test((await terminal.screen()).join("\n")); tries++) {
    await sleep(50);
    if (tries % 20 === 0) terminal.press("C-c");
  }
  await terminal.shows(ended);
  return started()[before];
}

/** Names that are offered nowhere: as one line of text they would be others, or they are directives of the answer. */
const unspeakable = (name: string) => /^:|[\n\r]/.test(name);

/** Names that bash cannot write within a quote. */
const leftOut: Partial<Record<string, RegExp>> = { '"': /[!"]/, '$"': /[!"]/, "'": /'/, "$'": /['\\!]/ };

/** Names of files to complete. */
const ownFiles = ["dollar $(touch PWNED-dollar)", "tick `touch PWNED-tick`", "semi; touch PWNED-semi;"];

/** Places where a name lands, and whether the shell lets a program complete there. */
const places: readonly [quote: string, shells: readonly Name[]][] = [
  ["", ["bash", "zsh", "fish"]],
  ['"', ["bash", "zsh", "fish"]],
  ["'", ["bash", "zsh", "fish"]],
  ["$'", ["bash", "zsh"]],
  ['$"', ["bash"]],
];

describeTerminal("with TAB and Enter, no name of the instance and no file runs anything, in any quote", () => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    test.runIf(hasShell(shell))(
      shell,
      async () => {
        const recorded = await open(shell);
        const work = join(recorded.terminal.home, "work");
        const files = readdirSync(work);
        const wrong: unknown[] = [];
        for (const [at, [quote]] of places.filter(([, shells]) => shells.includes(shell)).entries()) {
          for (const name of namesIn(quote)) {
            const typed = name.slice(0, 3);
            const words = await entered(recorded, `forgectl envs get -p 7 ${quote}${typed}`);
            // Without a quote, shells read these by themselves.
            if (quote === "" && /^[~=#]/.test(name)) continue;
            const isLeftOut = unspeakable(name) || (shell === "bash" && leftOut[quote]?.test(name) === true);
            // One name is the beginning of another: nothing is completed.
            const completed = isLeftOut || name === "~" ? [`${typed}END`] : [name, "END"];
            const isRight = JSON.stringify(words?.slice(4) ?? completed) === JSON.stringify(completed);
            const isDone = words !== undefined || completed.length === 1;
            if (!isRight || !isDone) wrong.push({ quote, name, words });
          }
          // What zsh puts between backticks is read once more. The others complete files there.
          for (const name of shell === "zsh" ? ["dollar $(touch PWNED-dollar)", "tick `touch PWNED-tick`"] : []) {
            await entered(recorded, `echo \`forgectl envs get -p 7 ${quote}${name.slice(0, 3)}`, "`");
          }
          // As a file, one of them for each quote.
          for (const name of asked === "all" ? ownFiles : ownFiles.slice(at % 3, (at % 3) + 1)) {
            const line = `forgectl settings set ${quote}home_page_url=@${name.slice(0, 3)}`;
            const words = await entered(recorded, line);
            if (words?.[2] !== `home_page_url=@${name}`) wrong.push({ quote, file: name, words });
          }
        }
        expect(wrong).toEqual([]);
        expect(readdirSync(work)).toEqual(files);
      },
      480_000,
    );
  }
});

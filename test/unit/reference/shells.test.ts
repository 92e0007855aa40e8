import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completionScript, type Shell } from "../../../src/reference/completion.ts";
import { hasShell, sample, stubFolder } from "./fixture.ts";

const globals = ["--profile", "--output", "-o", "--no-header", "--yes", "--help", "-h"];

/** What is typed before TAB, and what is offered; `some` where more is offered too. */
const cases: { line: string; offers?: string[]; some?: string[]; never?: string[]; not?: Shell[] }[] = [
  { line: "forgectl ", offers: ["things", "run", "help"] },
  { line: "forgectl t", offers: ["things"] },
  { line: "forgectl nonsense", offers: [] },
  { line: "forgectl things ", offers: ["tags", "show", "set"] },
  { line: "forgectl -o json --profile work things ta", offers: ["tags"] },
  { line: "forgectl --output=json things ta", offers: ["tags"] },
  { line: "forgectl --profile ", offers: ["work", "home"] },
  { line: "forgectl --profile=w", offers: ["--profile=work"] },
  { line: "forgectl -o j", offers: ["json"] },
  { line: "forgectl --output=nd", offers: ["--output=ndjson"] },
  { line: "forgectl things tags delete v1 --via ", offers: ["bulk", "tags"] },
  { line: "forgectl things tags delete --active t", offers: ["true"] },
  { line: "forgectl things tags delete -p acme/s", offers: ["acme/storefront"] },
  { line: "forgectl things tags delete --who level:d", offers: ["level:developer"] },
  { line: "forgectl things tags delete --who=level:d", offers: ["--who=level:developer"] },
  { line: "forgectl things tags delete --kinds push,", offers: ["push,note", "push,emoji"] },
  { line: "forgectl things tags delete --exec", offers: ["--executable"] },
  { line: "forgectl things tags delete --no-e", offers: ["--no-executable"] },
  { line: "forgectl things tags delete -", some: ["--via", "--ref", "-r", "--no-executable", ...globals] },
  { line: "forgectl things tags delete -", never: ["--hush", "--version", "--out"], some: ["--who"] },
  { line: "forgectl things tags delete --ref ", offers: [] },
  { line: "forgectl -V", offers: ["-V"] },
  { line: "forgectl things show o", offers: ["on", "off"] },
  { line: "forgectl things show on a -", some: ["--out"] },
  { line: "forgectl things show on a --out fo", offers: ["folder/"] },
  // In bash, files are readline's own business.
  { line: "forgectl things show on fi", offers: ["file.txt"], not: ["bash"] },
  { line: "forgectl things show on --from=fi", offers: ["--from=file.txt"], not: ["bash"] },
  { line: "forgectl things set home", offers: ["home_page_url="] },
  { line: "forgectl things set signup_enabled=t", offers: ["signup_enabled=true"] },
  { line: "forgectl things set home_page_url=x signup_enabled=f", offers: ["signup_enabled=false"] },
  { line: "forgectl help ", offers: ["things", "run", "help", "exit-codes", "environment", "output"] },
  { line: "forgectl help ex", offers: ["exit-codes"] },
  { line: "forgectl help things t", offers: ["tags"] },
  { line: "forgectl run --p", some: ["--port"] },
  { line: "forgectl run -- forgectl-stub-pro", offers: ["forgectl-stub-program"] },
];

let folder: string;
beforeAll(() => {
  folder = stubFolder();
  mkdirSync(join(folder, "here/folder"), { recursive: true });
  writeFileSync(join(folder, "here/file.txt"), "");
  writeFileSync(join(folder, "forgectl-stub-program"), "#!/bin/sh\n", { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A script run by a real shell on the words of a line; a candidate a line comes back. */
function offered(shell: Shell, line: string): string[] {
  const path = join(folder, `script.${shell}`);
  writeFileSync(path, completionScript(shell, sample));
  const [program = "", ...args] = drive[shell as "bash"](path, line);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, LINE: line, LC_ALL: "C.UTF-8" };
  const text = execFileSync(program, args, { cwd: join(folder, "here"), env, encoding: "utf8" });
  return text.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t")[0] ?? ""]));
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The words that bash makes of a line: it ends them at = and : too. */
function bashWords(line: string): string[] {
  const words = line.split(" ").flatMap((word) => word.split(/([=:]+)/).filter((part) => part !== ""));
  return line.endsWith(" ") ? [...words, ""] : words;
}

// zsh's own functions are stood in for by plain ones: what they do with the candidates is for the test on a terminal.
const zshStubs = `
compdef() { : }
_describe() { local -a list=("\${(@P)@[-1]}"); print -l - \${list%%:*} | sed "s|^|$STRIPPED|" | grep -e "^$TYPED" }
_wanted() { shift 4; [[ $1 == -S ]] && shift 2; shift; print -l - "\${(@P)1}" | sed "s|^|$STRIPPED|" | grep -e "^$TYPED" }
compset() { STRIPPED=\${PREFIX%%=*}=; PREFIX=\${PREFIX#*=} }
_files() {
  local -a found; [[ $1 == -/ ]] && found=($PREFIX*(N/)) && found=(\${^found}/) || found=($PREFIX*(N))
  print -l - $STRIPPED\${^found}
}
_command_names() { print -l - $commands[(I)$PREFIX*] }
_message() { : }
`;

const drive = {
  bash: (path: string, line: string) => {
    const words = bashWords(line);
    const state = `COMP_LINE=$LINE COMP_POINT=\${#LINE} COMP_WORDS=(${words.map(quoted).join(" ")}) COMP_CWORD=${words.length - 1}`;
    // Without readline, what stands before the last = or : is put back here to compare with the other shells.
    const head = (line.split(" ").at(-1) ?? "").replace(/[^=:]*$/, "");
    const print = `for each in "\${COMPREPLY[@]}"; do printf '%s%s\\n' ${quoted(head)} "$each"; done`;
    return ["bash", "--norc", "-c", `COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'; . ${path}; ${state}; _forgectl; ${print}`];
  },
  zsh: (path: string, line: string) => {
    const words = line.split(" ");
    const state = `words=(${words.map(quoted).join(" ")}); CURRENT=${words.length}; PREFIX=$words[-1] TYPED=$words[-1] STRIPPED=`;
    return ["zsh", "-f", "-c", `setopt extendedglob; ${zshStubs}; . ${path}; ${state}; _forgectl; true`];
  },
  fish: (path: string) => ["fish", "--no-config", "-c", `source ${path}; complete -C "$LINE"`],
};

for (const shell of ["bash", "zsh", "fish"] as const) {
  describe.runIf(hasShell(shell))(shell, () => {
    for (const { line, offers, some, never } of cases.filter(({ not }) => !not?.includes(shell))) {
      test(`${line}‸ ${never === undefined ? "" : "(never)"}`, () => {
        const got = offered(shell, line).map((each) => (shell === "bash" ? each.replace(/^folder$/, "folder/") : each));
        if (offers !== undefined) expect([...got].sort()).toEqual([...offers].sort());
        if (some !== undefined) expect(got).toEqual(expect.arrayContaining(some));
        for (const word of never ?? []) expect(got).not.toContain(word);
      });
    }
  });
}

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, node } from "./session.ts";

/** A folder for the PATH that contains the program under test as `forgectl`. */
export function folderWithProgram(home: string): string {
  const folder = join(home, "bin");
  mkdirSync(folder);
  writeProgram(join(folder, "forgectl"), `exec "${node}" "${binary}" "$@"`);
  return folder;
}

/** A program of one line of shell. */
export function writeProgram(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

interface Place {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Runs a script in `sh`, without a terminal; stdout and stderr are one text, as on a terminal. */
export function runScript(script: string, { cwd, env }: Place): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const shell = spawn("sh", ["-c", `exec 2>&1; ${script}`], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    shell.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    shell.on("close", (code) => resolve({ code, output }));
  });
}

/**
 * The words of a line that starts `forgectl` and nothing else, as a shell splits them, without the program's name; undefined
 * for lines that only a shell can run: with pipes, redirections, substitutions, or several commands.
 */
export async function wordsOfProgram(line: string, place: Place): Promise<string[] | undefined> {
  if (!line.startsWith("forgectl ")) return undefined;
  if (/^[-\w ./:@=,]*$/.test(line)) return line.split(" ").slice(1);
  const outsideQuotes = line.replace(/'[^']*'|"[^"$`\\]*"/g, "");
  if (/[|&;<>()$`\\#'"\n]/.test(outsideQuotes)) return undefined;
  const { output } = await runScript(`printf '%s\\0' ${line}`, place);
  return output.split("\0").slice(1, -1);
}

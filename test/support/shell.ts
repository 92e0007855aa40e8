import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, node, type Result, type RunOptions, type Session } from "./session.ts";

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

/** More than any script of the tests takes. */
const maxScriptMs = 60_000;

/**
 * Runs a script in `sh`, without a terminal; stdout and stderr are one text, as on a terminal. After a minute it is
 * killed with all that it started, without a code.
 */
export function runScript(script: string, { cwd, env }: Place): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const shell = spawn("sh", ["-c", `exec 2>&1; ${script}`], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    const timeout = setTimeout(() => process.kill(-(shell.pid as number), "SIGKILL"), maxScriptMs);
    let output = "";
    shell.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    shell.on("error", reject);
    shell.on("close", (code) => {
      clearTimeout(timeout);
      resolve({ code, output });
    });
  });
}

/** Whether a line starts `forgectl` and nothing else, so that a shell only splits it into words. */
export function isPlain(line: string): boolean {
  const outsideQuotes = line.replace(/'[^']*'|"[^"$`\\]*"/g, "");
  return line.startsWith("forgectl ") && !/[|&;<>()$`\\#'"\n]/.test(outsideQuotes);
}

/** The words of a line as a shell splits them; it must be the words of one command. */
export async function shellWords(line: string, place: Place): Promise<string[]> {
  if (/^[-\w ./:@=,]*$/.test(line)) return line.trim().split(/ +/);
  const { code, output } = await runScript(`printf '%s\\0' ${line}`, place);
  if (code !== 0) throw new Error(`a shell cannot split ${line}: ${output}`);
  return output.split("\0").slice(0, -1);
}

/** Runs a command of a session as typed in a shell, in its home folder; the line is without the program's name. */
export async function runLine({ run, home, env }: Session, line: string, ...more: RunOptions[]): Promise<Result> {
  return run(...(await shellWords(line, { cwd: home, env })), ...more);
}

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

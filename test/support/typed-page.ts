import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { binary, node, sandboxSession } from "./session.ts";

/** Types the sessions of a page one after the other, and gives the page with what came out. `echo $?` is known. */
export async function typedPage(path: string): Promise<string> {
  const { sandbox, env, home } = await sandboxSession();
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "forgectl"), `#!/bin/sh\nexec "${node}" "${binary}" "$@"\n`);
  chmodSync(join(bin, "forgectl"), 0o755);
  const cwd = mkdtempSync(join(home, "here-"));
  const variables = { ...env, PATH: `${bin}${delimiter}${env.PATH}` };
  let last: number | null = 0;
  const typed = async (line: string): Promise<string> => {
    if (line === "echo $?") return `${last}\n`;
    const { code, output } = await run(line, cwd, variables);
    last = code;
    return output
      .replaceAll(sandbox.url, "https://forge.example.com")
      .replace(/\d{8}T\d{6}Z-\w{4}/g, "20261121T164502Z-7f3a");
  };
  const parts = readFileSync(path, "utf8").split(/(^```console\n[\s\S]*?^```$)/m);
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith("```console\n")) continue;
    const lines = part.split("\n").filter((line) => line.startsWith("$ "));
    const told: string[] = [];
    for (const line of lines) told.push(`${line}\n${await typed(line.slice(2))}`);
    parts[index] = `\`\`\`console\n${told.join("").replace(/\n*$/, "\n")}\`\`\``;
  }
  return parts.join("");
}

function run(line: string, cwd: string, env: object): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const shell = spawn("sh", ["-c", `exec 2>&1; ${line}`], {
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

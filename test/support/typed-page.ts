import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { runInProcess } from "./in-process.ts";
import { sandboxSession } from "./session.ts";
import { folderWithProgram, isPlain, runScript, shellWords } from "./shell.ts";

export interface Surroundings {
  /** The environment, by default an administrator's address and token. */
  env?(sandbox: Sandbox): Readonly<Record<string, string | undefined>>;
  /** The files in the folder. */
  files?(sandbox: Sandbox): Readonly<Record<string, string>>;
}

/**
 * Runs the sessions of a page in order, against a new sandbox, and returns the page with their output. A plain line is
 * only split by a shell, and runs in this process. `echo $?` is supported.
 */
export async function typedPage(path: string, { env, files }: Surroundings = {}): Promise<string> {
  const { sandbox, env: signedIn, home } = await sandboxSession();
  const bin = folderWithProgram(home);
  const cwd = mkdtempSync(join(home, "here-"));
  for (const [file, text] of Object.entries(files?.(sandbox) ?? {})) writeFileSync(join(cwd, file), text);
  const variables = { ...signedIn, PATH: `${bin}${delimiter}${signedIn.PATH}`, ...env?.(sandbox) };
  let last: number | null = 0;
  const typed = async (line: string): Promise<string> => {
    if (line === "echo $?") return `${last}\n`;
    const here = line.replaceAll(address, sandbox.url);
    const { code, output } = await (isPlain(here) && !startsOthers.test(here)
      ? runPlain(here)
      : runScript(here, { cwd, env: variables }));
    last = code;
    return asOnPages(output.replaceAll(sandbox.url, address).replaceAll(home, "/home/olivia"));
  };
  const runPlain = async (line: string) => {
    const [, ...args] = await shellWords(line, { cwd, env: variables });
    const written: Buffer[] = [];
    const { code } = await runInProcess({ args, cwd, env: variables }, written);
    return { code, output: Buffer.concat(written).toString() };
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

const address = "https://forge.example.com";
/** Commands that start other programs, or this one again. */
const startsOthers = /^forgectl sandbox /;

/** Replaces what differs between runs by what the pages have. */
function asOnPages(output: string): string {
  return output
    .replace(/\d{8}T\d{6}Z-\w{4}/g, "20261121T164502Z-7f3a")
    .replace(/127\.0\.0\.1:\d{5}/g, "127.0.0.1:34071")
    .replace(/^(request-id: )\w+/gm, "$101M808KKE96XA8QMASM51MRFQF");
}

import { readFileSync, statSync, writeFileSync } from "node:fs";
import type { Failure } from "../../src/base/errors.ts";
import type { Context } from "../../src/context.ts";
import { edit } from "../../src/verbs/editor.ts";
import { contextFor } from "./context.ts";

export interface Editing {
  edits?: (text: string) => string;
  exit?: number;
  stderr?: string;
  env?: Record<string, string>;
  prompt?: boolean;
  stdout?: boolean;
  stdin?: boolean;
}

/** A user with an editor; by default at a terminal. `runs` are the lines of the shell, each with its options. */
export function user({
  edits = (text) => text,
  exit = 0,
  stderr = "",
  env = { EDITOR: "ed" },
  ...streams
}: Editing = {}) {
  const { prompt = true, stdout = true, stdin = true } = streams;
  const context = contextFor("http://127.0.0.1:1", { env });
  const runs: { line: string; path: string; mode: number; options: object }[] = [];
  const shell = async (line: string, options: object) => {
    const path = /'(.*)'$/.exec(line)?.[1] ?? "";
    runs.push({ line, path, mode: statSync(path).mode & 0o777, options });
    writeFileSync(path, edits(readFileSync(path, "utf8")));
    return { code: exit, stdout: "", stderr };
  };
  const warnings: string[] = [];
  Object.assign(context, {
    stdout: { isTerminal: stdout },
    stdin: { isTerminal: stdin },
    prompt: { available: prompt },
    processes: { shell },
    warn: (text: string) => warnings.push(text),
  } as unknown as Partial<Context>);
  const failure = async (initial: string, use: (text: string) => Promise<unknown> = async () => "sent") =>
    (await edit(context, { name: "note.md", initial }, use).catch((error: unknown) => error)) as Failure;
  return { context, runs, warnings, failure };
}

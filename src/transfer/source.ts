import { UsageError } from "../base/errors.ts";
import { commandLine } from "../base/line.ts";
import type { Context } from "../context.ts";

/** What the shell passes under a name: `<(command)`, stdin, an empty file. Opening these does not block. */
export function isSpecial(path: string): boolean {
  return /^\/(?:dev|proc)\/(?!shm\/)/.test(path);
}

/**
 * Opening a named pipe waits for whoever is to stand at its other end, and neither Ctrl-C nor `timeout` would end that:
 * a UsageError, with `instead` as the way out.
 */
export function refusePipe(kind: string | undefined, path: string, instead: string): void {
  if (kind !== "other" || isSpecial(path)) return;
  throw new UsageError(`${path} is a pipe or a device, not a file`, { hint: `${instead} ${commandLine([path])}` });
}

/**
 * Reads a file named on the command line, or stdin for `-`. What cannot be read is a usage error; so is a named pipe.
 */
export async function readSource(context: Context, source: string): Promise<Uint8Array> {
  if (source === "-") return readAll(context.stdin.stream());
  const facts = await context.files.facts(source);
  if (facts === undefined) throw new UsageError(`there is no file ${source}`);
  if (facts.kind === "folder") throw new UsageError(`${source} is a folder`);
  refusePipe(facts.kind, source, "send it on stdin: - <");
  return context.files.read(source);
}

/** The same as text; what is not UTF-8 is a usage error. */
export async function readTextSource(context: Context, source: string): Promise<string> {
  return utf8(await readSource(context, source), source === "-" ? "stdin" : source);
}

/**
 * Bytes as text, without a byte order mark; what is not UTF-8 is a usage error.
 *
 * @param name what holds them, for the error
 */
export function utf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not text in UTF-8`);
  }
}

/** A text without the line break at its end, which editors and `echo` put there and a value does not have. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** All bytes of a stream, in memory. */
export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

import { isUtf8 } from "node:buffer";
import { UsageError } from "../base/errors.ts";
import { commandLine } from "../base/shell-words.ts";
import { isSpecial, isStdin } from "../base/special-file.ts";
import type { Context } from "../context.ts";
import { readPipe } from "../terminal/shared-pipe.ts";
import { maxStdin } from "../terminal/shared-stdin.ts";

/**
 * Refuses a named pipe with a UsageError that suggests `instead`: opening it blocks until a writer
 * appears, and neither Ctrl-C nor `timeout` would end that.
 */
export function refusePipe(kind: string | undefined, path: string, instead: string): void {
  if (kind !== "other" || isSpecial(path)) return;
  throw new UsageError(`${path} is a pipe or a device, not a file`, { hint: `${instead} ${commandLine([path])}` });
}

type Sources = Pick<Context, "stdin" | "files" | "unwatched">;

/**
 * Reads a file named on the command line, or stdin for `-`. An unreadable file is a usage error; so is a named pipe.
 */
export async function readSource(context: Sources, source: string): Promise<Uint8Array> {
  if (source === "-") return readStdin(context);
  const facts = await context.files.facts(source);
  if (facts === undefined) throw new UsageError(`the file ${source} does not exist`);
  if (facts.kind === "folder") throw new UsageError(`${source} is a folder`);
  refusePipe(facts.kind, source, "send it on stdin: - <");
  if (facts.kind !== "other") return context.files.read(source);
  return isStdin(source) ? readStdin(context) : readPipe(context, source);
}

/**
 * Whether a source's content comes from another command, which leaves nothing if it failed: stdin, or a pipe.
 * /dev/null is named because it has no content.
 */
export async function isPiped({ files }: Pick<Context, "files">, source: string): Promise<boolean> {
  return isStdin(source) || (source !== "/dev/null" && (await files.facts(source))?.kind === "other");
}

async function readStdin({ stdin, unwatched }: Sources): Promise<Buffer> {
  const bytes = await unwatched(() => readAll(stdin.stream(), maxStdin));
  if (bytes.length > maxStdin) throw new UsageError("stdin is larger than 256 MiB");
  return bytes;
}

/** Reads text as its bytes, which take less memory; bytes that are not UTF-8 are a usage error. */
export async function readUtf8(context: Context, source: string): Promise<Buffer> {
  const bytes = await readSource(context, source);
  if (!isUtf8(bytes)) throw notUtf8(source === "-" ? "stdin" : source);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads it as text; bytes that are not UTF-8 are a usage error. */
export async function readTextSource(context: Context, source: string): Promise<string> {
  return utf8(await readSource(context, source), source === "-" ? "stdin" : source);
}

/**
 * Decodes UTF-8, without a byte order mark; invalid bytes are a usage error.
 *
 * @param name their source, for the error
 */
export function utf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8(name);
  }
}

function notUtf8(name: string): UsageError {
  return new UsageError(`${name} is not UTF-8 text`);
}

/** A text without its trailing line break, which editors and `echo` add. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/**
 * All bytes of a stream, in memory.
 *
 * @param limit after more than this number of bytes, the rest is not read
 */
export async function readAll(stream: AsyncIterable<Uint8Array>, limit = Infinity): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return Buffer.concat(chunks);
}

import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Context } from "../../context.ts";

/**
 * Reads a whole file as a gzip tar and verifies its checksums, without keeping its content. Returns the problem;
 * undefined if there is none.
 */
export async function problemWith(context: Context, path: string): Promise<string | undefined> {
  const task = context.progress.start(`checking ${path}`, { unit: "bytes", ...(await totalOf(context, path)) });
  let read = 0;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of context.files.stream(path)) {
      context.signal.throwIfAborted();
      read += chunk.length;
      task.update(read);
      yield chunk;
    }
  }
  try {
    return await problemIn(watched());
  } finally {
    task.stop();
  }
}

async function totalOf(context: Context, path: string): Promise<{ total?: number }> {
  const facts = await context.files.facts(path);
  return facts === undefined ? {} : { total: facts.size };
}

async function problemIn(chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const { Parser } = await import("tar/parse");
  const problems: string[] = [];
  const parser = new Parser({
    onwarn: (_code, message) => problems.push(String(message)),
    onReadEntry: (entry) => entry.resume(),
  });
  try {
    await pipeline(chunks, createGunzip(), async (plain: AsyncIterable<Buffer>) => {
      for await (const chunk of plain) parser.write(chunk);
    });
    parser.end();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("Z_")) throw error;
    return `it is not complete, valid gzip (${message})`;
  }
  return problems.length === 0 ? undefined : `its content is not a tar (${problems[0]})`;
}

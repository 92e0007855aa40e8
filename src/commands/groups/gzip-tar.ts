import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { inflated, isInflated } from "../../api/transport/inflation.ts";
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
      read += chunk.length;
      task.update(read);
      yield chunk;
    }
  }
  try {
    return await problemIn(context, watched());
  } finally {
    task.stop();
  }
}

async function totalOf(context: Context, path: string): Promise<{ total?: number }> {
  const facts = await context.files.facts(path);
  return facts === undefined ? {} : { total: facts.size };
}

async function problemIn({ signal }: Context, chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const { Parser } = await import("tar/parse");
  const problems: string[] = [];
  const parser = new Parser({
    onwarn: (_code, message) => problems.push(String(message)),
    onReadEntry: (entry) => entry.resume(),
  });
  // It would keep whatever follows the end of the archive, and copy it again for every chunk.
  let isEnded = false;
  parser.on("eof", () => {
    isEnded = true;
  });
  const gunzip = createGunzip();
  let unpacked = 0;
  let beginning = Buffer.alloc(0);
  try {
    await pipeline(chunks, gunzip, async (plain: AsyncIterable<Buffer>) => {
      for await (const chunk of plain) {
        signal.throwIfAborted();
        unpacked += chunk.length;
        if (isInflated(unpacked, gunzip.bytesWritten)) throw new Bad(inflated);
        // The parser would unpack it once more, in one go. The first chunk may be a single byte.
        if (beginning.length < longestMark) beginning = Buffer.concat([beginning, chunk.subarray(0, longestMark)]);
        if (packed.some((mark) => mark.equals(beginning.subarray(0, mark.length)))) {
          throw new Bad("its content is not a tar, but compressed once more");
        }
        if (!isEnded) parser.write(chunk);
      }
    });
    parser.end();
  } catch (error) {
    if (error instanceof Bad) return error.message;
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("Z_")) throw error;
    return `it is not complete, valid gzip (${message})`;
  }
  return problems.length === 0 ? undefined : `its content is not a tar (${problems[0]})`;
}

/** How gzip and Zstandard begin. */
const packed = [Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])];
const longestMark = 4;

/** A problem of the content. */
class Bad extends Error {}

import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, gzipSync } from "node:zlib";
import { Header } from "tar/header";
import { Parser } from "tar/parse";

export interface TarFile {
  readonly path: string;
  readonly content: string;
}

const BLOCK = 512;

/** A gzip tar of text files, all with the same time. */
export function packTar(files: readonly TarFile[], mtime: Date): Buffer {
  const blocks: Buffer[] = [];
  for (const { path, content } of files) {
    const bytes = Buffer.from(content);
    const header = new Header({ path, mode: 0o644, uid: 0, gid: 0, size: bytes.length, mtime, type: "File" });
    header.encode();
    const rest = (BLOCK - (bytes.length % BLOCK)) % BLOCK;
    blocks.push(header.block ?? Buffer.alloc(BLOCK), bytes, Buffer.alloc(rest));
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

/**
 * Reads the files with wanted paths as text and skips the others. Undefined if the stream is not a gzip tar, is
 * truncated, or contains more than `limit` bytes of text.
 */
export async function unpackTar(
  stream: Readable,
  wanted: (path: string) => boolean,
  limit: number,
): Promise<Map<string, string> | undefined> {
  const chunks = new Map<string, Buffer[]>();
  let size = 0;
  let broken = false;
  const parser = new Parser({
    onwarn: () => {
      broken = true;
    },
    onReadEntry: (entry) => {
      const path = entry.path.replace(/^\.\//, "");
      if (entry.type !== "File" || !wanted(path)) {
        entry.resume();
        return;
      }
      const own: Buffer[] = [];
      chunks.set(path, own);
      entry.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= limit) own.push(chunk);
      });
    },
  });
  // The parser would keep whatever follows the end, and copy it again for every chunk.
  let isEnded = false;
  parser.on("eof", () => {
    isEnded = true;
  });
  try {
    await pipeline(stream, createGunzip(), async (plain: AsyncIterable<Buffer>) => {
      for await (const chunk of plain) if (!isEnded) parser.write(chunk);
    });
    parser.end();
  } catch {
    return undefined;
  }
  if (broken || size > limit) return undefined;
  return new Map([...chunks].map(([path, parts]) => [path, Buffer.concat(parts).toString("utf8")]));
}

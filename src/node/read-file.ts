import {
  closeSync,
  constants,
  read as descriptorRead,
  promises as fs,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { promisify } from "node:util";
import { isSpecial } from "../base/special-file.ts";

const { O_NONBLOCK = 0, O_RDONLY } = constants;
const chunkBytes = 1024 * 1024;
const smallBytes = 64 * 1024;

/** What is read completely, in memory: a device such as /dev/zero never ends. */
export const wholeBytes = 256 * 1024 * 1024;

/**
 * A file's bytes. A named pipe is refused, through the descriptor that is then read: opening one may block, and neither
 * Ctrl-C nor `timeout` would end that. Every command reads its profiles: for a small or missing file, the thread pool
 * would cost more than the read.
 */
export async function readWhole(path: string, limit: number): Promise<Uint8Array> {
  if (isSpecial(path)) return bounded(streamFile(path), limit);
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    return await readOpen(descriptor, limit);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A file's bytes, and the path that it has with every link resolved: that of the file that was read, whatever the path
 * names before and after.
 */
export async function readReal(path: string): Promise<{ path: string; bytes: Uint8Array }> {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const real = realpathSync.native(path);
    const [opened, named] = [fstatSync(descriptor, { bigint: true }), lstatSync(real, { bigint: true })];
    if (opened.dev !== named.dev || opened.ino !== named.ino) {
      throw Object.assign(new Error("it was replaced while it was read"), { code: "EBUSY" });
    }
    return { path: real, bytes: await readOpen(descriptor, wholeBytes) };
  } finally {
    closeSync(descriptor);
  }
}

async function readOpen(descriptor: number, limit: number): Promise<Uint8Array> {
  const facts = fstatSync(descriptor);
  if (facts.isFIFO()) throw Object.assign(new Error("it is a named pipe"), { code: "EINVAL" });
  // A read that may block must not prevent Ctrl-C.
  return facts.isFile() && facts.size <= smallBytes ? readFileSync(descriptor) : bounded(chunksOf(descriptor), limit);
}

const readSome = promisify(descriptorRead);

async function* chunksOf(descriptor: number): AsyncGenerator<Uint8Array> {
  while (true) {
    const { bytesRead, buffer } = await readSome(descriptor, Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function bounded(source: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) {
      throw tooLarge(limit);
    }
  }
  return Buffer.concat(chunks);
}

export function tooLarge(limit: number): Error {
  return Object.assign(new Error(`it is larger than ${limit / 1024 ** 2} MiB`), { code: "EFBIG" });
}

export async function* streamFile(path: string, start = 0): AsyncGenerator<Uint8Array> {
  const handle = await fs.open(path, "r");
  try {
    // Without a position, pipes and devices can be read too.
    let position = start === 0 ? null : start;
    while (true) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      if (position !== null) position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

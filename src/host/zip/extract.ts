import { createWriteStream } from "node:fs";
import * as fs from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import type { ZipFile } from "yauzl";
import { Failure } from "../../errors.ts";
import type { Extracted, Extraction } from "../../host.ts";
import { openZip, type Packed, unsafe } from "./directory.ts";
import { moveInto } from "./place.ts";

/** As long as a link's target may be, in bytes. */
const longestLink = 4096;

/**
 * Unpacks a zip archive into a folder, which is made if need be: first into one beside it (or inside, where it is
 * there already), and from there in one go. Whatever goes wrong, the folder is as it was.
 */
export async function extractZip(archive: string, folder: string, how: Extraction): Promise<Extracted> {
  const { zip, entries } = await openZip(archive);
  const there = await fs.stat(folder).then(
    () => true,
    () => false,
  );
  const name = `.forgectl-${crypto.randomUUID().slice(0, 8)}.tmp`;
  const temporary = there ? join(folder, name) : join(dirname(folder), name);
  try {
    await fs.mkdir(temporary);
    await refuseTooLarge(entries, temporary);
    await unpack(zip, entries, temporary, how);
    if (there) await moveInto(temporary, folder);
    else await fs.rename(temporary, folder);
  } catch (error) {
    throw worded(error, folder);
  } finally {
    zip.close();
    await fs.rm(temporary, { recursive: true, force: true });
  }
  return { folder, files: entries.filter(({ kind }) => kind !== "folder").length, size: sizeOf(entries) };
}

function sizeOf(entries: readonly Packed[]): number {
  return entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
}

async function refuseTooLarge(entries: readonly Packed[], folder: string): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder);
  const size = sizeOf(entries);
  if (size > bavail * bsize) {
    throw new Failure("integrity", "the archive was not extracted: there is not enough room", {
      code: "write_failed",
      reason: `${size} bytes are needed in ${dirname(folder)}, ${bavail * bsize} are free`,
    });
  }
}

/** Links come last, so that nothing is written through them. */
async function unpack(zip: ZipFile, entries: readonly Packed[], folder: string, how: Extraction): Promise<void> {
  let done = 0;
  const came = (bytes: number) => {
    done += bytes;
    how.onProgress?.(done, sizeTotal);
  };
  const sizeTotal = sizeOf(entries);
  for (const packed of entries) {
    how.signal.throwIfAborted();
    const target = join(folder, ...packed.path.split("/"));
    if (packed.kind === "folder") await fs.mkdir(target, { recursive: true });
    else await fs.mkdir(dirname(target), { recursive: true });
    if (packed.kind === "file") await unpackFile(zip, packed, target, { ...how, came });
  }
  for (const packed of entries.filter(({ kind }) => kind === "link")) {
    await fs.symlink(await linkTarget(zip, packed), join(folder, ...packed.path.split("/")));
  }
}

type Coming = Extraction & { came(bytes: number): void };

async function unpackFile(zip: ZipFile, packed: Packed, target: string, how: Coming): Promise<void> {
  const { entry, path } = packed;
  let sum = 0;
  const source = await zip.openReadStreamPromise(entry);
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sum = crc32(chunk, sum);
      how.came(chunk.length);
      yield chunk;
    }
  }
  // Not there yet: a name that is another's on this file system (case, Unicode) is refused and not written over.
  const file = createWriteStream(target, { flags: "wx", mode: packed.executable ? 0o777 : 0o666 });
  await pipeline(source, counted, file, { signal: how.signal });
  if (sum !== entry.crc32) throw unsafe(`"${path}" is damaged: its checksum is wrong`);
  const modified = entry.getLastModDate();
  await fs.utimes(target, modified, modified);
}

async function linkTarget(zip: ZipFile, { path, entry }: Packed): Promise<string> {
  if (entry.uncompressedSize > longestLink) throw unsafe(`the link "${path}" is too long`);
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const target = Buffer.concat(chunks).toString("utf8");
  if (!staysInside(path, target)) throw unsafe(`the link "${path}" points outside of the folder`);
  return target;
}

/**
 * Whether a link stays in the folder, also by way of other links: a `..` after a name would climb from wherever that
 * name leads, so it is only taken at the beginning.
 */
export function staysInside(path: string, target: string): boolean {
  if (target === "" || /^[/\\]|^[a-z]:|[\0\\]/i.test(target)) return false;
  const segments = target.split("/");
  const firstName = segments.findIndex((segment) => segment !== "." && segment !== "..");
  if (firstName >= 0 && segments.slice(firstName).includes("..")) return false;
  const led = posix.normalize(posix.join(posix.dirname(path), target));
  return led !== ".." && !led.startsWith("../");
}

function worded(error: unknown, folder: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (error.name === "AbortError") return new Failure("interrupted", "interrupted", { cause: error });
  if (code === "EEXIST") {
    const name = basename((error as NodeJS.ErrnoException).path ?? "");
    return unsafe(`two of its names are the same on this file system ("${name}")`, error);
  }
  // Of zlib, or of the reader: a size or an offset that is not as the directory says.
  if (syscall === undefined) return unsafe(error.message, error);
  return new Failure("integrity", `nothing was extracted to ${folder}`, {
    code: "write_failed",
    reason: error.message,
    cause: error,
  });
}

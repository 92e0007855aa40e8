import { closeSync, createWriteStream, futimesSync, openSync, writeFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { basename, dirname, join, posix, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { crc32, inflateRawSync } from "node:zlib";
import { Failure } from "../../base/errors.ts";
import type { Extracted, Extraction } from "../../host.ts";
import { type HeldFolder, holdOwnFolder } from "../held-folder.ts";
import { type OpenZip, openZip, type Packed, unsafe } from "./directory.ts";
import { movesIn } from "./moves.ts";
import { moveInto } from "./place.ts";

/** Maximum length of a link's target, in bytes. */
const maxLinkBytes = 4096;

/**
 * Unpacks a zip archive into a folder, which is created if missing: first into the workspace, on the same disk, and
 * from there by renames. If anything fails, the folder is unchanged.
 *
 * What is unpacked has the paths that it will have below the workspace's own folder: the next run undoes the moves of a
 * killed one there, and does not know into which of its folders they were.
 */
export async function extractZip(archive: string, folder: string, how: Extraction): Promise<Extracted> {
  const open = await openZip(archive);
  const { zip, entries } = open;
  let own: HeldFolder | undefined;
  try {
    own = holdWorkspace(how.workspace);
    const home = dirname(how.workspace);
    const moves = movesIn(own.path, home);
    const unpacked = join(moves.from, relative(home, folder));
    await fs.mkdir(unpacked, { recursive: true });
    await refuseTooLarge(entries, unpacked, home);
    await unpack(open, unpacked, how);
    const there = await fs.stat(folder).then(
      () => true,
      () => false,
    );
    if (there) await moveInto(moves, how.signal);
    else await fs.rename(unpacked, folder);
  } catch (error) {
    throw withFolder(error, folder, (text) => text.replaceAll(own?.path ?? how.workspace, how.workspace));
  } finally {
    own?.close();
    zip.close();
  }
  return { folder, files: entries.filter(({ kind }) => kind !== "folder").length, size: sizeOf(entries) };
}

function holdWorkspace(workspace: string): HeldFolder {
  const own = holdOwnFolder(workspace);
  if (own !== undefined) return own;
  throw new Failure("conflict", `nothing was extracted: ${workspace} was replaced meanwhile`, {
    code: "changed_meanwhile",
    hint: "extract to a folder that no one else changes",
  });
}

function sizeOf(entries: readonly Packed[]): number {
  return entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
}

async function refuseTooLarge(entries: readonly Packed[], folder: string, shown: string): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder);
  const size = sizeOf(entries);
  if (size > bavail * bsize) {
    throw new Failure("integrity", "the archive was not extracted: not enough disk space", {
      code: "write_failed",
      reason: `${size} bytes are needed in ${shown}, ${bavail * bsize} are free`,
    });
  }
}

/** Small files written between checks for signals and progress updates. */
const smallAtOnce = 64;

/**
 * Extracts files in the order of the archive, in one pass. Links come last, so that nothing is written through them.
 */
async function unpack(open: OpenZip, folder: string, how: Extraction): Promise<void> {
  const { zip, entries } = open;
  let done = 0;
  const onUnpacked = (bytes: number) => {
    done += bytes;
    how.onProgress?.(done, sizeTotal);
  };
  const sizeTotal = sizeOf(entries);
  const place = ({ path }: Packed) => join(folder, ...path.split("/"));
  const folders = new Set(entries.map((packed) => (packed.kind === "folder" ? place(packed) : dirname(place(packed)))));
  for (const each of folders) {
    how.signal.throwIfAborted();
    await fs.mkdir(each, { recursive: true });
  }
  const files = entries.filter(({ kind }) => kind === "file").sort(byPosition);
  for (const [index, packed] of files.entries()) {
    if (index % smallAtOnce === 0) await setImmediate();
    how.signal.throwIfAborted();
    if (isSmall(packed)) await unpackSmall(open, packed, place(packed), onUnpacked);
    else await unpackFile(zip, packed, place(packed), { ...how, onUnpacked });
  }
  for (const packed of entries.filter(({ kind }) => kind === "link")) {
    await fs.symlink(await linkTarget(zip, packed), place(packed));
  }
}

function byPosition(a: Packed, b: Packed): number {
  return a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader;
}

type Unpacking = Extraction & { onUnpacked(bytes: number): void };

async function unpackFile(zip: OpenZip["zip"], packed: Packed, target: string, how: Unpacking): Promise<void> {
  const { entry, path } = packed;
  let sum = 0;
  const source = await zip.openReadStreamPromise(entry);
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sum = crc32(chunk, sum);
      how.onUnpacked(chunk.length);
      yield chunk;
    }
  }
  const file = createWriteStream(target, { flags: newFile, mode: modeOf(packed) });
  await pipeline(source, counted, file, { signal: how.signal });
  if (sum !== entry.crc32) throw damaged(path);
  const modified = entry.getLastModDate();
  await fs.utimes(target, modified, modified);
}

/** Exclusive: names that collide on this file system (case, Unicode) are refused, not overwritten. */
const newFile = "wx";

function modeOf({ executable }: Packed): number {
  return executable ? 0o777 : 0o666;
}

function damaged(path: string): Failure {
  return unsafe(`"${path}" is damaged: its checksum is wrong`);
}

const smallBytes = 256 * 1024;
const stored = 0;
const deflated = 8;

function isSmall({ entry }: Packed): boolean {
  const { compressedSize, uncompressedSize, compressionMethod: method } = entry;
  return compressedSize <= smallBytes && uncompressedSize <= smallBytes && (method === stored || method === deflated);
}

/** Synchronous: for tens of thousands of small files, streams and the thread pool would dominate the time. */
async function unpackSmall(
  open: OpenZip,
  packed: Packed,
  target: string,
  onUnpacked: Unpacking["onUnpacked"],
): Promise<void> {
  const { entry, path } = packed;
  const { fileDataStart } = await open.zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const bytes = await open.reader.bytes(fileDataStart, entry.compressedSize);
  // The reader has verified the length of stored entries.
  const content = entry.compressionMethod === stored ? bytes : inflate(bytes, entry.uncompressedSize);
  if (crc32(content) !== entry.crc32) throw damaged(path);
  const file = openSync(target, newFile, modeOf(packed));
  try {
    writeFileSync(file, content);
    const modified = entry.getLastModDate();
    futimesSync(file, modified, modified);
  } finally {
    closeSync(file);
  }
  onUnpacked(content.length);
}

function inflate(packed: Buffer, size: number): Buffer {
  try {
    const content = inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
    if (content.length === size) return content;
    throw unsafe(`an entry unpacks to ${content.length} bytes instead of ${size}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw unsafe(`an entry unpacks to more than ${size} bytes`, error);
  }
}

async function linkTarget(zip: OpenZip["zip"], { path, entry }: Packed): Promise<string> {
  if (entry.uncompressedSize > maxLinkBytes) throw unsafe(`the link "${path}" is too long`);
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const target = Buffer.concat(chunks).toString("utf8");
  if (!staysInside(path, target)) throw unsafe(`the link "${path}" points outside of the folder`);
  return target;
}

/**
 * Whether a link stays in the folder, even through other links: a `..` after a name would be relative to wherever that
 * name leads, so it is allowed only at the beginning.
 */
export function staysInside(path: string, target: string): boolean {
  if (target === "" || /^[/\\]|^[a-z]:|[\0\\]/i.test(target)) return false;
  const segments = target.split("/");
  const firstName = segments.findIndex((segment) => segment !== "." && segment !== "..");
  if (firstName >= 0 && segments.slice(firstName).includes("..")) return false;
  const led = posix.normalize(posix.join(posix.dirname(path), target));
  return led !== ".." && !led.startsWith("../");
}

function withFolder(error: unknown, folder: string, named: (text: string) => string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (error.name === "AbortError") return new Failure("interrupted", "interrupted", { cause: error });
  if (code === "EEXIST") {
    const name = basename((error as NodeJS.ErrnoException).path ?? "");
    return unsafe(`two of its names are the same on this file system ("${name}")`, error);
  }
  // An error of zlib or of the reader: a size or an offset contradicts the directory.
  if (syscall === undefined) return unsafe(error.message, error);
  return new Failure("integrity", `nothing was extracted to ${folder}`, {
    code: "write_failed",
    reason: named(error.message),
    cause: error,
  });
}

import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from "yauzl";
import { Failure } from "../../base/errors.ts";
import { groupDigits } from "../../base/wording.ts";
import type { RandomAccess } from "../../host.ts";
import { ZipReader } from "./reader.ts";

/** An entry of an archive's directory that passed the safety checks. */
export interface Packed {
  /** Separated by slashes, without leading or trailing ones. */
  path: string;
  kind: "file" | "folder" | "link";
  executable: boolean;
  entry: Entry;
}

const typeMask = 0o170000;
// Not an object, since the bundler mishandles octal keys.
const kinds = new Map<number, Packed["kind"]>([
  [0o100000, "file"],
  [0o040000, "folder"],
  [0o120000, "link"],
]);

/** An archive that is broken or would do harm (exit 12). */
export function unsafe(problem: string, cause?: unknown): Failure {
  return new Failure("integrity", `the archive cannot be used: ${problem}`, {
    code: "bad_archive",
    ...(cause !== undefined && { cause }),
  });
}

export interface OpenZip {
  zip: ZipFile;
  /** The same archive, for entries small enough to be read at once. */
  reader: ZipReader;
  entries: Packed[];
}

/** Opens a zip archive and reads its directory; the caller closes it. One unsafe entry refuses the whole archive. */
export async function openZip(path: string): Promise<OpenZip> {
  const { reader, size } = await ZipReader.open(path);
  const options = { autoClose: false, decodeStrings: false };
  const zip = await fromRandomAccessReaderPromise(reader, size, options).catch((error: Error) => {
    reader.close(() => undefined);
    throw fromSystem(error) ? error : unsafe(`it is not a complete zip archive (${error.message})`, error);
  });
  try {
    if (zip.entryCount > maxPlaces) throw tooMany();
    const entries: Packed[] = [];
    for await (const entry of zip.eachEntry()) {
      const packed = read(entry);
      if (packed !== undefined) entries.push(packed);
    }
    await refuseUncounted(zip, (position, length) => reader.bytes(position, length));
    refuseRepeated(entries);
    refuseOverlaps(entries);
    return { zip, reader, entries };
  } catch (error) {
    zip.close();
    throw error instanceof Failure || fromSystem(error) ? error : unsafe((error as Error).message, error);
  }
}

/**
 * Refuses a directory that has more entries than the archive says: the number has 16 bits, and a program without Zip64
 * writes 4,464 for 70,000 files. The others would silently be left out.
 *
 * @param zip whose entries have all been read
 */
export async function refuseUncounted(zip: ZipFile, read: RandomAccess["read"]): Promise<void> {
  // The package's types take it for a boolean.
  const next = await read(Number(zip.readEntryCursor), 4);
  if (Buffer.from(next).toString("latin1") !== "PK\x01\x02") return;
  throw unsafe("its directory has more entries than the archive says");
}

function fromSystem(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** Undefined for the archive's own top folder (`./`). */
function read(entry: Entry): Packed | undefined {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  const path = safePath(name);
  // The upper half of the attributes is a Unix mode only where a Unix program wrote the archive.
  const mode = entry.versionMadeBy >> 8 === 3 ? entry.externalFileAttributes >>> 16 : 0;
  const type = mode & typeMask;
  const kind = name.endsWith("/") ? "folder" : type === 0 ? "file" : kinds.get(type);
  if (kind === undefined) throw unsafe(`"${name}" is neither file, folder, nor link`);
  if (path === "") return undefined;
  if (entry.isEncrypted()) throw unsafe(`"${name}" is encrypted`);
  return { path, kind, executable: (mode & 0o111) !== 0, entry };
}

/** Names that Windows maps to another file or to a device. */
const invalidOnWindows = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Names of unfinished downloads and extractions, which a later run resumes or removes. */
const ownNames = /^\.forgectl-/i;

/** No system supports longer paths. */
const maxPathBytes = 4096;

function safePath(name: string): string {
  if (Buffer.byteLength(name) > maxPathBytes) {
    throw unsafe(`"${name.slice(0, 60)}..." is a name of more than ${maxPathBytes} bytes`);
  }
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  const climbs = name.startsWith("/") || segments.includes("..") || /^[a-z]:/i.test(name);
  if (climbs) throw unsafe(`"${name}" would leave the folder`);
  if (segments.some((segment) => ownNames.test(segment)))
    throw unsafe(`"${name}" is reserved for forgectl's temporary files`);
  if (name.includes("\0")) throw unsafe(`"${name.replaceAll("\0", "\\0")}" is not a valid file name`);
  if (process.platform === "win32" && segments.some((segment) => invalidOnWindows.test(segment))) {
    throw unsafe(`"${name}" is not a valid file name on Windows`);
  }
  return segments.join("/");
}

/** Files and folders of an archive: more would take memory and time that no artifact is worth. */
const maxPlaces = 1_000_000;
/** A few kilobytes name thousands of folders one inside the other. */
const maxDepth = 256;
/**
 * A megabyte of long names is a quarter of a million folders, and minutes of work. An archive may have this number of
 * files and folders in any case, and more in proportion to its names: few of them make two new folders above.
 */
const freePlaces = 10_000;
const placesPerName = 3;

/**
 * Refuses repeated names, except folders, entries below a file or a link, and too many folders. In order of their
 * names, what is below a file follows it: a tree of the names would take a hundred times their memory.
 */
function refuseRepeated(entries: readonly Packed[]): void {
  const ordered = entries.map((packed) => ({ packed, order: packed.path.replaceAll("/", "\0") })).sort(byOrder);
  const allowed = Math.min(maxPlaces, freePlaces + placesPerName * entries.length);
  let places = 0;
  let last: { path: string; kind: Packed["kind"]; segments: readonly string[] } = {
    path: "",
    kind: "folder",
    segments: [],
  };
  for (const { packed } of ordered) {
    const { path, kind } = packed;
    if (path === last.path && (kind !== "folder" || last.kind !== "folder")) {
      throw unsafe(`it holds "${path}" more than once`);
    }
    if (last.kind !== "folder" && path.startsWith(`${last.path}/`)) {
      throw unsafe(`"${path}" would go through the ${last.kind} "${last.path}"`);
    }
    const segments = path.split("/");
    if (segments.length > maxDepth) throw unsafe(`"${path.slice(0, 60)}..." is more than ${maxDepth} levels deep`);
    const known = segments.findIndex((segment, index) => segment !== last.segments[index]);
    if (known >= 0) places += segments.length - known;
    if (places > allowed) {
      throw unsafe(`its ${groupDigits(entries.length)} names make more than ${groupDigits(allowed)} files and folders`);
    }
    last = { path, kind, segments };
  }
}

function byOrder({ order: a }: { order: string }, { order: b }: { order: string }): number {
  return a < b ? -1 : Number(a > b);
}

function tooMany(): Failure {
  return unsafe(`it holds more than ${groupDigits(maxPlaces)} files and folders`);
}

const localHeaderBytes = 30;

/** Refuses entries that share compressed bytes: with them a few kilobytes unpack to terabytes (zip bomb). */
function refuseOverlaps(entries: readonly Packed[]): void {
  const ordered = entries.map(({ entry }) => entry).sort(byOffset);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, fileNameLength, compressedSize } of ordered) {
    if (start < end) throw unsafe("its entries overlap");
    end = start + localHeaderBytes + fileNameLength + compressedSize;
  }
}

function byOffset(a: Entry, b: Entry): number {
  return a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader;
}

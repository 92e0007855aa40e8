import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from "yauzl";
import { Failure } from "../../base/errors.ts";
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
    const entries: Packed[] = [];
    for await (const entry of zip.eachEntry()) {
      const packed = read(entry);
      if (packed !== undefined) entries.push(packed);
    }
    refuseRepeated(entries);
    refuseOverlaps(entries);
    return { zip, reader, entries };
  } catch (error) {
    zip.close();
    throw error instanceof Failure || fromSystem(error) ? error : unsafe((error as Error).message, error);
  }
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

interface Place {
  kind?: Packed["kind"];
  /** Undefined for files. */
  below?: Map<string, Place>;
}

/** Refuses repeated names, except folders, and entries below a file or a link. Linear in the length of all names. */
function refuseRepeated(entries: readonly Packed[]): void {
  const top: Place = {};
  for (const { path, kind } of entries) {
    let place = top;
    for (const segment of path.split("/")) place = placeIn(place, segment);
    if (place.kind !== undefined && !(place.kind === "folder" && kind === "folder")) {
      throw unsafe(`it holds "${path}" more than once`);
    }
    place.kind = kind;
  }
  for (const { path } of entries) {
    let place = top;
    for (const segment of path.split("/")) {
      if (place.kind === "file" || place.kind === "link") {
        throw unsafe(`"${path}" would go through the ${place.kind} "${pathTo(entries, path, place.kind)}"`);
      }
      place = placeIn(place, segment);
    }
  }
}

function placeIn(above: Place, segment: string): Place {
  above.below ??= new Map();
  const known = above.below.get(segment);
  if (known !== undefined) return known;
  const place: Place = {};
  above.below.set(segment, place);
  return place;
}

/** The entry of that kind that a path goes through. */
function pathTo(entries: readonly Packed[], path: string, kind: Packed["kind"]): string {
  return entries.find((each) => each.kind === kind && path.startsWith(`${each.path}/`))?.path ?? path;
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

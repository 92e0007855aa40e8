import { createHash } from "node:crypto";
import { appendFileSync, createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";

/** Metadata of binary content. */
export interface Blob {
  readonly id: string;
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A file received from a client, in the temporary folder. */
export interface SpooledFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

type Place = Blob & ({ readonly bytes: Buffer } | { readonly path: string });

/**
 * Binary contents: repository files, archives, uploads. Generated content is kept in memory; uploads are kept in a
 * temporary folder, so that large ones take no memory.
 */
export class Blobs {
  readonly #places = new Map<string, Place>();
  readonly #changed: () => void;
  #nextNumber = 1;
  #folder: string | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Stores bytes, or text as UTF-8. */
  put(content: Buffer | string): Blob {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return this.#add({ id: this.#newId(), size: bytes.length, sha256, bytes });
  }

  /** Moves a received file into the store, so that it is not removed at the end of its request. */
  async adopt(file: SpooledFile): Promise<Blob> {
    const id = this.#newId();
    const path = join(this.folder(), id);
    await rename(file.path, path);
    return this.#add({ id, size: file.size, sha256: file.sha256, path });
  }

  get(id: string): Blob | undefined {
    const place = this.#places.get(id);
    return place && { id: place.id, size: place.size, sha256: place.sha256 };
  }

  /** The complete content in memory; use {@link open} for large contents. */
  async read(id: string): Promise<Buffer> {
    const place = this.#place(id);
    return "bytes" in place ? place.bytes : readFile(place.path);
  }

  /** A stream of the content, or of its bytes from `start` to `end`, inclusive. */
  open(id: string, range?: { readonly start: number; readonly end: number }): Readable {
    const place = this.#place(id);
    if ("path" in place) return createReadStream(place.path, { ...range, highWaterMark: DISK_CHUNK });
    return Readable.from(chunks(range ? place.bytes.subarray(range.start, range.end + 1) : place.bytes));
  }

  delete(id: string): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    this.#places.delete(id);
    if ("path" in place) rmSync(place.path, { force: true });
    this.#changed();
    return true;
  }

  all(): Blob[] {
    return [...this.#places.keys()].flatMap((id) => this.get(id) ?? []);
  }

  /** Restores a part of a content from the data file under its id; parts arrive in order. */
  restore(blob: Blob, part: Buffer): void {
    this.#nextNumber = Math.max(this.#nextNumber, Number(blob.id.slice(1)) + 1);
    if (part.length === blob.size) {
      this.#places.set(blob.id, { ...blob, bytes: part });
      return;
    }
    const path = join(this.folder(), blob.id);
    appendFileSync(path, part);
    this.#places.set(blob.id, { ...blob, path });
  }

  /** Whether no part of a restored content is missing. */
  areWhole(): boolean {
    return [...this.#places.values()].every(
      (place) => ("bytes" in place ? place.bytes.length : statSync(place.path).size) === place.size,
    );
  }

  /** The temporary folder of this sandbox, created on first use. */
  folder(): string {
    if (this.#folder === undefined) this.#folder = mkdtempSync(join(tmpdir(), "forgectl-sandbox-"));
    else mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return this.#folder;
  }

  /** Removes the temporary folder. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  #add(place: Place): Blob {
    this.#places.set(place.id, place);
    this.#changed();
    return { id: place.id, size: place.size, sha256: place.sha256 };
  }

  #newId(): string {
    const id = `b${this.#nextNumber}`;
    this.#nextNumber += 1;
    return id;
  }

  #place(id: string): Place {
    const place = this.#places.get(id);
    if (place === undefined) throw new RangeError(`no blob ${id}`);
    return place;
  }
}

const CHUNK = 65_536;
/** Larger reads make downloads faster than the default of 64 KiB. */
const DISK_CHUNK = 262_144;

function* chunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

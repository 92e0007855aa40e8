import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { initialOf, type Store } from "./store.ts";
import { isLike, type Line, readLine } from "./stored-line.ts";

const FORMAT = "forgectl-sandbox";
const VERSION = 1;
/** How long to collect changes before saving, in milliseconds. */
const GATHER_MS = 200;

/** The data file is corrupt, from a newer version, unreadable, or not writable. It is not changed. */
export class SandboxDataError extends Error {
  override readonly name = "SandboxDataError";
}

/**
 * The state of a sandbox in a file: JSON, with one table, value, or part of a binary content (base64) per line, so that
 * no large content need be in memory. It is replaced atomically by a rename, so a killed process leaves the last saved
 * state. Two sandboxes on one file overwrite each other's changes: the last save wins.
 */
export class DataFile {
  readonly #path: string;
  readonly #store: Store;
  readonly #log: (line: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** Whether there are changes that no save has started to write. */
  #changed = false;
  /** The file without links, as it was at the start: where others may write too, a link may have its name by then. */
  #target: string | undefined;

  constructor(path: string, store: Store, log: (line: string) => void) {
    this.#path = path;
    this.#store = store;
    this.#log = log;
  }

  /** Reads the file into the store. Returns false if the file does not exist. */
  async load(): Promise<boolean> {
    const path = await this.#resolved();
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
    let count = 0;
    let ended = false;
    try {
      for await (const text of lines) {
        if (ended) throw new SandboxDataError(`${this.#path} continues after its end`);
        ended = this.#take(readLine(text), count);
        count += 1;
      }
    } catch (error) {
      if (error instanceof SandboxDataError) throw error;
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw this.#unusable(error);
    }
    if (!ended || !this.#store.blobs.areWhole()) throw this.#unusable();
    return true;
  }

  /** Saves soon, including changes made until then. */
  schedule(): void {
    this.#changed = true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.save().catch((error: unknown) => this.#log(`the data file could not be saved: ${String(error)}`));
    }, GATHER_MS);
  }

  /** Waits for a save in progress, and saves later changes. */
  async finish(): Promise<void> {
    // First, or the timer's save could start while this waits for the previous one, and would not be awaited.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#saving;
    if (this.#changed) await this.save();
  }

  /** Saves now, after a save in progress. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const saved = this.#saving.then(() => {
      this.#changed = false;
      return this.#write();
    });
    this.#saving = saved.catch(() => {});
    return saved;
  }

  /** Restores one line; returns true for the last one. */
  #take(line: Line | undefined, at: number): boolean {
    if (line === undefined) throw this.#unusable();
    if (at === 0) {
      if (!("format" in line) || line.format !== FORMAT) throw this.#unusable();
      if (line.version > VERSION) {
        throw new SandboxDataError(
          `${this.#path} was written by a newer version (format ${line.version}, this one reads ${VERSION})`,
        );
      }
    } else if ("table" in line) {
      this.#store.table({ name: line.table }).restore(line.next_id, line.rows);
    } else if ("value" in line) {
      const initial = initialOf(line.value);
      if (initial !== undefined && !isLike(line.data, initial)) throw this.#unusable();
      this.#store.set({ name: line.value, initial: () => line.data }, line.data);
    } else if ("blob" in line) {
      this.#store.blobs.restore(line.blob, Buffer.from(line.base64, "base64"));
    } else if ("end" in line && line.end === at) {
      return true;
    } else throw this.#unusable();
    return false;
  }

  #unusable(cause?: unknown): SandboxDataError {
    const why = cause instanceof Error ? `cannot be read: ${cause.message}` : "is not a complete sandbox data file";
    return new SandboxDataError(`${this.#path} ${why}; it was not changed`);
  }

  async #write(): Promise<void> {
    try {
      await this.#replace();
    } catch (error) {
      throw new SandboxDataError(`${this.#path} cannot be written: ${(error as Error).message}`);
    }
  }

  async #resolved(): Promise<string> {
    const inFolder = async () => join(await realpath(dirname(this.#path)), basename(this.#path));
    this.#target ??= await realpath(this.#path).catch(() => inFolder().catch(() => this.#path));
    return this.#target;
  }

  async #replace(): Promise<void> {
    const target = await this.#resolved();
    if ((await realpath(dirname(target))) !== dirname(target)) throw new Error("its folder was replaced meanwhile");
    // Always the same name, so that files left by killed processes are replaced and do not accumulate; no one else's.
    const of = createHash("sha256").update(basename(target)).digest("hex").slice(0, 16);
    const temporary = join(dirname(target), `.forgectl-sandbox-${of}.tmp`);
    await rm(temporary, { force: true });
    const file = await open(temporary, "wx", 0o600);
    try {
      await this.#writeLines(file);
      await file.sync();
      await file.close();
      await rename(temporary, target);
    } catch (error) {
      this.#changed = true;
      await file.close().catch(() => {});
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async #writeLines(file: FileHandle): Promise<void> {
    // Rows and values are serialized synchronously, so that a save is consistent; contents never change.
    const lines: Line[] = [{ format: FORMAT, version: VERSION }];
    for (const [name, table] of this.#store.tables()) {
      const { nextId, rows } = table.dump();
      lines.push({ table: name, next_id: nextId, rows });
    }
    for (const [name, data] of this.#store.values()) lines.push({ value: name, data });
    const blobs = this.#store.blobs.all();
    const text = lines.map((line) => `${JSON.stringify(line)}\n`);
    let count = text.length;
    await file.writeFile(text.join(""));
    for (const blob of blobs) {
      if (blob.size === 0) {
        await file.writeFile(`${JSON.stringify({ blob, base64: "" })}\n`);
        count += 1;
      }
      for await (const part of this.#store.blobs.open(blob.id)) {
        await file.writeFile(`${JSON.stringify({ blob, base64: (part as Buffer).toString("base64") })}\n`);
        count += 1;
      }
    }
    await file.writeFile(`${JSON.stringify({ end: count })}\n`);
  }
}

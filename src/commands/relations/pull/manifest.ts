import { createHash } from "node:crypto";
import { join } from "node:path";
import { FileError, UsageError } from "../../../base/errors.ts";
import { isObject } from "../../../base/is-object.ts";
import { readJson } from "../../../base/read-value.ts";
import type { Context } from "../../../context.ts";
import { safeFileName } from "../../../transfer/file-name.ts";
import type { Piece } from "./pieces.ts";

/** The content of a folder, in its `manifest.json`: one export of one project. */
export interface Manifest {
  readonly instance: string;
  readonly project: string;
  /** Statuses that are no newer belong to an earlier export; null if there was none, or any is accepted. */
  readonly after: string | null;
  /** False until the instance has confirmed that it was asked for the export: it may have been asked or not. */
  readonly scheduled: boolean;
  /** Null while the instance is still exporting. */
  readonly pieces: readonly Piece[] | null;
  /**
   * False from the first download until the instance has shown, after the last one, that its export is still this one:
   * what was downloaded may be of a newer export.
   */
  readonly confirmed: boolean;
  /** Pieces of an earlier export in this folder, removed once the new ones are known. */
  readonly earlier: readonly Piece[];
}

export const manifestName = "manifest.json";
const version = 1;

/** The manifest of a folder; undefined if there is none. One that is damaged, or not ours, is a UsageError. */
export async function readManifest({ files }: Context, folder: string, hint: string): Promise<Manifest | undefined> {
  const path = join(folder, manifestName);
  const facts = await files.facts(path);
  if (facts === undefined) return undefined;
  if (facts.kind !== "file") throw new UsageError(`${path} is not a file`);
  const manifest = parsed(await files.read(path));
  if (manifest !== undefined) return manifest;
  throw new UsageError(`${path} is damaged, or not a manifest of relations pull`, { code: "bad_manifest", hint });
}

function parsed(bytes: Uint8Array): Manifest | undefined {
  try {
    const value = readJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    // A manifest without `scheduled` is of a version that stored manifests only once the request was confirmed.
    if (!isManifest(value)) return undefined;
    return { ...value, scheduled: value.scheduled ?? true, confirmed: value.confirmed ?? true };
  } catch {
    return undefined;
  }
}

/** Fields that manifests of earlier versions do not have. */
type Later = "scheduled" | "confirmed";

function isManifest(value: unknown): value is Omit<Manifest, Later> & Partial<Pick<Manifest, Later>> {
  if (!isObject(value)) return false;
  const { manifest, instance, project, after, pieces, earlier, ...later } = value as Record<string, unknown>;
  const { scheduled = true, confirmed = true } = later;
  const areTexts = typeof instance === "string" && typeof project === "string";
  const isHead = manifest === version && areTexts && typeof scheduled === "boolean" && typeof confirmed === "boolean";
  return isHead && isTextOrNull(after) && (pieces === null || arePieces(pieces)) && arePieces(earlier);
}

function arePieces(value: unknown): value is Piece[] {
  return Array.isArray(value) && value.every(isPiece);
}

const statuses: ReadonlySet<unknown> = new Set(["pending", "done", "empty", "failed"]);

function isPiece(value: unknown): value is Piece {
  if (!isObject(value)) return false;
  const { relation, batch, file, exported_at, status, size, sha256, objects, lines, error } = value as unknown as Piece;
  const areTexts = typeof relation === "string" && typeof exported_at === "string";
  return (
    areTexts &&
    statuses.has(status) &&
    [batch, size, objects, lines].every((each) => each === null || Number.isSafeInteger(each)) &&
    [sha256, error].every(isTextOrNull) &&
    (file === null || isOwnName(file)) &&
    (status !== "done" || (size !== null && sha256 !== null))
  );
}

/** A manifest may only name files that a pull creates in the folder. */
export function isOwnName(name: unknown): name is string {
  return typeof name === "string" && /\.(?:ndjson|tar)\.gz$/.test(name) && safeFileName(name) === name;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

/** Writes the manifest, one write at a time: changes during a write are included in the next one. */
export class ManifestWriter {
  readonly #context: Context;
  readonly #path: string;
  #manifest: Manifest;
  #isStored = false;
  #storing: Promise<void> | undefined;

  constructor(context: Context, folder: string, manifest: Manifest) {
    this.#context = context;
    this.#path = join(folder, manifestName);
    this.#manifest = manifest;
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Resolves once a manifest with this change is on the disk. */
  change(more: Partial<Manifest>): Promise<void> {
    this.#manifest = { ...this.#manifest, ...more };
    this.#isStored = false;
    return this.#settle();
  }

  /** Restores an earlier manifest; if there was none, removes the file. */
  async revert(before: Manifest | undefined): Promise<void> {
    if (before === undefined) await this.#context.files.remove(this.#path);
    else await this.change(before);
  }

  async #settle(): Promise<void> {
    while (!this.#isStored) {
      this.#storing ??= this.#store().finally(() => {
        this.#storing = undefined;
      });
      await this.#storing;
    }
  }

  async #store(): Promise<void> {
    this.#isStored = true;
    const text = `${JSON.stringify({ manifest: version, ...this.#manifest }, undefined, 2)}\n`;
    await this.#context.files.write(this.#path, text, { mode: 0o600 });
  }
}

/** Whether the file of a piece is in the folder and matches the manifest; a file that cannot be read does not. */
export async function isIntact(context: Context, folder: string, piece: Piece): Promise<boolean> {
  return (await checkPiece(context, folder, piece)).status === "intact";
}

export interface Checked {
  readonly status: "intact" | "damaged" | "missing";
  /** Why it is not intact. */
  readonly error?: string;
}

/** Compares the file of a piece with its size and SHA-256 in the manifest. */
export async function checkPiece({ files, signal }: Context, folder: string, piece: Piece): Promise<Checked> {
  if (piece.status !== "done" || piece.file === null) return { status: "missing", error: "it was never downloaded" };
  const path = join(folder, piece.file);
  try {
    const facts = await files.facts(path);
    if (facts === undefined) return { status: "missing", error: "there is no such file" };
    if (facts.kind !== "file") return { status: "damaged", error: "it is not a file" };
    if (facts.size !== piece.size) {
      return { status: "damaged", error: `it has ${facts.size} bytes, not ${piece.size}` };
    }
    const hash = createHash("sha256");
    for await (const chunk of files.stream(path)) {
      signal.throwIfAborted();
      hash.update(chunk);
    }
    if (hash.digest("hex") === piece.sha256) return { status: "intact" };
    return { status: "damaged", error: "its SHA-256 differs" };
  } catch (error) {
    if (error instanceof FileError) return { status: "damaged", error: error.message };
    throw error;
  }
}

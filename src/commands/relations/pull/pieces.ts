import { createHash } from "node:crypto";
import { Failure } from "../../../base/errors.ts";
import { type Entry, isOpen } from "../export-end.ts";
import { fileNameOf } from "../file-name.ts";

/** A relation, or a batch of one, as in the manifest. */
export interface Piece {
  readonly relation: string;
  /** Number of the batch, from 1; null for a relation in one file. */
  readonly batch: number | null;
  /** Name in the folder; null if there is nothing to download. */
  readonly file: string | null;
  /** When the instance exported it: distinguishes this export from the next. */
  readonly exported_at: string;
  /** Number of objects in it, if the instance reports it. */
  readonly objects: number | null;
  /** `empty`: a relation without a single batch. `failed`: on the instance. */
  readonly status: "pending" | "done" | "empty" | "failed";
  /** Bytes. */
  readonly size: number | null;
  readonly sha256: string | null;
  readonly lines: number | null;
  /** Why the instance could not export it. */
  readonly error: string | null;
}

const blank = { objects: null, size: null, sha256: null, lines: null, error: null };

/** The pieces of an export, in the order of the instance, each with a unique file name. */
export function piecesOf(entries: readonly Entry[]): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const piece of entries.flatMap(piecesOfRelation)) pieces.set(keyOf(piece), piece);
  return named([...pieces.values()]);
}

/** A key for a relation and batch. */
export function keyOf({ relation, batch }: Pick<Piece, "relation" | "batch">): string {
  return JSON.stringify([relation, batch]);
}

export function isSame(a: Piece, b: Piece): boolean {
  return a.relation === b.relation && a.batch === b.batch;
}

/** For people: "issues", "batch 2 of issues". */
export function labelOf({ relation, batch }: Pick<Piece, "relation" | "batch">): string {
  return batch === null ? relation : `batch ${batch} of ${relation}`;
}

function piecesOfRelation(entry: Entry): Piece[] {
  const { relation, status, error, updated_at: exported_at, batched, batches_count: count } = entry;
  const whole = { relation, batch: null, file: null, exported_at, ...blank };
  if (status !== 1) return [{ ...whole, status: "failed", error: error ?? "failed" }];
  if (!batched) return [{ ...whole, status: "pending" }];
  // Instances keep the batches of an export before for a relation that has become empty.
  if (count === 0) return [{ ...whole, status: "empty" }];
  const batches = entry.batches ?? [];
  // The same number twice is one batch, and another is not named.
  const named = new Set(batches.map(({ batch_number: batch }) => batch)).size;
  if (batches.length !== count || named !== count) {
    return [{ ...whole, status: "failed", error: `the instance names ${named} of ${count} batches` }];
  }
  return batches.map((each) => {
    const { batch_number: batch, objects_count: objects } = each;
    if (!Number.isSafeInteger(batch) || batch < 1) throw unreadable(relation);
    const piece = { ...whole, batch, exported_at: each.updated_at ?? exported_at };
    if (each.status === 1) return { ...piece, objects: objects ?? null, status: "pending" };
    return { ...piece, status: "failed", error: each.error ?? (isOpen(each.status) ? "it is not finished" : "failed") };
  });
}

function unreadable(relation: string): Failure {
  return new Failure("refused", "the statuses of the export could not be read", {
    code: "unexpected_answer",
    reason: `a batch of ${relation} has no number`,
  });
}

/**
 * Names the files. Names come from the server: if two are the same on some file systems, or one is not usable as it is,
 * a suffix derived from the relation is added.
 */
function named(pieces: readonly Piece[]): Piece[] {
  const taken = new Map<string, number>();
  const plain = pieces.map(({ relation, batch }) => fileNameOf(relation, batch));
  for (const name of plain) taken.set(folded(name), (taken.get(folded(name)) ?? 0) + 1);
  return pieces.map((piece, index) => {
    if (piece.status === "failed" || piece.status === "empty") return piece;
    const { relation, batch } = piece;
    const name = plain[index] ?? "";
    // A name with a tilde could be one that another relation gets.
    const isClear = taken.get(folded(name)) === 1 && name.startsWith(relation) && !relation.includes("~");
    return { ...piece, file: isClear ? name : fileNameOf(relation, batch, `~${markOf(relation)}`) };
  });
}

function folded(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function markOf(relation: string): string {
  return createHash("sha256").update(relation).digest("hex").slice(0, 8);
}

import { join } from "node:path";
import { archiveRelations, downloadRelation } from "../../../api/endpoints/relations.ts";
import { Failure, reasonIn } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { sourceOf } from "../../../transfer/body.ts";
import { save } from "../../../transfer/download.ts";
import { asFinished } from "../../../verbs/pool.ts";
import type { Wanted } from "./export.ts";
import { RelationInspector } from "./inspector.ts";
import type { ManifestWriter } from "./manifest.ts";
import { isSame, labelOf, type Piece } from "./pieces.ts";
import { PullProgress } from "./progress.ts";

/** What became of a relation or a batch. */
type Outcome = "fetched" | "kept" | "empty" | "failed" | "interrupted" | "not_begun";

/** Where a piece comes from. */
export function sourceOfPiece(context: Context, project: string, { relation, batch }: Piece) {
  const input = { project, relation, ...(batch !== null && { batched: true, batch_number: batch }) };
  return sourceOf(context, downloadRelation, input);
}

/** Fetches the pieces that are left, side by side, and gives a row for each as it ends; the others' rows come first. */
export async function* fetchPieces(
  context: Context,
  writer: ManifestWriter,
  left: readonly Piece[],
  wanted: Wanted,
): AsyncGenerator<object> {
  const all = writer.manifest.pieces ?? [];
  const tally = new Tally(all.length);
  const settled = all.filter((each) => !left.some((other) => isSame(each, other)));
  for (const piece of settled) yield rowOf(piece, tally.count(settledAs(piece)));
  const progress = new PullProgress(context.progress, left.length);
  const shown = { ...context, progress };
  const attempt = async (piece: Piece): Promise<object> => {
    if (context.signal.aborted || tally.bug !== undefined) return rowOf(piece, tally.count("not_begun"));
    try {
      const done = await fetchPiece(shown, wanted, piece);
      await writer.change({
        pieces: (writer.manifest.pieces ?? []).map((each) => (isSame(each, piece) ? done : each)),
      });
      progress.ended();
      return rowOf(done, tally.count("fetched"));
    } catch (error) {
      return rowOf({ ...piece, error: reasonIn(error) }, tally.failed(error));
    }
  };
  try {
    yield* asFinished(left, attempt, context.config.concurrency);
  } finally {
    progress.stop();
  }
  tally.conclude(context.signal.aborted, wanted);
}

async function fetchPiece(context: Context, { folder, project }: Wanted, piece: Piece): Promise<Piece> {
  const label = labelOf(piece);
  const json = !archiveRelations.has(piece.relation);
  const inspector = new RelationInspector({ label, json, lines: json ? (piece.objects ?? undefined) : undefined });
  const name = piece.file ?? "";
  const source = sourceOfPiece(context, project, piece);
  const { size } = await save(context, { source, label, name, output: join(folder, name), alone: true, inspector });
  return { ...piece, status: "done", size, sha256: inspector.sha256, lines: inspector.lines };
}

function settledAs({ status }: Piece): Outcome {
  if (status === "done") return "kept";
  return status === "empty" ? "empty" : "failed";
}

function rowOf({ relation, batch, file, size, lines, sha256, exported_at, error }: Piece, status: Outcome): object {
  return { relation, batch, status, file, size, lines, sha256, exported_at, error };
}

/** Counts what became of the pieces, and decides what the run ends with. */
class Tally {
  readonly #total: number;
  readonly #counts: Record<Outcome, number> = {
    ...{ fetched: 0, kept: 0, empty: 0 },
    ...{ failed: 0, interrupted: 0, not_begun: 0 },
  };
  /** The only failure there is, where there is one. */
  #failure: Failure | undefined;
  bug: { error: unknown } | undefined;

  constructor(total: number) {
    this.#total = total;
  }

  count(outcome: Outcome): Outcome {
    this.#counts[outcome] += 1;
    return outcome;
  }

  failed(error: unknown): Outcome {
    if (!(error instanceof Failure)) this.bug ??= { error };
    else if (error.exit === "interrupted") return this.count("interrupted");
    else this.#failure = error;
    return this.count("failed");
  }

  /** Throws what the whole run ends with, if anything is left to do. */
  conclude(isAborted: boolean, { again, anew }: Wanted): void {
    if (this.bug !== undefined) throw this.bug.error;
    const { fetched, kept, empty, failed, interrupted, not_begun } = this.#counts;
    if (isAborted && interrupted + not_begun > 0) {
      const done = `${fetched + kept + empty} of ${this.#total} done`;
      const others = [failed > 0 && `${failed} failed`, `${interrupted} under way`, `${not_begun} not begun`];
      throw new Failure("interrupted", `interrupted: ${[done, ...others.filter(Boolean)].join(", ")}`, {
        code: "interrupted",
        hint: `forgectl ${again}`,
        retryable: true,
      });
    }
    if (failed === 0) return;
    if (this.#total === 1 && this.#failure !== undefined) throw this.#failure;
    // Another attempt helps where a download failed, and only another export where the instance's own did.
    const hint = `forgectl ${this.#failure === undefined ? anew : again}`;
    throw new Failure("partial", `${failed} of ${this.#total} failed`, { code: "partial", hint });
  }
}

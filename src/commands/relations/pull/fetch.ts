import { join } from "node:path";
import { archiveRelations, downloadRelation } from "../../../api/endpoints/relations.ts";
import { reasonIn } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { resultsOf } from "../../../jobs/job.ts";
import { type EndedRow, Tally } from "../../../jobs/tally.ts";
import { sourceOf } from "../../../transfer/body.ts";
import { save } from "../../../transfer/download.ts";
import { confirmExport, type Wanted } from "./export.ts";
import { RelationInspector } from "./inspector.ts";
import type { ManifestWriter } from "./manifest.ts";
import { isSame, keyOf, labelOf, type Piece } from "./pieces.ts";
import { PullProgress } from "./progress.ts";

/** The outcome for a relation or a batch. */
type Outcome = "fetched" | "kept" | "empty" | EndedRow["status"];

/** The source of a piece. */
export function sourceOfPiece(context: Context, project: string, { relation, batch }: Piece) {
  const input = { project, relation, ...(batch !== null && { batched: true, batch_number: batch }) };
  return sourceOf(context, downloadRelation, input);
}

/** Fetches the missing pieces concurrently and yields a row for each as it ends, after the rows of the others. */
export async function* fetchPieces(
  context: Context,
  writer: ManifestWriter,
  left: readonly Piece[],
  wanted: Wanted,
): AsyncGenerator<object> {
  const all = writer.manifest.pieces ?? [];
  const tally = new Tally(context, all.length);
  const leftKeys = new Set(left.map(keyOf));
  const settled = all.filter((each) => !leftKeys.has(keyOf(each)));
  for (const piece of settled) {
    if (piece.status === "failed") tally.count("failed");
    yield rowOf(piece, settledAs(piece));
  }
  // The notice that the folder is complete has already been printed.
  if (left.length === 0 && settled.every(({ status }) => status !== "failed")) return;
  if (left.length > 0) await writer.change({ confirmed: false });
  let hasBroken = false;
  const progress = new PullProgress(context.progress, left.length);
  const shown = { ...context, progress };
  const act = async (piece: Piece) => {
    const done = await fetchPiece(shown, wanted, piece);
    await writer.change({
      pieces: (writer.manifest.pieces ?? []).map((each) => (isSame(each, piece) ? done : each)),
    });
    return done;
  };
  yield* resultsOf<Piece, object>(context, {
    items: left,
    progress,
    act: async (piece, emit) => {
      const attempt = await tally.attempt(() => act(piece));
      if ("done" in attempt) return emit(rowOf(attempt.done, "fetched"));
      const { ended, error } = attempt;
      if (ended.status !== "not_tried") hasBroken = true;
      emit(rowOf(error === undefined ? piece : { ...piece, error: context.redact(reasonIn(error)) }, ended.status));
    },
    // A failed download can be retried; if the export itself failed on the instance, only a new export helps.
    conclude: async () => {
      const hasEnded = !hasBroken && !context.signal.aborted;
      if (left.length > 0 && hasEnded) await confirmExport(context, writer, wanted);
      const again = hasEnded ? wanted.startOver : wanted.again;
      tally.conclude({ hint: `forgectl ${again}` });
    },
  });
}

async function fetchPiece(context: Context, { folder, project }: Wanted, piece: Piece): Promise<Piece> {
  const label = labelOf(piece);
  const json = !archiveRelations.has(piece.relation);
  const inspector = new RelationInspector({ label, json, lines: json ? (piece.objects ?? undefined) : undefined });
  const name = piece.file ?? "";
  const source = sourceOfPiece(context, project, piece);
  const { size } = await save(context, { source, label, name, output: join(folder, name), inspector });
  return { ...piece, status: "done", size, sha256: inspector.sha256, lines: inspector.lines };
}

function settledAs({ status }: Piece): Outcome {
  if (status === "done") return "kept";
  return status === "empty" ? "empty" : "failed";
}

function rowOf({ relation, batch, file, size, lines, sha256, exported_at, error }: Piece, status: Outcome): object {
  return { relation, batch, status, file, size, lines, sha256, exported_at, error };
}

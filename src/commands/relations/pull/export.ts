import { exportRelations } from "../../../api/endpoints/relations.ts";
import { Failure } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { type Entry, ended, latestChange, readStatuses } from "../settled.ts";
import type { Manifest, ManifestWriter } from "./manifest.ts";
import { keyOf, type Piece, piecesOf } from "./pieces.ts";

export interface Wanted {
  folder: string;
  project: string;
  batched: boolean;
  latest: boolean;
  force: boolean;
  limitSeconds: number;
  /** What does the rest, as typed after the program's name; and what begins anew with another export. */
  again: string;
  anew: string;
}

/** Schedules a new export. In a dry run it is noted down, and ends the run. */
export async function schedule(context: Context, { project, batched }: Wanted): Promise<Pick<Manifest, "after">> {
  const after = context.config.dryRun ? undefined : await latestChange(context, project);
  await context.api.call(exportRelations, { project, ...(batched && { batched }) });
  return { after: after ?? null };
}

/** Waits for the export that a manifest is of, and writes down what it consists of. */
export async function awaitExport(context: Context, writer: ManifestWriter, wanted: Wanted): Promise<void> {
  const since = writer.manifest.after ?? undefined;
  await writer.change({ pieces: piecesOf(await waitFor(context, wanted, since)) });
}

/** What the instance has exported last, with what is in the folder of it already. */
export async function latestPieces(
  context: Context,
  wanted: Wanted,
  known: readonly Piece[],
): Promise<{ pieces: Piece[]; after: null }> {
  const { project, batched } = wanted;
  let entries = await readStatuses(context, { project });
  if (entries.some(({ status }) => status === 0)) entries = await waitFor(context, wanted, undefined);
  if (entries.length === 0) {
    throw new Failure("notFound", `project ${project} has no export`, {
      code: "no_export",
      hint: "leave --latest out to schedule an export",
    });
  }
  if (batched && !entries.some((entry) => entry.batched)) {
    throw new Failure("conflict", `the latest export of project ${project} is not batched`, {
      code: "other_export",
      hint: "leave --batched out, or schedule a batched export by leaving --latest out",
    });
  }
  return { pieces: mergedWith(piecesOf(entries), known), after: null };
}

/** Refuses to mix two exports in one folder: what is left to fetch has to be what the manifest is of. */
export async function refuseNewer(context: Context, wanted: Wanted, left: readonly Piece[]): Promise<void> {
  const times = new Map(
    piecesOf(await readStatuses(context, wanted)).map((piece) => [keyOf(piece), piece.exported_at]),
  );
  if (left.every((piece) => times.get(keyOf(piece)) === piece.exported_at)) return;
  throw new Failure("conflict", `project ${wanted.project} was exported again since ${wanted.folder} was started`, {
    code: "newer_export",
    reason: "an instance keeps the last export only, and a folder holds one export",
    hint: `forgectl ${wanted.again} --latest`,
  });
}

function mergedWith(pieces: readonly Piece[], known: readonly Piece[]): Piece[] {
  const done = new Map(known.filter(({ status }) => status === "done").map((piece) => [keyOf(piece), piece]));
  return pieces.map((piece) => {
    const same = done.get(keyOf(piece));
    const isSame = same?.exported_at === piece.exported_at && same.file === piece.file && piece.status === "pending";
    return isSame ? same : piece;
  });
}

function waitFor(context: Context, { project, limitSeconds, again }: Wanted, since: string | undefined) {
  return ended(context, { project, since, limitSeconds, resume: again }) as Promise<Entry[]>;
}

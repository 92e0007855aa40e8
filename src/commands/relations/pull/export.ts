import { exportRelations } from "../../../api/endpoints/relations.ts";
import { mayHaveBeenMade } from "../../../api/outcome.ts";
import { Failure } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { instanceClock } from "../../../verbs/instance-clock.ts";
import { madeOrVerified } from "../../../verbs/lost-answer-check.ts";
import { type Entry, isOpen, isUnsettled } from "../export-end.ts";
import { hasBegun, lastOf, latestChange } from "../export-times.ts";
import { ended, isAfter, readStatuses } from "../export-wait.ts";
import type { Manifest, ManifestWriter } from "./manifest.ts";
import { keyOf, type Piece, piecesOf } from "./pieces.ts";

export interface Wanted {
  folder: string;
  project: string;
  batched: boolean;
  latest: boolean;
  force: boolean;
  limitSeconds: number;
  /**
   * The command that completes the rest, as typed after the program's name; the one that updates the folder to the
   * last export of the instance; and the one that starts over with a new export.
   */
  again: string;
  update: string;
  startOver: string;
}

/**
 * Schedules a new export. The manifest says so before the request is sent: if its answer is lost, the next run looks
 * for the export instead of scheduling another.
 *
 * @param before the manifest to restore if the instance refuses
 */
export async function schedule(context: Context, writer: ManifestWriter, wanted: Wanted, before?: Manifest) {
  const { project, limitSeconds, again: resume } = wanted;
  const after = (await latestChange(context, { project, limitSeconds, resume })) ?? null;
  await writer.change({ after, scheduled: false });
  try {
    await send(context, writer, wanted);
  } catch (error) {
    if (!isAsked(error)) await writer.revert(before);
    throw error;
  }
}

/** The export that an earlier run may have scheduled; if the instance has not started it, schedules it. */
export async function scheduleUnlessBegun(context: Context, writer: ManifestWriter, wanted: Wanted): Promise<void> {
  if (await wasScheduled(context, writer.manifest, wanted)) await writer.change({ scheduled: true });
  else await send(context, writer, wanted);
}

/** Whether the instance was asked for the export of a manifest. */
export async function wasScheduled(context: Context, { scheduled, after }: Manifest, wanted: Wanted): Promise<boolean> {
  const { project, limitSeconds, again: resume } = wanted;
  return scheduled || hasBegun(context, { project, limitSeconds, resume }, after ?? undefined);
}

/** Requests an export. */
export async function request(context: Context, { project, batched }: Wanted): Promise<void> {
  await context.api.call(exportRelations, { project, ...(batched && { batched }) });
}

async function send(context: Context, writer: ManifestWriter, wanted: Wanted): Promise<void> {
  const hasCome = async () => (await wasScheduled(context, writer.manifest, wanted)) || undefined;
  try {
    await madeOrVerified(context, () => request(context, wanted), hasCome, "the export has begun");
  } catch (error) {
    throw isAsked(error) ? error.with({ hint: `forgectl ${wanted.again}   # looks for it first` }) : error;
  }
  await writer.change({ scheduled: true });
}

/** The instance may have been asked, or was, with an answer that was cut: the next run looks for the export first. */
function isAsked(error: unknown): error is Failure {
  return mayHaveBeenMade(error) || (error instanceof Failure && error.details.outcome === "made");
}

/** Waits for the export of a manifest, and records its pieces. */
export async function awaitExport(context: Context, writer: ManifestWriter, wanted: Wanted): Promise<void> {
  const since = writer.manifest.after ?? undefined;
  await writer.change({ pieces: piecesOf(await waitFor(context, wanted, since)) });
}

/** The pieces of the instance's latest export, with the state of those already in the folder. */
export async function latestPieces(
  context: Context,
  wanted: Wanted,
  known: readonly Piece[],
): Promise<{ pieces: Piece[]; after: null }> {
  const { project, batched } = wanted;
  const clock = instanceClock(context);
  let entries = await readStatuses({ ...context, api: clock.api }, { project });
  const since = lastIfReplaced(known, entries);
  const isOngoing = entries.some(({ status }) => isOpen(status)) || isUnsettled(entries, clock.instance().getTime());
  if (isOngoing || !entries.every((entry) => isAfter(entry.updated_at, since)))
    entries = await waitFor(context, wanted, since, "unknown");
  if (entries.length === 0) {
    throw new Failure("notFound", `project ${project} has no export`, {
      code: "no_export",
      hint: "leave out --latest to schedule an export",
    });
  }
  if (batched && !entries.some((entry) => entry.batched)) {
    throw new Failure("conflict", `the latest export of project ${project} is not batched`, {
      code: "other_export",
      hint: "leave out --batched; or leave out --latest to schedule a batched export",
    });
  }
  const pieces = mergedWith(piecesOf(entries), known);
  // What the same export lacked before, and still lacks.
  const names = new Set(pieces.map(({ relation }) => relation));
  const lacking = known.filter(({ relation, status }) => status === "failed" && !names.has(relation));
  return { pieces: [...pieces, ...(since === undefined ? lacking : [])], after: null };
}

/** Refuses to mix two exports in one folder: the missing pieces must be of the manifest's export. */
export async function refuseNewer(
  context: Context,
  wanted: Wanted,
  left: readonly Piece[],
  entries?: readonly Entry[],
): Promise<void> {
  const present = piecesOf(entries ?? (await readStatuses(context, wanted)));
  const times = new Map(present.map((piece) => [keyOf(piece), piece.exported_at]));
  if (left.every((piece) => times.get(keyOf(piece)) === piece.exported_at)) return;
  throw new Failure("conflict", `project ${wanted.project} was exported again since ${wanted.folder} was started`, {
    code: "newer_export",
    reason: "an instance keeps only the last export, and a folder holds one export",
    hint: `forgectl ${wanted.update}`,
  });
}

/** Refuses a folder whose export the instance replaced while it was downloaded: some files may be of the newer one. */
export async function confirmExport(context: Context, writer: ManifestWriter, wanted: Wanted): Promise<void> {
  const pieces = writer.manifest.pieces ?? [];
  const files = pieces.filter(({ file }) => file !== null);
  const entries = await readStatuses(context, wanted);
  await refuseNewer(context, wanted, files, entries);
  refuseMore(writer.manifest, wanted, entries);
  await writer.change({ confirmed: true });
}

/** Refuses an export that has more relations than when it seemed to have ended: the instance began them late. */
function refuseMore({ pieces, after }: Manifest, { project, folder, update }: Wanted, entries: readonly Entry[]): void {
  const known = new Set((pieces ?? []).map(({ relation }) => relation));
  const isMore = (entry: Entry) => !known.has(entry.relation) && isAfter(entry.updated_at, after ?? undefined);
  const more = entries.filter(isMore).map(({ relation }) => relation);
  if (more.length === 0) return;
  throw new Failure("conflict", `the export of project ${project} has relations that are not in ${folder}`, {
    code: "newer_export",
    reason: `the instance began them later: ${more.join(", ")}`,
    hint: `forgectl ${update}`,
  });
}

/**
 * The time of the last change in the export of a folder, if the instance has replaced a part of it: relations that were
 * not changed after it are not of the newer export. One that failed may only have come late.
 */
function lastIfReplaced(known: readonly Piece[], entries: readonly Entry[]): string | undefined {
  const exported = known.filter(({ status }) => status !== "failed");
  const times = new Map(exported.map((piece) => [keyOf(piece), piece.exported_at]));
  const changed = entries.filter((entry) => piecesOf([entry]).some((piece) => isReplaced(piece, times)));
  if (changed.length === 0) return undefined;
  const before = entries.filter((entry) => !changed.includes(entry) && times.has(keyOf({ ...entry, batch: null })));
  return lastOf([...times.values(), ...before.map((entry) => entry.updated_at)]);
}

function isReplaced(piece: Piece, times: ReadonlyMap<string, string>): boolean {
  const before = times.get(keyOf(piece));
  return before !== undefined && isAfter(piece.exported_at, before);
}

function mergedWith(pieces: readonly Piece[], known: readonly Piece[]): Piece[] {
  const before = new Map(known.map((piece) => [keyOf(piece), piece]));
  return pieces.map((piece) => {
    const same = before.get(keyOf(piece));
    if (same?.exported_at !== piece.exported_at || piece.status !== "pending") return piece;
    // What was not exported again is still that of an export before.
    return same.status === "failed" || (same.status === "done" && same.file === piece.file) ? same : piece;
  });
}

function waitFor(context: Context, wanted: Wanted, since: string | undefined, hasEarlier?: "unknown") {
  const { project, batched, limitSeconds, again: resume, update: latest } = wanted;
  return ended(context, { project, since, batched, limitSeconds, resume, latest, ...(hasEarlier && { hasEarlier }) });
}

import { join } from "node:path";
import { DryRunStop } from "../../../api/api.ts";
import { downloadRelation, exportRelations, listRelationStatuses } from "../../../api/endpoints/relations.ts";
import { project } from "../../../api/endpoints/scope.ts";
import { boolean, bytes, entity, integer, nullable, required, string, timestamp, uncut } from "../../../api/field.ts";
import { commandLine } from "../../../base/shell-words.ts";
import type { Context } from "../../../context.ts";
import { command } from "../../../declare/command.ts";
import type { HeldFiles } from "../../../host.ts";
import { refuseReplaced } from "../../../transfer/replaced-folder.ts";
import { waitTimeout } from "../../../verbs/poll.ts";
import { defaultWaitSeconds } from "../export-wait.ts";
import {
  awaitExport,
  confirmExport,
  latestPieces,
  refuseNewer,
  request,
  schedule,
  scheduleUnlessBegun,
  type Wanted,
  wasScheduled,
} from "./export.ts";
import { fetchPieces, sourceOfPiece } from "./fetch.ts";
import { checkFolder, lock, manifestOf, piecesLeft, removeEarlier } from "./folder.ts";
import { type Manifest, ManifestWriter } from "./manifest.ts";
import { keyOf, type Piece } from "./pieces.ts";

const PulledRelation = entity("PulledRelation", {
  relation: string("Top-level relation, such as issues"),
  batch: nullable(integer("Number of the batch, of a batched relation")),
  status: string("fetched, kept from an earlier run, empty, refused, failed, or not_tried"),
  file: nullable(uncut("Name in the folder")),
  size: nullable(bytes()),
  lines: nullable(integer("Objects in the file")),
  sha256: nullable(string("SHA-256 of the file")),
  exported_at: timestamp("When the instance exported it"),
  error: nullable(uncut()),
});

export const pull = command({
  name: "pull",
  summary: "Export a project's relations and download all of them into a folder",
  details:
    "Schedules an export, waits for it, and downloads all relations and batches in parallel. Each file is checked as it " +
    "arrives: complete gzip, JSON on every line, as many lines as the instance announced. manifest.json lists the files with " +
    "their SHA-256. A folder holds one export: a repeated run downloads its missing or damaged files, and " +
    "schedules no other; if the project is exported again during the downloads, the exit code is 6. --latest updates the folder to the last export of the instance, --force to a new one.",
  args: {
    dir: required(
      string("Folder to download into; created if missing", {
        min: 1,
        completes: "directory",
        writes: "whole",
      }),
    ),
  },
  params: {
    project: required(project),
    batched: boolean("Split large relations into batches"),
    latest: boolean("Use the last export of the instance and schedule none; files of an earlier one are replaced"),
    force: boolean("Start over, whatever the folder contains: files of other exports are replaced"),
    wait_timeout: waitTimeout(defaultWaitSeconds, "Maximum wait for the export in seconds"),
  },
  requests: [exportRelations, listRelationStatuses, downloadRelation],
  // The folder says what it began, and has by now.
  repeatable: () => true,
  returns: PulledRelation,
  prints: "rows",
  examples: [
    { line: "relations pull gateway -p acme/platform/gateway" },
    { line: "relations pull storefront -p acme/storefront --batched --wait-timeout 3600" },
    { line: "relations pull gateway -p acme/platform/gateway --latest", note: "without a new export" },
  ],
  related: ["relations export", "relations status", "relations download"],
  async run(context, { dir, project, batched = false, latest = false, force = false, wait_timeout }) {
    const words = ["relations", "pull", dir, "-p", project, ...(batched ? ["--batched"] : [])];
    const wanted = {
      ...{ folder: dir, project, batched, latest, force, limitSeconds: wait_timeout ?? defaultWaitSeconds },
      again: commandLine([...words, ...(latest ? ["--latest"] : [])]),
      update: commandLine([...words, "--latest"]),
      startOver: commandLine([...words, "--force"]),
    };
    await checkFolder(context, dir);
    if (context.config.dryRun) return plan(context, wanted);
    await context.files.makeFolder(dir);
    // It takes as long as the export: where others may write too, a link may have this name by the end.
    const files = await context.files.hold(dir);
    const own = { ...context, files };
    const release = await lockHeld(own, dir);
    try {
      await files.sweep(dir);
      const { writer, left } = await prepare(own, wanted);
      return {
        rows: releasing(fetchPieces(own, writer, left, wanted), () => refuseReplaced(files, dir), release),
        columns: ["relation", "batch", "status", "file", "size", "lines", "error"],
        validIfPartial: true,
      };
    } catch (error) {
      await release();
      throw error;
    }
  },
});

/** Locks the folder; the returned function releases lock and folder. */
async function lockHeld(context: Context & { files: HeldFiles }, dir: string): Promise<() => Promise<void>> {
  const { files } = context;
  try {
    const unlock = await lock(context, dir);
    return () => unlock().finally(files.release);
  } catch (error) {
    files.release();
    throw error;
  }
}

async function* releasing(
  rows: AsyncIterable<object>,
  check: () => void,
  release: () => Promise<void>,
): AsyncGenerator<object> {
  try {
    yield* rows;
    check();
  } finally {
    await release();
  }
}

/** Determines or schedules the export for the folder, and returns its missing pieces. */
async function prepare(context: Context, wanted: Wanted): Promise<{ writer: ManifestWriter; left: Piece[] }> {
  const { folder, latest, force } = wanted;
  const found = await manifestOf(context, wanted);
  const old = force ? undefined : found;
  const earlier = [...(found?.earlier ?? []), ...(found?.pieces ?? [])];
  const head = { instance: context.config.baseUrl?.value ?? "", project: wanted.project };
  if (old !== undefined && !latest) {
    const writer = new ManifestWriter(context, folder, old);
    if (old.pieces === null) {
      await scheduleUnlessBegun(context, writer, wanted);
      await awaitExport(context, writer, wanted);
    }
    await removeEarlier(context, writer, folder);
    const left = await piecesLeft(context, folder, writer.manifest.pieces);
    if (left.length > 0 && old.pieces !== null) await refuseNewer(context, wanted, left);
    if (left.length === 0 && !writer.manifest.confirmed) await confirmExport(context, writer, wanted);
    const isComplete = left.length === 0 && !hasFailed(writer.manifest);
    if (isComplete) context.notice(`${folder} is complete; --force replaces it with a new export`);
    return { writer, left };
  }
  const asked = { after: null, scheduled: true, pieces: null, confirmed: true };
  const writer = new ManifestWriter(context, folder, { ...head, ...asked, earlier });
  if (latest) await writer.change(await latestPieces(context, wanted, old?.pieces ?? []));
  else {
    await schedule(context, writer, wanted, found);
    await awaitExport(context, writer, wanted);
  }
  await removeEarlier(context, writer, folder);
  return { writer, left: await piecesLeft(context, folder, writer.manifest.pieces) };
}

function hasFailed({ pieces }: Manifest): boolean {
  return (pieces ?? []).some(({ status }) => status === "failed");
}

/** A dry run: the export that would be scheduled, otherwise each file that would be downloaded. */
async function plan(context: Context, wanted: Wanted): Promise<never> {
  const { folder, project, latest, force } = wanted;
  const found = await manifestOf(context, wanted);
  const old = force ? undefined : found;
  const isAsked = old !== undefined && (old.pieces !== null || (await wasScheduled(context, old, wanted)));
  if (!latest && !isAsked) await request(context, wanted);
  const pieces = latest ? (await latestPieces(context, wanted, old?.pieces ?? [])).pieces : (old?.pieces ?? []);
  for (const piece of await piecesLeft(context, folder, pieces)) {
    try {
      await sourceOfPiece(context, project, piece).plan(join(folder, piece.file ?? keyOf(piece)));
    } catch (error) {
      if (!(error instanceof DryRunStop)) throw error;
    }
  }
  throw new DryRunStop();
}

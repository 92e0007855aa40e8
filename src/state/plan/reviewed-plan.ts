import { dirname } from "node:path";
import { Failure, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { forEachConcurrently } from "../../jobs/concurrently.ts";
import type { Caller, Change, Live } from "../kind.ts";
import { LiveList } from "../live/live-list.ts";
import { movedTo, replacedBy } from "../live/places.ts";
import { isShownSet, setMeanwhile } from "../live/presence.ts";
import { type Reader, readerOf, readLive } from "../live/reader.ts";
import { uncounted } from "../patterns/shared-lists.ts";
import { cacheSeconds, recallWrites, writtenSince } from "../runs/recent-writes.ts";
import { compareWith, uncached } from "./live-comparison.ts";
import { callerOf, isRemoval, isWrite, listOf, type Plan, type Pruned } from "./plan.ts";
import { digestOf, readSaved, referencesIn, type SavedChange, type SavedPlan } from "./plan-file.ts";
import { addressOfChange, preimageOf } from "./plan-row.ts";
import { managed } from "./plan-unit.ts";
import { recomputed } from "./row-check.ts";
import { unlessSentUnsurely } from "./sent-unsurely.ts";

export interface ReviewedPlan {
  readonly plan: Plan;
  /** Changes whose objects are already as planned. */
  readonly already: readonly Change[];
}

/**
 * Reads a saved plan to apply it. Each row is computed again from what the plan stores and must be the row that was
 * shown; then the objects are read: one that is neither as it was nor as planned is a conflict (exit 6), with nothing
 * sent. Every row has an outcome.
 *
 * @param folder where the files are that the plan names; by default beside the plan, without those that are secret
 */
export async function reviewedPlan(context: Context, path: string, folder: string | undefined): Promise<ReviewedPlan> {
  const saved = await readSaved(context, path);
  const here = context.config.baseUrl?.value;
  if (saved.instance !== here)
    throw new UsageError(`the plan is for ${saved.instance}, not for ${here ?? "no address"}`);
  if (folder === undefined) refuseSecretFiles(saved);
  const base = await folderOf(context, folder ?? path, folder === undefined);
  await checkFiles(context, saved, base);
  const rows: Change[] = [];
  for (const [index, change] of saved.changes.entries())
    rows.push({
      ...(await recomputed(context, saved, { change, index, base })),
      ...recentDoubts(context, saved, change),
    });
  refuseUncounted(saved);
  const reader = readerOf(context.api, context.config);
  const caller = await callerOf(reader);
  if (caller.id !== saved.caller.id) {
    context.warn(
      `the plan was made by user ${saved.caller.id}; what locks users out is judged for user ${caller.id}, who applies it`,
    );
  }
  const judged = rows.map((row) => ({ ...row, lockout: row.kind.lockout?.(row, caller) }));
  return withLive(context, reader, { rows: judged, saved, caller, path });
}

/** What a cache may still show that was so when the plan was made. */
function recentDoubts({ now }: Context, { planned = "" }: SavedPlan, { doubts }: SavedChange): Pick<Change, "doubts"> {
  const isRecent = now().getTime() - Date.parse(planned) < cacheSeconds * 1000;
  return isRecent && doubts !== undefined ? { doubts: new Map(Object.entries(doubts)) } : {};
}

/** The limits for the lists of patterns are for what the rows remove. */
function refuseUncounted({ changes, shared }: SavedPlan): void {
  const list = uncounted(
    changes.filter(({ action }) => action === "delete" || action === "disarm"),
    shared,
  );
  if (list === undefined) return;
  throw new UsageError(`${list}: the plan's rows remove more than its counts say`, {
    code: "altered_plan",
    reason: "the plan was changed after it was made",
    nothing: "sent",
    hint: "plan again",
  });
}

/** The folder itself, or the one that a file is in; undefined for a plan on stdin. */
async function folderOf({ files }: Context, path: string, isPlan: boolean): Promise<string | undefined> {
  if (isPlan && path === "-") return undefined;
  return !isPlan && (await files.facts(path))?.kind === "folder" ? path : dirname(path);
}

/** A plan has nothing that tells the secret file that was meant from another of its name. */
function refuseSecretFiles({ changes, files }: SavedPlan): void {
  for (const { address, action, declared } of changes) {
    if (action === "unreadable") continue;
    for (const { reference, name, origin } of referencesIn(declared?.values)) {
      if (reference !== "file" || Object.hasOwn(files, name)) continue;
      throw new UsageError(`${address} takes a secret from the file ${name}`, {
        code: "missing_flag",
        nothing: "sent",
        hint: `give the folder of the files with -f, which ${origin.file} is in`,
      });
    }
  }
}

/** The texts that were reviewed must be those that are sent. */
async function checkFiles(context: Context, { files }: SavedPlan, folder: string | undefined): Promise<void> {
  for (const [name, digest] of Object.entries(files)) {
    if (folder !== undefined && (await digestOf(context, { folder, name })) === digest) continue;
    throw new UsageError(`the file ${name} is not the one that was planned`, {
      code: "altered_plan",
      reason: folder === undefined ? "the plan is on stdin" : `looked below ${folder}`,
      nothing: "sent",
      hint: "give the folder of the files with -f, or plan again",
    });
  }
}

interface Judged {
  readonly rows: readonly Change[];
  readonly saved: SavedPlan;
  readonly caller: Caller;
  readonly path: string;
}

/** Compares each row with the object as it is now. Each list is read once. */
async function withLive(
  context: Context,
  reader: Reader,
  { rows, saved, caller, path }: Judged,
): Promise<ReviewedPlan> {
  const readAtMs = context.elapsedMs();
  const seen = await readLists(reader, rows.filter(isWrite));
  const changes: Change[] = [];
  const already: Change[] = [];
  const stale: Change[] = [];
  const pruned = new Map<string, Pruned>();
  /** The objects that are to stay, and those to be removed: a variable may be another now than when it was planned. */
  const staying = new Set<Live>();
  const leaving = new Map<Change, Live>();
  for (const row of rows) {
    if (!isWrite(row)) {
      changes.push(row);
      continue;
    }
    const now = seen.get(listOf(row)) as Found;
    if ("unreadable" in now) {
      changes.push({ ...row, action: "unreadable", fields: [], write: [], lockout: undefined, reason: now.unreadable });
      continue;
    }
    if (await isWrittenSince(context, row, { saved, live: now.live[0] })) {
      stale.push(row);
      continue;
    }
    const { change, all } = await recalled(context, row, now);
    if (!isWrite(change)) {
      changes.push(change);
      continue;
    }
    const { live: shown, wanted, others } = compareWith(change, all);
    const live = uncached(change, shown);
    if (shown !== undefined && isRemoval(row)) leaving.set(row, shown);
    else if (shown !== undefined) staying.add(shown);
    const isSame = preimageOf(row, live?.values) === preimageOf(row, row.live?.values);
    // Only secrets, and what a cache may hide, are left to send if the rest is as wanted and unchanged.
    const isUnsure = change.doubts !== undefined || row.fields.some(({ secret }) => secret);
    const set = setMeanwhile(change, live);
    const isMade = change.byPresence?.length ? set === "all" : !(isSame && isUnsure);
    if (wanted && isMade) already.push(row);
    else if (set !== "none" || !isSame || !others.every((name) => row.write.includes(name))) stale.push(row);
    else {
      changes.push(row.live === undefined ? row : { ...change, live });
      const list = listOf(row);
      if (!isRemoval(row) || pruned.has(list)) continue;
      pruned.set(list, { size: managed(row, now.live), origin: { file: path, line: 1 } });
    }
  }
  for (const [row, live] of leaving) if (staying.has(live)) stale.push(row);
  refuseStale(stale);
  return { plan: { readAtMs, changes, equal: saved.equal, pruned, shared: saved.shared, caller }, already };
}

/** Whether this machine has written a secret after the plan was made, of which a cache may show that it is not set. */
async function isWrittenSince(
  context: Context,
  row: Change,
  { saved, live }: { readonly saved: SavedPlan; readonly live: Live | undefined },
): Promise<boolean> {
  const { kind, byPresence = [] } = row;
  if (kind.cached === undefined || byPresence.length === 0) return false;
  const ageMs = context.now().getTime() - Date.parse(saved.planned ?? "");
  const written = await writtenSince(context, kind, Number.isNaN(ageMs) ? Number.POSITIVE_INFINITY : ageMs, "");
  return byPresence.some((name) => written.has(name) && !isShownSet(row, live, name));
}

/** The objects with what this machine's last runs wrote, where a cache still shows what was there before. */
async function recalled(
  context: Context,
  row: Change,
  { live: [live], all }: Listed,
): Promise<{ change: Change; all: LiveList }> {
  const found = live === undefined ? undefined : await recallWrites(context, row.kind, live);
  const written = [...(found?.doubts ?? [])].filter(([name]) => row.write.includes(name));
  const byPresence = row.byPresence?.filter(
    (name) => found?.unsure.includes(name) !== true || isShownSet(row, live, name),
  );
  const change = unlessSentUnsurely({ ...row, ...(byPresence && { byPresence }) }, found);
  if (found === undefined || written.length === 0) return { change, all };
  return {
    change: { ...change, doubts: new Map([...(row.doubts ?? []), ...written]) },
    all: new LiveList(row.kind, [found.live]),
  };
}

/** Each list of the rows, by its address. */
async function readLists(reader: Reader, rows: readonly Change[]): Promise<Map<string, Found>> {
  const lists = new Map(rows.map((row) => [listOf(row), row]));
  const found = new Map<string, Found>();
  await forEachConcurrently([...lists], reader.ahead, async ([list, row]) => {
    found.set(list, await readNow(reader, row));
  });
  return found;
}

interface Listed {
  readonly live: readonly Live[];
  readonly all: LiveList;
}

type Found = Listed | { readonly unreadable: string };

async function readNow(reader: Reader, { scope, kind }: Change): Promise<Found> {
  const place = await reader.places.of(scope);
  const moved = movedTo(scope, place);
  if (moved !== undefined) return { unreadable: `the ${scope.at} has moved to ${moved}` };
  const replaced = replacedBy(scope, place);
  if (replaced !== undefined) return { unreadable: replaced };
  const section = { scope: { ...scope, id: place?.id }, kind, entries: [], origin: { file: "", line: 0 } };
  const read = await readLive(reader, section, { details: "all", place });
  return "unreadable" in read ? read : { live: read.live, all: new LiveList(kind, read.live) };
}

function refuseStale(stale: readonly Change[]): void {
  if (stale.length === 0) return;
  throw new Failure("conflict", `${stale.map(addressOfChange).join(", ")}: changed since the plan was made`, {
    code: "stale_plan",
    nothing: "sent",
    hint: "plan again",
  });
}

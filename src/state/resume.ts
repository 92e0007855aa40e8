import { dirname } from "node:path";
import { Failure, UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { hideInAddresses } from "../base/secrets.ts";
import type { Context } from "../context.ts";
import { type CompareOptions, compareSection } from "./compare.ts";
import { keyOf, tiedKey } from "./keys.ts";
import {
  type Caller,
  type Change,
  type Declared,
  isReference,
  type Kind,
  type Live,
  type Section,
  type Values,
} from "./kind.ts";
import { findKind } from "./kinds/index.ts";
import { compareWith } from "./live.ts";
import { unreadKey } from "./match.ts";
import { canonical } from "./normal.ts";
import { uncounted } from "./patterns/shared-lists.ts";
import { movedTo } from "./places.ts";
import { callerOf, isRemoval, isWrite, listOf, managed, type Plan, type Pruned } from "./plan.ts";
import { type Reader, readerOf, readLive } from "./reader.ts";
import { readComparable } from "./references.ts";
import { addressOfChange, planRow, preimageOf } from "./row.ts";
import { digestOf, readSaved, type SavedChange, type SavedPlan } from "./saved.ts";
import { withReferences } from "./secrecy.ts";

export interface Resumed {
  readonly plan: Plan;
  /** Changes whose objects are already as planned. */
  readonly already: readonly Change[];
}

/**
 * Reads a saved plan to apply it. Each row is computed again from what the plan stores and must be the row that was
 * shown; then the objects are read: one that is neither as it was nor as planned is a conflict (exit 6), with nothing
 * sent. Every row has an outcome.
 *
 * @param folder where the files are that the plan names; by default beside the plan
 */
export async function resumePlan(context: Context, path: string, folder: string | undefined): Promise<Resumed> {
  const saved = await readSaved(context, path);
  const here = context.config.baseUrl?.value;
  if (saved.instance !== here) throw new UsageError(`the plan is for ${saved.instance}, not for ${here}`);
  const base = await folderOf(context, folder ?? path, folder === undefined);
  await checkFiles(context, saved, base);
  const rows: Change[] = [];
  for (const [index, change] of saved.changes.entries())
    rows.push(await recomputed(context, saved, { change, index, base }));
  refuseUncounted(saved);
  const reader = readerOf(context.api);
  const caller = await callerOf(reader);
  if (caller.id !== saved.caller.id) {
    context.warn(
      `the plan was made by user ${saved.caller.id}; what locks users out is judged for user ${caller.id}, who applies it`,
    );
  }
  const judged = rows.map((row) => ({ ...row, lockout: row.kind.lockout?.(row, caller) }));
  return withLive(reader, { rows: judged, saved, caller, path });
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
    reason: "the plan was changed after it was made; nothing was sent",
    hint: "plan again",
  });
}

/** The folder itself, or the one that a file is in; undefined for a plan on stdin. */
async function folderOf({ files }: Context, path: string, isPlan: boolean): Promise<string | undefined> {
  if (isPlan && path === "-") return undefined;
  return !isPlan && (await files.facts(path))?.kind === "folder" ? path : dirname(path);
}

/** The texts that were reviewed must be those that are sent. */
async function checkFiles(context: Context, { files }: SavedPlan, folder: string | undefined): Promise<void> {
  for (const [name, digest] of Object.entries(files)) {
    if (folder !== undefined && (await digestOf(context, { folder, name })) === digest) continue;
    throw new UsageError(`the file ${name} is not the one that was planned`, {
      code: "altered_plan",
      reason: folder === undefined ? "the plan is on stdin" : `looked below ${folder}; nothing was sent`,
      hint: "give the folder of the files with -f, or plan again",
    });
  }
}

interface Row {
  readonly change: SavedChange;
  readonly index: number;
  /** The folder of the files. */
  readonly base: string | undefined;
}

async function recomputed(context: Context, saved: SavedPlan, { change, index, base }: Row): Promise<Change> {
  const section = await readComparable(context, sectionOf(change, base));
  const { kind } = section;
  const [entry] = section.entries;
  const origin = { file: change.file ?? "", line: change.line ?? 0 };
  if (change.action === "unreadable") {
    const desired = entry ?? { values: {}, origin };
    const { key, id, reason } = change;
    const base = { scope: section.scope, kind, key: key ?? "", id, desired, live: undefined, lockout: undefined };
    return { ...base, action: "unreadable", fields: [], write: [], reason: `when planned: ${reason}` };
  }
  const unread = entry === undefined ? undefined : unreadKey(kind, entry);
  if (unread !== undefined) throw new UsageError(`${change.address}: ${unread} comes from a variable that is not set`);
  const named = entry === undefined || change.key === null ? [] : [{ ...entry, key: change.key }];
  // What identifies it may be a secret, which the plan does not have, but its ID is known.
  const identified = named.map((each) =>
    isIdentified(change, kind) ? { ...each, values: { ...each.values, id: change.id } } : each,
  );
  const entries = kind.form === "list" ? identified : section.entries;
  const live = change.from === null ? [] : [{ values: change.from }];
  const { changes } = compareSection({ ...section, entries }, live, optionsOf(saved, change));
  const row = changes.find(({ action }) => action !== "unreadable");
  if (row !== undefined && isOwnKey(row, change, entry) && isSameRow({ ...row, key: change.key ?? "" }, change))
    return { ...row, key: change.key ?? "" };
  throw new UsageError(`row ${index + 1} of the plan, ${change.address}, is not what its declaration gives`, {
    code: "altered_plan",
    reason: "the plan was changed after it was made; nothing was sent",
    hint: "plan again",
  });
}

const nothing: Declared = { values: {}, origin: { file: "", line: 0 } };

function isIdentified({ id, from }: SavedChange, kind: Kind): boolean {
  return id !== null && from?.id === id && kind.target === undefined && kind.fields.id !== undefined;
}

function optionsOf(saved: SavedPlan, { action, fields }: SavedChange): CompareOptions {
  const sent = fields.filter(({ source }) => source !== "not comparable" && source?.includes("sent along") !== true);
  const written = new Set(sent.map(({ path }) => path));
  return {
    prune: saved.prune,
    secrets: saved.secrets,
    keep: () => false,
    caller: saved.caller,
    // With --prune an entry is only listed where another one of the file was not found.
    unknown: new Map(action === "extra" && saved.prune ? [[nothing, ""]] : []),
    settled: true,
    // The row says whether a secret is sent, and that is what was reviewed.
    decided: (name) => written.has(name),
  };
}

/** Whether the address names the object: by its key, by what distinguishes it from others, or by its ID. */
function isOwnKey(
  { kind, id, live }: Change,
  { key, declared, from }: SavedChange,
  entry: Declared | undefined,
): boolean {
  if (kind.form === "record") return key === null;
  const values = entry === undefined ? (live?.values ?? from ?? {}) : withReferences(kind, entry);
  const keys = [keyOf(kind, values), tiedKey(kind, values)].map(hideInAddresses);
  return [...keys, String(id), declared?.key].includes(key ?? "");
}

function isSameRow(row: Change, { at: _, declared: __, from: ___, ...shown }: SavedChange): boolean {
  return canonical(planRow(row)) === canonical(shown);
}

function sectionOf({ at, scope, kind: name, declared, file, line }: SavedChange, base: string | undefined): Section {
  const kind = findKind(name) as Kind;
  const origin = { file: file ?? "", line: line ?? 0 };
  const entries: Declared[] =
    declared === null ? [] : [{ ...declared, values: inFolder(declared.values, base) as Values, origin }];
  return { scope: { at, name: scope ?? "" }, kind, entries, origin };
}

function inFolder(value: unknown, folder: string | undefined): unknown {
  if (isReference(value)) return { ...value, folder };
  if (Array.isArray(value)) return value.map((each) => inFolder(each, folder));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inFolder(each, folder)]));
}

interface Judged {
  readonly rows: readonly Change[];
  readonly saved: SavedPlan;
  readonly caller: Caller;
  readonly path: string;
}

/** Compares each row with the object as it is now. Each list is read once. */
async function withLive(reader: Reader, { rows, saved, caller, path }: Judged): Promise<Resumed> {
  const seen = new Map<string, Promise<Found>>();
  const changes: Change[] = [];
  const already: Change[] = [];
  const stale: Change[] = [];
  const pruned = new Map<string, Pruned>();
  for (const row of rows) {
    if (!isWrite(row)) {
      changes.push(row);
      continue;
    }
    const found = seen.get(listOf(row)) ?? readNow(reader, row);
    seen.set(listOf(row), found);
    const now = await found;
    if ("unreadable" in now) {
      changes.push({ ...row, action: "unreadable", fields: [], write: [], lockout: undefined, reason: now.unreadable });
      continue;
    }
    const { live, wanted, others } = compareWith(row, now.live);
    const isSame = preimageOf(row, live?.values) === preimageOf(row, row.live?.values);
    // Only secrets are left to send if the rest is as wanted and unchanged.
    if (wanted && !(isSame && row.fields.some(({ secret }) => secret))) already.push(row);
    else if (!isSame || !others.every((name) => row.write.includes(name))) stale.push(row);
    else {
      changes.push(row.live === undefined ? row : { ...row, live });
      if (isRemoval(row)) pruned.set(listOf(row), { size: managed(row, now.live), origin: { file: path, line: 1 } });
    }
  }
  refuseStale(stale);
  return { plan: { changes, equal: saved.equal, pruned, shared: saved.shared, caller }, already };
}

type Found = { readonly live: readonly Live[] } | { readonly unreadable: string };

async function readNow(reader: Reader, { scope, kind }: Change): Promise<Found> {
  const place = await reader.places.of(scope);
  const moved = movedTo(scope, place);
  if (moved !== undefined) return { unreadable: `the ${scope.at} has moved to ${moved}` };
  const section = { scope: { ...scope, id: place?.id }, kind, entries: [], origin: { file: "", line: 0 } };
  return readLive(reader, section, { details: "all", place });
}

function refuseStale(stale: readonly Change[]): void {
  if (stale.length === 0) return;
  throw new Failure("conflict", `${stale.map(addressOfChange).join(", ")}: changed since the plan was made`, {
    code: "stale_plan",
    reason: "nothing was sent",
    hint: "plan again",
  });
}

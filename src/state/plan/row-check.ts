import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { hideInAddresses, holdsMask } from "../../base/secrets.ts";
import type { Context } from "../../context.ts";
import { canonical } from "../fields/normal.ts";
import { readComparable } from "../fields/references.ts";
import { withReferences } from "../fields/secrecy.ts";
import { keyOf, tiedKey } from "../keys.ts";
import { type Change, type Declared, isReference, type Kind, type Section, type Values } from "../kind.ts";
import { findKind } from "../kinds/index.ts";
import { type CompareOptions, compareSection, prunable } from "../live/compare.ts";
import { isSentAlong } from "../live/field-changes.ts";
import { unreadKey } from "../live/match.ts";
import { rowOf, type SavedChange, type SavedPlan } from "./plan-file.ts";
import { planRow } from "./plan-row.ts";
import { asLookedUp } from "./unseen-groups.ts";

interface Row {
  readonly change: SavedChange;
  readonly index: number;
  /** The folder of the files. */
  readonly base: string | undefined;
}

/** Computes a row again from what the plan stores; one that is not as it was shown is refused. */
export async function recomputed(context: Context, saved: SavedPlan, { change, index, base }: Row): Promise<Change> {
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
  const found = changes.find(({ action }) => action !== "unreadable");
  const row = found && asLookedUp(found, change.reason);
  if (row !== undefined && isOwnKey(row, change, entry) && isSameRow({ ...row, key: change.key ?? "" }, change))
    return { ...row, key: change.key ?? "" };
  const [first] = changes;
  if (row === undefined && first?.reason !== undefined) throw new UsageError(`${change.address}: ${first.reason}`);
  throw new UsageError(`row ${index + 1} of the plan, ${change.address}, is not what its declaration gives`, {
    code: "altered_plan",
    reason: "the plan was changed after it was made",
    nothing: "sent",
    hint: "plan again",
  });
}

const nothing: Declared = { values: {}, origin: { file: "", line: 0 } };

function isIdentified({ id, from }: SavedChange, kind: Kind): boolean {
  return from?.id === id && kind.target === undefined && kind.fields.id !== undefined;
}

function optionsOf(saved: SavedPlan, { action, fields, from, doubts = {}, reason }: SavedChange): CompareOptions {
  const sent = fields.filter((field) => field.source !== "not comparable" && !isSentAlong(field));
  const written = new Set(sent.map(({ path }) => path));
  const along = new Set(fields.filter(isSentAlong).map(({ path }) => path));
  return {
    prune: saved.prune,
    secrets: saved.secrets,
    presence: saved.secrets === "auto",
    caller: saved.caller,
    // Where another entry of the file was not found, that is why one is only listed.
    unknown: new Map(action === "extra" && reason !== prunable ? [[nothing, ""]] : []),
    settled: true,
    doubts: new Map(Object.entries(doubts)),
    // The row says whether a secret is sent, and that is what was reviewed.
    decided: (name) => written.has(name),
    isAlong: (name) => along.has(name) && (holdsMask(from?.[name]) || !Object.hasOwn(from ?? {}, name)),
  };
}

/** Whether the address names the object: by its key, by what distinguishes it from others, or by its ID. */
function isOwnKey({ kind, id, live }: Change, { key, declared }: SavedChange, entry: Declared | undefined): boolean {
  if (kind.form === "record") return key === null;
  const values = entry === undefined ? (live?.values ?? {}) : withReferences(kind, entry);
  const keys = [keyOf(kind, values), tiedKey(kind, values)].map(hideInAddresses);
  return [...keys, String(id), declared?.key].includes(key ?? "");
}

function isSameRow(row: Change, change: SavedChange): boolean {
  return canonical(planRow(row)) === canonical(rowOf(change));
}

function sectionOf(
  { at, scope, scope_id: id, kind: name, declared, file, line }: SavedChange,
  base: string | undefined,
): Section {
  const kind = findKind(name) as Kind;
  const origin = { file: file ?? "", line: line ?? 0 };
  const entries: Declared[] =
    declared === null ? [] : [{ ...declared, values: inFolder(declared.values, base) as Values, origin }];
  return { scope: { at, name: scope ?? "", id }, kind, entries, origin };
}

function inFolder(value: unknown, folder: string | undefined): unknown {
  if (isReference(value)) return { ...value, folder };
  if (Array.isArray(value)) return value.map((each) => inFolder(each, folder));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inFolder(each, folder)]));
}

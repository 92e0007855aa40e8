import { compareTexts } from "../../base/compare-texts.ts";
import { grouped } from "../../base/grouped.ts";
import { isObject } from "../../base/is-object.ts";
import { isAsDeclared, sameWhole } from "../fields/normal.ts";
import { holdsCredentials, withoutNames } from "../fields/secrecy.ts";
import { type Change, fieldOf, type Kind, type Live, type StateField, type Values } from "../kind.ts";
import type { RunEntry, Status } from "../runs/runs.ts";

// Whether a rollback may overwrite an object: only what the run, or an earlier attempt to undo it, has left is undone.

/** Whether two entries are of one object. */
export function isSameObject(one: RunEntry, other: RunEntry): boolean {
  return one.address === other.address && (one.id === null || other.id === null || one.id === other.id);
}

/**
 * Whether the object is as the run left it, or as it may have left it, field by field: as before, as after, or as sent
 * where the outcome is unknown.
 *
 * @param entries those of the object: of the run, and of earlier rollbacks of it
 */
export function isExplained(change: Change, entries: readonly RunEntry[]): boolean {
  const { live, desired, kind, write } = change;
  if (entries.some((entry) => isOfAnother(live, kind, entry))) return false;
  // Older runs do not record what they sent.
  if (entries.some(({ status, sent }) => mayBeAnything(status) && sent === undefined)) return true;
  if (live === undefined) return entries.some(isMissingIn);
  const differs = (name: string) =>
    desired !== undefined &&
    name in desired.values &&
    !isAsDeclared(fieldOf(kind, name), desired, name, live.values[name]);
  const names = desired === undefined ? ownNames(entries) : write.filter(differs);
  return names.every((name) => {
    const field = fieldOf(kind, name);
    return (
      isUnrecorded(field, name, live.values[name], entries) ||
      valuesOf(entries, name, kind).some((value) => value === anything || sameWhole(field, value, live.values[name]))
    );
  });
}

/** Whether it was another instance's object: behind a tunnel, one address may be that of several. */
function isOfAnother(live: Live | undefined, { cached }: Kind, { made }: RunEntry): boolean {
  const shown = live?.values[cached?.made ?? ""];
  return made !== undefined && shown !== undefined && made !== shown;
}

/** Whether this value, a secret by its form, may be what was left last: such a value is not in the journal. */
function isUnrecorded(field: StateField, name: string, value: unknown, entries: readonly RunEntry[]): boolean {
  if (!holdsCredentials(withoutNames(field, value))) return false;
  const touching = entries.filter(({ before, after }) => after !== null && (name in after || name in (before ?? {})));
  const last = touching.toSorted((a, b) => compareTexts(a.time ?? "", b.time ?? "")).at(-1);
  return last !== undefined && !(name in (last.after ?? {}));
}

const anything = Symbol("anything");

/** The values of a field that these entries account for. */
function valuesOf(entries: readonly RunEntry[], name: string, kind: Kind): unknown[] {
  const field = fieldOf(kind, name);
  return entries.flatMap(({ status, action, before, after, sent }) => {
    const known = [before, after].flatMap((values) => (values !== null && name in values ? [values[name]] : []));
    if (!mayBeAnything(status)) return known;
    const possible = sent && name in sent ? [sent[name], ...keptBeside(field, before?.[name], sent[name])] : [];
    const isTaken = kind.takes?.(Object.keys(sent ?? {})).includes(name);
    // A change of the address drops headers, which follow in a request of their own.
    const free = field.form === "keys" || field.writeOnly || isTaken ? [anything] : [];
    const off = action === "disarm" && field.form === "boolean" ? [false] : [];
    return [...known, ...possible, ...free, ...off];
  });
}

/** A hash that is declared in part is sent with its other keys. */
function keptBeside({ form }: StateField, before: unknown, sent: unknown): unknown[] {
  return form === "hash" && isObject(before) && isObject(sent) ? [{ ...before, ...sent }] : [];
}

/** The fields that show whether an object is the one that the run created. */
function ownNames(entries: readonly RunEntry[]): string[] {
  const names = (values: Values | null | undefined) => Object.keys(values ?? {});
  return [...new Set(entries.flatMap(({ after, sent }) => (after === null ? names(sent) : names(after))))];
}

/** Whether the object may be missing because of this entry. */
function isMissingIn({ status, action, before, after }: RunEntry): boolean {
  if (!mayBeAnything(status)) return before === null || after === null;
  return before === null || action === "delete" || action === "replace";
}

/** A failure of an older run may be half made. */
function mayBeAnything(status: RunEntry["status"]): boolean {
  return status === "unknown" || status === "failed";
}

const untouched: ReadonlySet<string> = new Set([
  "unchanged",
  "refused",
  "stale",
  "unreadable",
  "skipped",
  "not_tried",
] satisfies Status[]);

/**
 * Whether a run changed the object, or may have: a word that this version does not know excludes nothing. In older
 * runs, a failed replacement may be half made.
 */
export function mayHaveChanged({ status, before, sent }: RunEntry): boolean {
  if (status === "failed") return sent === undefined && before !== null;
  return !untouched.has(status);
}

/** Whether the object of an entry is among those that earlier rollbacks have restored. */
export function restoredBy(rolledBack: readonly RunEntry[]): (entry: RunEntry) => boolean {
  const done = rolledBack.filter(({ status }) => status === "done");
  const doneAt = grouped(done, ({ address }) => address);
  return (entry) => doneAt.get(entry.address)?.some((each) => isSameObject(each, entry)) === true;
}

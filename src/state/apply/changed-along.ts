import { isAsDeclared } from "../fields/normal.ts";
import { type Change, fieldOf, isReference, type Live, type Values } from "../kind.ts";

/** What an update was not to change, with its values before and now. */
export interface Along {
  readonly before: Values;
  readonly now: Values;
  /** A warning of what the file does not declare. */
  readonly text: string | undefined;
}

/** An object before a change. */
export interface Before {
  readonly live: Live | undefined;
  /** Fields that were written a moment ago, so that a cached read may not show it. */
  readonly recent: readonly string[];
}

/**
 * What an update was not to change: fields of the file that were as declared right before it, and by the answer to it
 * are not any more, and what the kind knows to be changed besides. A rollback restores it, too.
 *
 * @param before by the last look before the change, with what was written a moment before, and the names of that
 * @param answered what was answered to it: a later read may show what another user has changed
 */
export function changedAlong(change: Change, before?: Before, answered?: Live): Along | undefined {
  const { kind, action, desired, write } = change;
  if (action !== "update" || desired === undefined || before?.live === undefined || answered === undefined)
    return undefined;
  const declared = Object.keys(desired.values);
  const { live, recent } = before;
  const others = kind.changedAlong?.({ sent: [...write, ...declared], recent }, live.values, answered.values);
  const changed = declared.filter((name) => {
    const { readOnly, writeOnly, counter } = fieldOf(kind, name);
    if (write.includes(name) || readOnly || writeOnly || counter || isReference(desired.values[name])) return false;
    const isKept = ({ values }: Live) => isAsDeclared(fieldOf(kind, name), desired, name, values[name]);
    return name in answered.values && isKept(live) && !isKept(answered);
  });
  const by = { written: [...write, ...recent], changed, before: live.values };
  const names = changed.filter((name) => kind.isComputed?.(name, by) !== true);
  const taken = kind.takes?.(write) ?? [];
  const all = [...names, ...Object.keys(others?.values ?? {}).filter((name) => !taken.includes(name))];
  const of = ({ values }: Live) => Object.fromEntries(all.map((name) => [name, values[name]]));
  return { before: of(live), now: of(answered), text: others?.text };
}

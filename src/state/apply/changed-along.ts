import { isAsDeclared } from "../fields/normal.ts";
import { type Change, fieldOf, isReference, type Live } from "../kind.ts";

/**
 * What an update was not to change: fields of the file that were as declared right before it, and are not any more. A
 * rollback restores them, too.
 */
export function changedAlong({ kind, action, desired, write }: Change, before?: Live, after?: Live): string[] {
  if (action !== "update" || desired === undefined || before === undefined || after === undefined) return [];
  return Object.keys(desired.values).filter((name) => {
    const { readOnly, writeOnly, counter } = fieldOf(kind, name);
    if (write.includes(name) || readOnly || writeOnly || counter || isReference(desired.values[name])) return false;
    const isKept = ({ values }: Live) => isAsDeclared(fieldOf(kind, name), desired, name, values[name]);
    return name in after.values && isKept(before) && !isKept(after);
  });
}

import { isAsDeclared } from "../fields/normal.ts";
import { type Change, fieldOf, isReference, type Live, type Values } from "../kind.ts";

/**
 * What an update was not to change, with its values now: fields of the file that were as declared right before it, and
 * by the answer to it are not any more. A rollback restores them, too.
 *
 * @param before by the last look before the change
 * @param answered what was answered to it: a later read may show what another user has changed
 */
export function changedAlong({ kind, action, desired, write }: Change, before?: Live, answered?: Live): Values {
  if (action !== "update" || desired === undefined || before === undefined || answered === undefined) return {};
  const names = Object.keys(desired.values).filter((name) => {
    const { readOnly, writeOnly, counter } = fieldOf(kind, name);
    if (write.includes(name) || readOnly || writeOnly || counter || isReference(desired.values[name])) return false;
    const isKept = ({ values }: Live) => isAsDeclared(fieldOf(kind, name), desired, name, values[name]);
    return name in answered.values && isKept(before) && !isKept(answered);
  });
  return Object.fromEntries(names.map((name) => [name, answered.values[name]]));
}

import type { Field } from "../api/field.ts";
import { type Completes, listed } from "../api/field-options.ts";

const known: ReadonlySet<Completes> = new Set<Completes>([...listed, "profile", "setting"]);

/** Whether the possible values can be listed, so that the user can choose one if it is missing. */
export function isChoosable(field: Field): boolean {
  const completes = field.completes ?? field.item?.completes;
  return completes === undefined ? (field.item ?? field).values !== undefined : known.has(completes);
}

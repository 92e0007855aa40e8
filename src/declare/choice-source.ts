import type { Field } from "../api/field.ts";
import { type Completes, type Listed, listed } from "../api/field-options.ts";

/** The lists that instances can search by part of a name. */
const searched: ReadonlySet<Listed> = new Set(["project", "group", "user"]);

/** With fewer letters, instances match only complete names. */
const minLetters = 3;

/** Whether the instance can search this list. */
export function isSearched(source: Listed): boolean {
  return searched.has(source);
}

/** The search text for a partly typed value: the last segment of a path. Undefined if it is too short. */
export function searchFor(source: Listed, typed: string): string | undefined {
  const part = typed.slice(typed.lastIndexOf("/") + 1);
  return isSearched(source) && part.length >= minLetters ? part : undefined;
}

const known: ReadonlySet<Completes> = new Set<Completes>([...listed, "profile", "setting"]);

/** Whether the possible values can be listed, so that the user can choose one if it is missing. */
export function isChoosable(field: Field): boolean {
  const completes = field.completes ?? field.item?.completes;
  return completes === undefined ? (field.item ?? field).values !== undefined : known.has(completes);
}

export function isListed(completes: Completes | undefined): completes is Listed {
  return (listed as readonly (Completes | undefined)[]).includes(completes);
}

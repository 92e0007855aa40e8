import { type Completes, type Field, type Listed, listed } from "../api/field.ts";

/** The most values that are asked for at once: what one page has. */
export const mostValues = 100;

/** What instances look through by a part of a name. */
const searched: ReadonlySet<Listed> = new Set(["project", "group", "user"]);

/** By fewer letters instances find nothing but whole names. */
const leastLetters = 3;

/** Whether more of it is found the more is typed. */
export function isSearched(source: Listed): boolean {
  return searched.has(source);
}

/** What to search for where a value is typed in part: of a path the last part. Undefined where that is too short. */
export function searchFor(source: Listed, typed: string): string | undefined {
  const part = typed.slice(typed.lastIndexOf("/") + 1);
  return isSearched(source) && part.length >= leastLetters ? part : undefined;
}

const known: ReadonlySet<Completes> = new Set<Completes>([...listed, "profile", "setting"]);

/** Whether all that a value may be can be listed, so that it can be chosen where it is missing. */
export function isChoosable(field: Field): boolean {
  const completes = field.completes ?? field.item?.completes;
  return completes === undefined ? (field.item ?? field).values !== undefined : known.has(completes);
}

export function isListed(completes: Completes | undefined): completes is Listed {
  return (listed as readonly (Completes | undefined)[]).includes(completes);
}

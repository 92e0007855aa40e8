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

export function isListed(completes: Completes | undefined): completes is Listed {
  return (listed as readonly (Completes | undefined)[]).includes(completes);
}

import { isObject } from "../base/is-object.ts";
import { memoized } from "../base/memo.ts";
import type { Field, Fields } from "./field.ts";

/**
 * The first field whose value has a form other than documented, and the expected one: a list in place of a text, an
 * object in place of a list. Missing fields, null, and unknown ones are tolerated, and so is a number where a text is
 * documented or vice versa, since releases differ in that.
 *
 * @returns "rules.0.id is not a single value"
 */
export function shapeProblem(fields: Fields, value: Readonly<Record<string, unknown>>, above = ""): string | undefined {
  const { byName, composite } = formOf(fields);
  // Iterates without copying the row: lists are long, and most of their values are scalars. A smaller function would be
  // optimized too early: see the walk in src/base/secrets.ts.
  for (const name in value) {
    const each = value[name];
    if (typeof each !== "object" && !composite.has(name)) continue;
    const field = each === null ? undefined : byName.get(name);
    const problem = field && problemOf(field, each, above + name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Form {
  byName: ReadonlyMap<string, Field>;
  /** Names of the fields with composite values. */
  composite: ReadonlySet<string>;
}

const formOf = memoized((fields: Fields): Form => {
  const all = Object.entries(fields);
  const composite = all.filter(([, { kind }]) => kind === "array" || kind === "object" || kind === "map");
  return { byName: new Map(all), composite: new Set(composite.map(([name]) => name)) };
});

function problemOf(field: Field, value: unknown, path: string): string | undefined {
  if (value === null || value === undefined || field.kind === "json") return undefined;
  if (field.kind === "array") return listProblem(field.item, value, path);
  if (field.kind !== "object" && field.kind !== "map") {
    return typeof value === "object" ? `${path} is not a single value` : undefined;
  }
  // An empty object is sometimes sent as a list.
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (!isObject(value)) return `${path} is not an object`;
  return field.shape && shapeProblem(field.shape, value, `${path}.`);
}

function listProblem(item: Field | undefined, value: unknown, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} is not a list`;
  for (const [index, each] of value.entries()) {
    const problem = each === null ? `${path}.${index} is null` : item && problemOf(item, each, `${path}.${index}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

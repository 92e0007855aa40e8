import { isObject } from "../base/is-object.ts";
import type { Field, Fields } from "./field.ts";

/**
 * The first field whose value has another form than documented, and what it should be: a list in place of a text, an
 * object in place of a list. Missing fields, null, and unknown ones are tolerated, and so is a number where a text is
 * documented or the other way about, since releases differ in that.
 *
 * @returns "rules.0.id is not a single value"
 */
export function misshapen(fields: Fields, value: Readonly<Record<string, unknown>>, above = ""): string | undefined {
  for (const [name, field] of Object.entries(fields)) {
    const problem = problemOf(field, Object.hasOwn(value, name) ? value[name] : undefined, above + name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(field: Field, value: unknown, path: string): string | undefined {
  if (value === null || value === undefined || field.kind === "json") return undefined;
  if (field.kind === "array") return listProblem(field.item, value, path);
  if (field.kind !== "object" && field.kind !== "map") {
    return typeof value === "object" ? `${path} is not a single value` : undefined;
  }
  // An empty one is sometimes written as a list.
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (!isObject(value)) return `${path} is not an object`;
  return field.shape && misshapen(field.shape, value, `${path}.`);
}

function listProblem(item: Field | undefined, value: unknown, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} is not a list`;
  for (const [index, each] of value.entries()) {
    const problem = each === null ? `${path}.${index} is null` : item && problemOf(item, each, `${path}.${index}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

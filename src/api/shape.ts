import { isObject } from "../base/is-object.ts";
import { memoized } from "../base/memo.ts";
import type { Entity, Field, Fields } from "./field.ts";
import type { FieldKind } from "./field-options.ts";

/**
 * The first field whose value has a form other than documented, and the expected one: a list in place of a text, an
 * object in place of a list, an object without a required field. Missing fields, null, and unknown ones are tolerated,
 * and so is a number where a text is documented or vice versa, since releases differ in that.
 *
 * @returns "rules.0.id is not a single value"
 */
export function shapeProblem(fields: Fields, value: Readonly<Record<string, unknown>>, above = ""): string | undefined {
  const { byName, composite, ids } = formOf(fields);
  // Iterates without copying the row: lists are long, and most of their values are scalars. In one function: V8 would
  // optimize a smaller one after one page, and Node 20 waits for that at exit.
  for (const name in value) {
    const each = value[name];
    // A larger one would be rounded to that of another object.
    if (typeof each === "number" && !Number.isSafeInteger(each) && ids.has(name)) return `${above}${name} is not an ID`;
    if (typeof each !== "object" && !composite.has(name)) continue;
    const field = each === null ? undefined : byName.get(name);
    const problem = field && problemOf(field, each, above + name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * The first required field that is null, missing, or of another type than the program works with.
 *
 * @returns "id is missing"
 */
function gapIn(fields: Fields, value: Readonly<Record<string, unknown>>, above = ""): string | undefined {
  for (const [name, type] of formOf(fields).required) {
    const each = value[name];
    if (typeof each === type && each !== null) continue;
    // Some instances quote numbers.
    if (type !== "number" || typeof each !== "string" || !/^\d+$/.test(each))
      return `${above}${name} ${unlike(each, type)}`;
  }
  return undefined;
}

/** The first gap of a row that was read, or the first field of another form than documented. */
export function rowProblem(fields: Fields, value: Readonly<Record<string, unknown>>, above = ""): string | undefined {
  return gapIn(fields, value, above) ?? shapeProblem(fields, value, above);
}

/**
 * Why an object may not be the answer to a change, but that of something in front of the instance, which may have a
 * name and a status too.
 */
export function proofProblem(
  { name, shape, proof }: Entity,
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  const isProven = proof === undefined ? hasField(shape, value) : proof.some((each) => (value[each] ?? null) !== null);
  if (!isProven) return `the answer has none of the fields of ${name}`;
  const hasOthers = proof?.some((each) => shape[each]?.required) === true;
  const gap = hasOthers ? undefined : gapIn(shape, value);
  return gap && `in a ${name} of the answer, ${gap}`;
}

/** Whether at least one field is shown: an object without any is not what was read. */
export function hasField(fields: Fields, value: Readonly<Record<string, unknown>>): boolean {
  const { byName } = formOf(fields);
  for (const name in value) if (byName.has(name)) return true;
  return byName.size === 0;
}

interface Form {
  byName: ReadonlyMap<string, Field>;
  /** Names of the fields with composite values. */
  composite: ReadonlySet<string>;
  /** Names of the fields with an ID. */
  ids: ReadonlySet<string>;
  /** The required fields, and what `typeof` says of their values. */
  required: readonly (readonly [name: string, type: string])[];
}

const formOf = memoized((fields: Fields): Form => {
  const all = Object.entries(fields);
  const composite = all.filter(([, { kind }]) => composites.has(kind));
  return {
    byName: new Map(all),
    composite: new Set(composite.map(([name]) => name)),
    ids: new Set(all.filter(([, { kind }]) => kind === "id").map(([name]) => name)),
    required: all.filter(([, field]) => field.required).map(([name, { kind }]) => [name, typeOf(kind)]),
  };
});

const numbers: ReadonlySet<FieldKind> = new Set(["id", "integer", "number", "bytes", "seconds", "code"]);
const composites: ReadonlySet<FieldKind> = new Set(["array", "object", "map"]);

function typeOf(kind: FieldKind): "number" | "object" | "string" {
  if (composites.has(kind)) return "object";
  return numbers.has(kind) ? "number" : "string";
}

function unlike(value: unknown, type: string): string {
  if (value === undefined) return "is missing";
  if (value === null) return "is null";
  return type === "object" ? "is a single value" : `is not a ${type === "number" ? "number" : "text"}`;
}

function problemOf(field: Field, value: unknown, path: string): string | undefined {
  if (value === null || value === undefined || field.kind === "json") return undefined;
  if (field.kind === "array") return listProblem(field.item, value, path);
  if (field.kind !== "object" && field.kind !== "map") {
    return typeof value === "object" ? `${path} is not a single value` : undefined;
  }
  // An empty object is sometimes sent as a list.
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (!isObject(value)) return `${path} is not an object`;
  return field.shape && rowProblem(field.shape, value, `${path}.`);
}

function listProblem(item: Field | undefined, value: unknown, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} is not a list`;
  for (const [index, each] of value.entries()) {
    const problem = each === null ? `${path}.${index} is null` : item && problemOf(item, each, `${path}.${index}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

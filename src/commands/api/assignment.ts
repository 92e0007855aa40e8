import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";

type Tree = Record<string, unknown>;

/** No instance reads as many; thousands would exceed the stack. */
const maxSteps = 100;

/**
 * Assigns values by their keys, as instances read them: `a[b]=c` sets a property, `a[]=c` appends to a list, and
 * `a[][b]=c` sets a property of its last object, or of a new one if that has it already.
 */
export function assignPairs(root: Tree, pairs: readonly (readonly [string, unknown])[]): void {
  for (const [key, value] of pairs) {
    const [, head = "", tail = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? [];
    if (head === "") throw new UsageError(`"${key}" is not a parameter name; nested ones are written a[b] and a[]`);
    const steps = [head, ...[...tail.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? "")];
    if (steps.length > maxSteps) throw new UsageError(`a parameter name has more than ${maxSteps} parts`);
    if (steps.some((step) => ["__proto__", "constructor", "prototype"].includes(step))) {
      throw new UsageError(`"${key}" is not a parameter name`);
    }
    place(root, steps, value, key);
  }
}

/**
 * Refuses a list whose objects get parts from both: their order says which belong together, and is lost between two
 * flags.
 */
export function refuseMixedLists(
  raw: readonly (readonly [string, unknown])[],
  typed: readonly (readonly [string, unknown])[],
): void {
  const listsOf = (pairs: typeof raw) => pairs.flatMap(([key]) => /^.+?\[\](?=\[)/.exec(key)?.[0] ?? []);
  const ofTyped = new Set(listsOf(typed));
  const list = listsOf(raw).find((each) => ofTyped.has(each));
  if (list === undefined) return;
  throw new UsageError(`parts of ${list} are given with -f and with -F, so that their order is not known`, {
    hint: "give all of them with -F",
  });
}

/** What a value is placed into, if it is there already. */
function presentAt(here: Tree | unknown[], steps: readonly string[], index: number): unknown {
  const [step = "", ...rest] = steps.slice(index);
  if (!Array.isArray(here)) return Object.hasOwn(here, step) ? here[step] : undefined;
  const last = here.at(-1);
  return step === "" && rest.length > 0 && isObject(last) && !holds(last, rest) ? last : undefined;
}

/** Whether a value has this path; that into a list can always be extended. */
function holds(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  return step !== "" && isObject(value) && Object.hasOwn(value, step) && holds(value[step], rest);
}

function place(root: Tree, steps: readonly string[], value: unknown, key: string): void {
  let here: Tree | unknown[] = root;
  for (const [index, step] of steps.entries()) {
    const last = index === steps.length - 1;
    const child: unknown = last ? value : steps[index + 1] === "" ? [] : {};
    const present: unknown = presentAt(here, steps, index);
    if (Array.isArray(here) !== (step === ""))
      throw new UsageError(`"${key}" makes one parameter both a list and an object`);
    if (last && present !== undefined) throw new UsageError(`"${key}" is given twice; a list is written ${key}[]`);
    if (last || present === undefined) {
      if (Array.isArray(here)) here.push(child);
      else here[step] = child;
    }
    if (last) return;
    here = (present === undefined ? child : present) as Tree | unknown[];
    if (typeof here !== "object" || here === null) throw new UsageError(`"${key}" is given a value and parts of one`);
  }
}

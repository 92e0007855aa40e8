import { UsageError } from "../../base/errors.ts";

type Tree = Record<string, unknown>;

/** No instance reads as many; thousands would exceed the stack. */
const maxSteps = 100;

/** Assigns values by their keys: `a[b]=c` sets a property, `a[]=c` appends to a list. */
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

function place(root: Tree, steps: readonly string[], value: unknown, key: string): void {
  let here: Tree | unknown[] = root;
  for (const [index, step] of steps.entries()) {
    const last = index === steps.length - 1;
    const child: unknown = last ? value : steps[index + 1] === "" ? [] : {};
    const present: unknown = Object.hasOwn(here, step) ? (here as Tree)[step] : undefined;
    if (Array.isArray(here) !== (step === ""))
      throw new UsageError(`"${key}" makes one parameter both a list and an object`);
    if (last && present !== undefined) throw new UsageError(`"${key}" is given twice; a list is written ${key}[]`);
    if (Array.isArray(here)) here.push(child);
    else if (last || present === undefined) here[step] = child;
    if (last) return;
    here = (present === undefined ? child : present) as Tree | unknown[];
    if (typeof here !== "object" || here === null) throw new UsageError(`"${key}" is given a value and parts of one`);
  }
}

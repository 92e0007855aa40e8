import { isObject } from "../../base/is-object.ts";
import { Commented } from "../yaml/yaml-comment.ts";
import type { Leaf } from "./tree.ts";
import { contains, type Held, takenBy, type Unit, type Value } from "./unit.ts";

/** What is written for a scope or a pattern: undefined is nothing, since what is inherited is right. */
export type Written = { readonly value: unknown } | undefined;

/** What a scope writes of a unit, given what it inherits. */
export function writtenBy(unit: Unit, { scope, held }: Leaf, inherited: Value | undefined): Written {
  const own = held.get(unit.name) ?? "undeclared";
  return written(own, takenBy(unit, inherited, scope));
}

/** What is written for a value above which another one is inherited. */
export function written(own: Held, inherited: Value | undefined): Written {
  if (own === "undeclared") return undefined;
  if (own === "unreadable") return inherited === undefined ? undefined : { value: "unmanaged" };
  if (inherited === undefined) return { value: own.value };
  if (own.text === inherited.text) return undefined;
  if (own.entries === undefined || !inherited.entries?.size || !contains(own, inherited)) return { value: own.value };
  const more = [...own.entries].filter(([text]) => !inherited.entries?.has(text)).map(([, entry]) => entry);
  return { value: ["inherit", ...more] };
}

/** Whether a scope has the value, or a list that contains it; an empty one is in none. */
export function fits(unit: Unit, { scope, held }: Leaf, candidate: Value): boolean {
  const own = held.get(unit.name);
  const taken = takenBy(unit, candidate, scope) ?? candidate;
  if (typeof own !== "object") return false;
  return own.text === taken.text || (taken.entries?.size !== 0 && contains(own, taken));
}

/** The lines of a key with this value. */
export function linesOf(value: unknown): number {
  if (value instanceof Commented) return 1;
  if (Array.isArray(value)) return 1 + value.reduce((sum: number, each) => sum + linesOfItem(each), 0);
  return isObject(value) ? 1 + linesWithin(value) : 1;
}

function linesOfItem(item: unknown): number {
  return isObject(item) && !(item instanceof Commented) ? Math.max(1, linesWithin(item)) : 1;
}

function linesWithin(mapping: object): number {
  return Object.values(mapping).reduce((sum: number, each) => sum + linesOf(each), 0);
}

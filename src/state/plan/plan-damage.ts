import { wordsOf } from "../../api/json.ts";
import { isObject } from "../../base/is-object.ts";
import { haveObjects } from "../fields/rule-elements.ts";
import { type Change, isReference, type Reference, type Values } from "../kind.ts";
import { findKind } from "../kinds/index.ts";

/** Why a file is no whole plan; undefined if it is one. No row is ever left out. */
export function planDamage(plan: Values): string | undefined {
  return headProblem(plan) ?? changesProblem(plan.changes);
}

function headProblem({
  instance,
  caller,
  planned,
  prune,
  secrets,
  files,
  equal,
  shared,
  changes,
}: Values): string | undefined {
  const isCaller = isObject(caller) && typeof caller.id === "number" && typeof caller.admin === "boolean";
  const areFiles = isObject(files) && Object.values(files).every((each) => typeof each === "string");
  const isRight =
    typeof instance === "string" &&
    (planned === undefined || typeof planned === "string") &&
    typeof prune === "boolean" &&
    ["auto", "always", "never"].includes(secrets as string) &&
    typeof equal === "number" &&
    areShared(shared) &&
    Array.isArray(changes);
  return isCaller && areFiles && isRight ? undefined : "its head is incomplete";
}

function areShared(shared: unknown): boolean {
  const isCounted = (each: unknown) =>
    isObject(each) && [each.size, each.removals, each.scopes].every((count) => typeof count === "number");
  return Array.isArray(shared) && shared.every((each) => isCounted(each) && typeof (each as Values).name === "string");
}

const actions: readonly Change["action"][] = ["create", "update", "replace", "delete", "disarm", "extra", "unreadable"];

/** Why the rows cannot be used; no row is ever left out. */
function changesProblem(changes: unknown): string | undefined {
  const ids = new Map<string, unknown>();
  for (const [index, change] of (changes as unknown[]).entries()) {
    const problem = isObject(change) ? (changeProblem(change) ?? placeProblem(change, ids)) : "is not an object";
    if (problem !== undefined) return `row ${index + 1} ${problem}`;
  }
  return undefined;
}

/** Some requests name a project by its ID, which is not shown: it is checked once for all rows of a list. */
function placeProblem({ at, scope, scope_id: id }: Values, ids: Map<string, unknown>): string | undefined {
  if (id === undefined) return undefined;
  const place = `${at}:${scope}`;
  const known = ids.get(place) ?? id;
  ids.set(place, known);
  return known === id ? undefined : `has another ID for ${scope} than the rows before it`;
}

function changeProblem(change: Values): string | undefined {
  const { address, at, scope, scope_id: id, kind: name, action, fields, declared, from, doubts, file, line } = change;
  const { key, id: own, lockout, reason, preimage } = change;
  const kind = typeof name === "string" ? findKind(name) : undefined;
  if (kind === undefined) return `is of the kind ${wordsOf(name)}, which this version does not know`;
  if (!actions.includes(action as Change["action"])) return `has the action ${wordsOf(action)}`;
  if (at !== kind.at || (at === "instance") !== (scope === null) || (scope !== null && typeof scope !== "string")) {
    return "has another scope than its kind";
  }
  const isPlaced = (file === null && line === null) || (typeof file === "string" && typeof line === "number");
  const isDeclared = declared === null || (isObject(declared) && isObject(declared.values));
  const areDoubts = doubts === undefined || (isObject(doubts) && Object.values(doubts).every(Array.isArray));
  const isKnown = id === undefined || typeof id === "number";
  const isNamed = (own === null || typeof own === "number") && [key, lockout, reason, preimage].every(isTextOrNull);
  const isRight =
    isKnown && isNamed && isPlaced && isDeclared && areDoubts && (from === null || isObject(from)) && areFields(fields);
  if (!isRight || typeof address !== "string") return "is incomplete";
  const values = declared === null ? {} : ((declared as Values).values as Values);
  if (![values, from ?? {}].every((each) => haveObjects(kind, each as Values))) return "has an item that is no object";
  return declared === null ? undefined : referenceDamage(values);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function areFields(fields: unknown): boolean {
  const isField = (each: unknown) =>
    isObject(each) &&
    typeof each.path === "string" &&
    typeof each.secret === "boolean" &&
    (each.source === null || typeof each.source === "string");
  return Array.isArray(fields) && fields.every(isField);
}

/** References are the program's own objects; anything else in their place is refused. */
function referenceDamage(value: unknown): string | undefined {
  if (isReference(value)) {
    const { reference, name, origin, ...more } = value as Reference & Values;
    const isRight = (reference === "env" || reference === "file") && typeof name === "string" && isObject(origin);
    if (isRight && typeof origin.file === "string" && Object.keys(more).length === 0) return undefined;
    return "refers to something else than a variable, or a file by its name";
  }
  if (Array.isArray(value)) return value.map(referenceDamage).find((each) => each !== undefined);
  if (!isObject(value)) return undefined;
  return Object.values(value)
    .map(referenceDamage)
    .find((each) => each !== undefined);
}

import { createHash } from "node:crypto";
import { join } from "node:path";
import { UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { hideInAddresses } from "../base/secrets.ts";
import { planMode } from "../config/resolve.ts";
import type { Context } from "../context.ts";
import { readSource } from "../transfer/source.ts";
import {
  type Caller,
  type Change,
  type Declared,
  fieldOf,
  isReference,
  type Kind,
  type Reference,
  type Scope,
  type StateField,
  type Values,
} from "./kind.ts";
import { findKind } from "./kinds/index.ts";
import type { SharedList } from "./patterns/shared-lists.ts";
import { callerOf, type Plan, type PlanOptions } from "./plan.ts";
import { readerOf } from "./reader.ts";
import { addressOfChange, type PlanRow, planRow } from "./row.ts";
import { hideCredentials, holdsCredentials, isSecret, withReferences } from "./secrecy.ts";

/** The version of the format: an older plan is made again. */
const version = 2;

/** A stored plan: with references in place of secrets, and the values that each row was computed from. */
export interface SavedPlan {
  readonly forgectl_plan: typeof version;
  readonly instance: string;
  /** The user who planned. */
  readonly caller: Caller;
  readonly prune: boolean;
  readonly secrets: PlanOptions["secrets"];
  /** SHA-256 of the files that the changes name, by path below the folder of `-f`; not of those with a secret. */
  readonly files: Readonly<Record<string, string>>;
  readonly equal: number;
  /** What is removed from the lists of patterns, over all scopes. */
  readonly shared: readonly SharedList[];
  readonly changes: readonly SavedChange[];
}

/** A row as it is shown, and what it is computed from. */
export interface SavedChange extends PlanRow {
  readonly at: Scope["at"];
  /** The declared values with references; null for a removal. */
  readonly declared: Pick<Declared, "values" | "key" | "places"> | null;
  /** The live values without secrets; null if the object does not exist. */
  readonly from: Values | null;
}

/** Saves a plan to a file. */
export async function savePlan(context: Context, path: string, plan: Plan, options: PlanOptions): Promise<void> {
  const saved: SavedPlan = {
    forgectl_plan: version,
    instance: context.config.baseUrl?.value ?? "",
    caller: plan.caller ?? (await callerOf(readerOf(context.api))),
    prune: options.prune,
    secrets: options.secrets,
    files: await digests(context, plan.changes),
    equal: plan.equal,
    shared: plan.shared,
    changes: plan.changes.map((change) => ({
      ...planRow(change),
      at: change.scope.at,
      declared: declaredOf(change),
      from: change.live === undefined ? null : storable(change),
    })),
  };
  if (context.config.dryRun) return;
  await context.files.write(path, `${JSON.stringify(saved, null, 2)}\n`, planMode(context.env));
}

/** The declaration with references in place of their texts, since a plan must not contain secrets. */
function declaredOf(change: Change): SavedChange["declared"] {
  const { desired, kind, write } = change;
  if (desired === undefined) return null;
  const values = { ...withReferences(kind, desired), ...desired.read };
  const plain = Object.entries(values).filter(([name, value]) => isPlainSecret(fieldOf(kind, name), value));
  const sent = plain.find(([name]) => write.includes(name) || kind.keys.flat().includes(name));
  if (sent !== undefined) {
    throw new UsageError(
      `${addressOfChange(change)}: ${sent[0]} is in plain text, and a plan must not contain secrets`,
      { hint: "write { env: NAME } or { file: path } in the file" },
    );
  }
  const hidden = new Set(plain.map(([name]) => name));
  const shown = Object.entries(values).filter(([name]) => !hidden.has(name));
  return {
    values: Object.fromEntries(shown.map(([name, value]) => [name, withoutFolder(value)])),
    ...(desired.key !== undefined && { key: desired.key }),
    ...(desired.places !== undefined && { places: desired.places }),
  };
}

function isPlainSecret(field: StateField, value: unknown): boolean {
  if (holdsCredentials(value)) return true;
  if (field.form !== "keys") return field.secret === true && !isReference(value);
  const items = Array.isArray(value) ? (value as Values[]) : [];
  return items.some((item) =>
    Object.entries(item).some(([name, each]) => field.item?.[name]?.secret && !isReference(each)),
  );
}

/** Where a plan is applied its files are below another folder. */
function withoutFolder(value: unknown): unknown {
  if (isReference(value)) return { reference: value.reference, name: value.name, origin: value.origin };
  if (Array.isArray(value)) return value.map(withoutFolder);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutFolder(each)]));
}

/** The live values that a row can be computed from again: without secrets, but saying where one was. */
function storable({ kind, desired, live }: Change): Values {
  const entries = Object.entries(live?.values ?? {}).filter(([name]) => name === "id" || isManaged(kind, name));
  const known = entries.filter(([name]) => !isSecret(kind, desired, name));
  return Object.fromEntries(known.map(([name, value]) => [name, storedValue(fieldOf(kind, name), value)]));
}

/** Of headers only the keys. */
function storedValue(field: StateField, value: unknown): unknown {
  if (field.form !== "keys" || !Array.isArray(value)) return hideCredentials(value);
  return value.map((item: Values) => ({ key: item.key }));
}

function isManaged(kind: Kind, name: string): boolean {
  const known = Object.hasOwn(kind.fields, name) || kind.fieldOf?.(name) !== undefined;
  return known && fieldOf(kind, name).readOnly !== true && fieldOf(kind, name).writeOnly !== true;
}

/** The files whose texts are compared: what they say is part of what was reviewed. */
async function digests(context: Context, changes: readonly Change[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { kind, desired } of changes) {
    for (const [name, reference] of Object.entries(desired?.read ?? {})) {
      if (reference.reference === "file" && !isSecret(kind, desired, name)) {
        found[reference.name] = (await digestOf(context, reference)) ?? "";
      }
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The SHA-256 of a file, hexadecimal; undefined if it does not exist. */
export async function digestOf({ files }: Context, { folder, name }: Pick<Reference, "folder" | "name">) {
  const path = await files.real(join(folder ?? "", name));
  return path === undefined
    ? undefined
    : createHash("sha256")
        .update(await files.read(path))
        .digest("hex");
}

/** The rows of a saved plan. */
export async function readSavedRows(context: Context, path: string): Promise<readonly PlanRow[]> {
  const { changes } = await readSaved(context, path);
  return changes.map(({ at: _, declared: __, from: ___, ...row }) => row);
}

/** Reads a saved plan. It is believed for what it holds, not for whose it is: it travels as an artifact. */
export async function readSaved(context: Context, path: string): Promise<SavedPlan> {
  const value = parsed(new TextDecoder().decode(await readSource(context, path)));
  const name = hideInAddresses(path);
  if (!isObject(value) || value.forgectl_plan === undefined) {
    throw new UsageError(`${name} is not a plan that forgectl state plan --save wrote`);
  }
  if (value.forgectl_plan !== version) {
    throw new UsageError(`${name}: its format is version ${String(value.forgectl_plan)}, not ${version}`, {
      code: "plan_version",
      hint: "plan again with this version",
    });
  }
  const problem = headProblem(value) ?? changesProblem(value.changes);
  if (problem !== undefined) {
    throw new UsageError(`${name} is damaged: ${problem}`, { code: "damaged_plan", hint: "plan again" });
  }
  return value as unknown as SavedPlan;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headProblem({ instance, caller, prune, secrets, files, equal, shared, changes }: Values): string | undefined {
  const isCaller = isObject(caller) && typeof caller.id === "number" && typeof caller.admin === "boolean";
  const areFiles = isObject(files) && Object.values(files).every((each) => typeof each === "string");
  const isRight =
    typeof instance === "string" &&
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
  for (const [index, change] of (changes as unknown[]).entries()) {
    const problem = isObject(change) ? changeProblem(change) : "is not an object";
    if (problem !== undefined) return `row ${index + 1} ${problem}`;
  }
  return undefined;
}

function changeProblem(change: Values): string | undefined {
  const { address, at, scope, kind: name, action, fields, declared, from, file, line } = change;
  const kind = typeof name === "string" ? findKind(name) : undefined;
  if (kind === undefined) return `is of the kind ${String(name)}, which this version does not know`;
  if (!actions.includes(action as Change["action"])) return `has the action ${String(action)}`;
  if (at !== kind.at || (at === "instance") !== (scope === null) || (scope !== null && typeof scope !== "string")) {
    return "has another scope than its kind";
  }
  const isPlaced = (file === null && line === null) || (typeof file === "string" && typeof line === "number");
  const isDeclared = declared === null || (isObject(declared) && isObject(declared.values));
  const isRight = isPlaced && isDeclared && (from === null || isObject(from)) && areFields(fields);
  if (!isRight || typeof address !== "string") return "is incomplete";
  return declared === null ? undefined : referenceDamage((declared as Values).values);
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

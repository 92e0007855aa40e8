import { createHash } from "node:crypto";
import { join, normalize } from "node:path";
import { wordsOf } from "../../api/json.ts";
import { planMode } from "../../base/ci.ts";
import { compareTexts } from "../../base/compare-texts.ts";
import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { ownValue } from "../../base/own-value.ts";
import { readJson } from "../../base/read-value.ts";
import { hideInAddresses } from "../../base/secrets.ts";
import type { Context } from "../../context.ts";
import { readSource } from "../../transfer/source.ts";
import { hideCredentials, holdsCredentials, isSecret, isStorable, withReferences } from "../fields/secrecy.ts";
import { originText } from "../finding.ts";
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
} from "../kind.ts";
import { readerOf } from "../live/reader.ts";
import type { SharedList } from "../patterns/shared-lists.ts";
import { callerOf, type Plan, type PlanOptions } from "./plan.ts";
import { planDamage } from "./plan-damage.ts";
import { addressOfChange, type PlanRow, planRow } from "./plan-row.ts";

/** The version of the format: an older plan is made again. */
const version = 2;

/** A stored plan: with references in place of secrets, and the values that each row was computed from. */
export interface SavedPlan {
  readonly forgectl_plan: typeof version;
  readonly instance: string;
  /** The user who planned. */
  readonly caller: Caller;
  /** When it was made; absent in plans of older versions. */
  readonly planned?: string;
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
  /** The ID of the project or group; absent for the instance, and in plans of older versions. */
  readonly scope_id?: number;
  /** The declared values with references; null for a removal. */
  readonly declared: Pick<Declared, "values" | "key" | "places"> | null;
  /** The live values without secrets; null if the object does not exist. */
  readonly from: Values | null;
  /** Of a cached object, the other values that written fields may have: absent if there are none. */
  readonly doubts?: Readonly<Record<string, readonly unknown[]>>;
}

/** Saves a plan to a file. */
export async function savePlan(context: Context, path: string, plan: Plan, options: PlanOptions): Promise<void> {
  await refuseFolders(context, plan.changes);
  const saved: SavedPlan = {
    forgectl_plan: version,
    instance: context.config.baseUrl?.value ?? "",
    caller: plan.caller ?? (await callerOf(readerOf(context.api, context.config))),
    planned: context.now().toISOString(),
    prune: options.prune,
    secrets: options.secrets,
    files: await digests(context, plan.changes),
    equal: plan.equal,
    shared: plan.shared,
    changes: plan.changes.map((change) => ({
      ...planRow(change),
      at: change.scope.at,
      ...(change.scope.id !== undefined && { scope_id: change.scope.id }),
      declared: declaredOf(change),
      from: change.live === undefined ? null : storable(change),
      ...doubtsOf(change),
    })),
  };
  if (context.config.dryRun) return;
  await context.files.write(path, `${JSON.stringify(saved, null, 2)}\n`, planMode(context.env));
}

/** What a copy of a cached object may still show of the fields that are written. */
function doubtsOf(change: Change): Pick<SavedChange, "doubts"> {
  const entries = [...(change.doubts ?? [])].filter(
    ([name, values]) => change.write.includes(name) && values.every((value) => isStorable(change, name, value)),
  );
  return entries.length === 0 ? {} : { doubts: Object.fromEntries(entries) };
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
  // An empty text removes a secret.
  const isPlain = (of: StateField | undefined, text: unknown) => of?.secret && !isReference(text) && text !== "";
  if (field.form !== "keys") return isPlain(field, value) === true;
  const items = Array.isArray(value) ? (value as Values[]) : [];
  return items.some((item) => Object.entries(item).some(([name, each]) => isPlain(ownValue(field.item, name), each)));
}

/** Throws if files that are named are below several folders: an apply looks for all of them below one. */
async function refuseFolders({ files }: Context, changes: readonly Change[]): Promise<void> {
  let first: string | undefined;
  for (const { kind, desired } of changes) {
    if (desired === undefined) continue;
    const values = { ...withReferences(kind, desired), ...desired.read };
    for (const { reference, name, folder, origin } of referencesIn(values)) {
      if (reference !== "file" || folder === undefined) continue;
      const place = (await files.real(folder)) ?? normalize(folder);
      first ??= place;
      if (place === first) continue;
      throw new UsageError(`${originText(origin)}: ${name} is below ${folder}, and another file below another folder`, {
        code: "named_twice",
        reason: "a saved plan names files by their path below one folder",
        nothing: "sent",
        hint: "give one folder with -f that has them all, and name the files by their paths below it",
      });
    }
  }
}

/** All references within a value. */
export function* referencesIn(value: unknown): Generator<Reference> {
  if (isReference(value)) yield value;
  else if (Array.isArray(value)) for (const each of value) yield* referencesIn(each);
  else if (isObject(value)) for (const each of Object.values(value)) yield* referencesIn(each);
}

/** Where a plan is applied its files are below another folder. */
function withoutFolder(value: unknown): unknown {
  if (isReference(value)) return { reference: value.reference, name: value.name, origin: value.origin };
  if (Array.isArray(value)) return value.map(withoutFolder);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutFolder(each)]));
}

/** The live values that a row can be computed from again: without secrets, but saying where one was. */
function storable({ kind, desired, live, hidden = [] }: Change): Values {
  const entries = Object.entries(live?.values ?? {}).filter(([name]) => name === "id" || isManaged(kind, name));
  const known = entries.filter(([name]) => !isSecret(kind, desired, name) && !hidden.includes(name));
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
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => compareTexts(a, b)));
}

/** The SHA-256 of a file, hexadecimal; undefined if it does not exist. */
export async function digestOf({ files }: Context, { folder, name }: Pick<Reference, "folder" | "name">) {
  const found = await files.readReal(join(folder ?? "", name));
  return found && createHash("sha256").update(found.bytes).digest("hex");
}

/** The rows of a saved plan. */
export async function readSavedRows(context: Context, path: string): Promise<readonly PlanRow[]> {
  const { changes } = await readSaved(context, path);
  return changes.map(rowOf);
}

/** A row as it was shown. */
export function rowOf({ at: _, scope_id: __, declared: ___, from: ____, doubts: _____, ...row }: SavedChange): PlanRow {
  return row;
}

/** Reads a saved plan. It is believed for what it holds, not for whose it is: it travels as an artifact. */
export async function readSaved(context: Context, path: string): Promise<SavedPlan> {
  const value = readJson(new TextDecoder().decode(await readSource(context, path)));
  const name = hideInAddresses(path);
  if (!isObject(value) || value.forgectl_plan === undefined) {
    throw new UsageError(`${name} is not a plan that forgectl state plan --save wrote`);
  }
  if (value.forgectl_plan !== version) {
    throw new UsageError(`${name}: its format is version ${wordsOf(value.forgectl_plan)}, not ${version}`, {
      code: "plan_version",
      hint: "plan again with this version",
    });
  }
  const problem = planDamage(value);
  if (problem !== undefined) {
    throw new UsageError(`${name} is damaged: ${problem}`, { code: "damaged_plan", hint: "plan again" });
  }
  return value as unknown as SavedPlan;
}

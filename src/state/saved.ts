import { Failure, UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import type { Context } from "../context.ts";
import { readSource } from "../transfer/source.ts";
import {
  type Change,
  type Declared,
  fieldOf,
  isReference,
  type Scope,
  type Section,
  type StateField,
  type Values,
} from "./kind.ts";
import { findKind } from "./kinds/index.ts";
import { callerOf, isWrite, makePlan, type Plan, type PlanOptions } from "./plan.ts";
import { readerOf } from "./reader.ts";
import { addressOfChange, type PlanRow, planRow, preimageOf } from "./row.ts";

/** A stored plan: with references in place of secrets, and hashes of the values it was based on. */
interface SavedPlan {
  readonly forgectl_plan: 1;
  readonly instance: string;
  readonly caller: number;
  readonly prune: boolean;
  readonly secrets: PlanOptions["secrets"];
  readonly equal: number;
  readonly changes: readonly SavedChange[];
}

interface SavedChange extends PlanRow {
  readonly at: Scope["at"];
  readonly declared: Declared | null;
}

/** Saves a plan to a file (0600). */
export async function savePlan(context: Context, path: string, plan: Plan, options: PlanOptions): Promise<void> {
  const caller = plan.caller ?? (await callerOf(readerOf(context.api)));
  const saved: SavedPlan = {
    forgectl_plan: 1,
    instance: context.config.baseUrl?.value ?? "",
    caller: caller.id,
    prune: options.prune,
    secrets: options.secrets,
    equal: plan.equal,
    changes: plan.changes.map((change) => ({
      ...planRow(change),
      at: change.scope.at,
      declared: withoutSecrets(change),
    })),
  };
  if (context.config.dryRun) return;
  await context.files.write(path, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 });
}

/** The declaration with references in place of their texts, since a plan must not contain secrets. */
function withoutSecrets(change: Change): Declared | null {
  const { desired, kind, write } = change;
  if (desired === undefined) return null;
  const plain = Object.entries(desired.values).filter(([name, value]) => isPlainSecret(fieldOf(kind, name), value));
  const sent = plain.find(([name]) => write.includes(name));
  if (sent !== undefined) {
    throw new UsageError(
      `${addressOfChange(change)}: ${sent[0]} is in plain text, and a plan must not contain secrets`,
      {
        hint: "write { env: NAME } or { file: path } in the file",
      },
    );
  }
  const hidden = new Set(plain.map(([name]) => name));
  const values = Object.entries({ ...desired.values, ...desired.read }).filter(([name]) => !hidden.has(name));
  return { values: Object.fromEntries(values), origin: desired.origin };
}

function isPlainSecret(field: StateField, value: unknown): boolean {
  if (field.form !== "keys") return field.secret === true && !isReference(value);
  const items = Array.isArray(value) ? (value as Values[]) : [];
  return items.some((item) =>
    Object.entries(item).some(([name, each]) => field.item?.[name]?.secret && !isReference(each)),
  );
}

/** The rows of a saved plan. */
export async function readSavedRows(context: Context, path: string): Promise<readonly PlanRow[]> {
  const { changes } = await readSaved(context, path);
  return changes.map(({ at: _, declared: __, ...row }) => row);
}

/**
 * Reads a saved plan and recomputes it from the live state: changes already made are left out, and any object that is
 * neither in its planned nor in its desired state is a conflict that names it (exit 6), with nothing sent.
 */
export async function resumePlan(context: Context, path: string): Promise<{ plan: Plan; options: PlanOptions }> {
  const saved = await readSaved(context, path);
  const here = context.config.baseUrl?.value;
  if (saved.instance !== here) throw new UsageError(`the plan is for ${saved.instance}, not for ${here}`);
  const { id } = await callerOf(readerOf(context.api));
  if (id !== saved.caller) throw new UsageError(`the plan was made by user ${saved.caller}, not by user ${id}`);
  const options = {
    prune: saved.prune,
    secrets: saved.secrets,
    only: undefined,
    projects: undefined,
    groups: undefined,
  };
  const wanted = new Map(saved.changes.map((change) => [change.address, change]));
  const plan = await makePlan(
    context,
    { sections: sectionsOf(saved.changes), keep: new Map(), instances: [] },
    options,
  );
  const changes = plan.changes.filter((change) => isWrite(change) && wanted.has(addressOfChange(change)));
  const stale = changes.filter((change) => isStale(change, wanted.get(addressOfChange(change))));
  if (stale.length === 0) return { plan: { ...plan, changes }, options };
  throw new Failure("conflict", `${stale.map(addressOfChange).join(", ")}: changed since the plan was made`, {
    code: "stale_plan",
    reason: "nothing was sent",
    hint: "plan again",
  });
}

function isStale(change: Change, saved: SavedChange | undefined): boolean {
  return saved?.action !== change.action || (preimageOf(change, change.live?.values) ?? null) !== saved.preimage;
}

function sectionsOf(changes: readonly SavedChange[]): Section[] {
  const sections = new Map<string, Section & { entries: Declared[] }>();
  for (const { at, scope, kind: name, declared, action } of changes) {
    const kind = findKind(name);
    if (kind === undefined || action === "extra" || action === "unreadable") continue;
    const id = `${at}:${scope}#${name}`;
    const origin = declared?.origin ?? { file: "", line: 0 };
    const held = sections.get(id) ?? { scope: { at, name: scope ?? "" }, kind, entries: [], origin };
    sections.set(id, held);
    if (declared !== null) held.entries.push(declared);
  }
  return [...sections.values()];
}

async function readSaved(context: Context, path: string): Promise<SavedPlan> {
  const text = new TextDecoder().decode(await readSource(context, path));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isObject(value) || value.forgectl_plan !== 1 || !Array.isArray(value.changes)) {
    throw new UsageError(`${path} is not a plan that forgectl state plan --save wrote`);
  }
  return value as unknown as SavedPlan;
}

import { Failure, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { writableValues } from "./compare.ts";
import { addressOf, type Change, type Declared, type Section } from "./kind.ts";
import { findKind } from "./kinds/index.ts";
import { isWrite, makePlan, type Plan } from "./plan.ts";
import { addressOfChange, preimageOf } from "./row.ts";
import type { Run, RunEntry } from "./runs.ts";

/** The way back, and what it cannot bring back. */
export interface Rollback {
  readonly plan: Plan;
  /** Addresses of what comes back without its secrets, which nobody can read. */
  readonly withoutSecrets: readonly string[];
}

/** A run's entries that changed something, or may have. */
const touching = new Set<RunEntry["status"]>(["done", "altered", "unknown"]);

/**
 * Plans towards the pre-image of a run. What is no longer as the run left it is a conflict (exit 6), unless `overwrite`
 * is set.
 */
export async function planRollback(context: Context, run: Run, overwrite: boolean): Promise<Rollback> {
  const here = context.config.baseUrl?.value;
  if (run.instance !== here) throw new UsageError(`run ${run.run} is of ${run.instance}, and this is ${here}`);
  const entries = new Map(run.entries.filter(({ status }) => touching.has(status)).map((each) => [each.address, each]));
  const created = new Set([...entries.values()].filter(({ before }) => before === null).map(({ address }) => address));
  const plan = await makePlan(
    context,
    { sections: sectionsOf(entries.values(), run.run), keep: new Map(), instances: [] },
    { prune: true, secrets: "auto", only: undefined, projects: undefined, groups: undefined },
  );
  // Extra entries are others' unless the run made them.
  const isOurs = (change: Change) => change.desired !== undefined || created.has(addressOfChange(change));
  const changes = plan.changes.filter(isOurs);
  const stale = changes.filter((change) => isWrite(change) && !isAsLeft(change, entries));
  if (stale.length > 0 && !overwrite) {
    throw new Failure("conflict", `${stale.map(addressOfChange).join(", ")}: no longer as run ${run.run} left it`, {
      code: "stale",
      reason: "nothing was sent",
      hint: "look at them; --overwrite brings them back all the same",
    });
  }
  const withoutSecrets = changes.filter(losesSecrets).map(addressOfChange);
  return { plan: { ...plan, changes, sizes: new Map() }, withoutSecrets };
}

function sectionsOf(entries: Iterable<RunEntry>, run: string): Section[] {
  const sections = new Map<string, Section & { entries: Declared[] }>();
  const origin = { file: run, line: 1 };
  for (const { at, scope: name, kind: kindName, before, id } of entries) {
    const kind = findKind(kindName);
    if (kind === undefined) continue;
    const scope = { at, name };
    const address = addressOf(scope, kind, "");
    const held = sections.get(address) ?? { scope, kind, entries: [], origin };
    sections.set(address, held);
    if (before === null) continue;
    const named = kind.target === undefined && kind.fields.id !== undefined && id !== null;
    held.entries.push({ values: writableValues(kind, named ? { ...before, id } : before), origin });
  }
  return [...sections.values()];
}

/** The object is as the run left it; what a run ended in the middle of may be either way. */
function isAsLeft(change: Change, entries: ReadonlyMap<string, RunEntry>): boolean {
  const entry = entries.get(addressOfChange(change));
  if (entry === undefined || entry.status === "unknown") return true;
  const left = entry.after;
  if (left === null) return change.live === undefined;
  // The fields that the run touched, and no others.
  const declared = { values: left, origin: { file: "", line: 1 } };
  const touched = { kind: change.kind, desired: declared, write: Object.keys(left), action: "update" as const };
  return preimageOf(touched, change.live?.values) === preimageOf(touched, left);
}

/** A new address drops a hook's token and headers, and what the run removed had secrets that nobody can read. */
function losesSecrets({ kind, write, action }: Change): boolean {
  const hasBlind = Object.values(kind.fields).some(({ blind, form }) => blind || form === "keys");
  return hasBlind && kind.at !== "instance" && (action === "create" || write.includes("url"));
}

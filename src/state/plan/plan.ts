import { getCurrentUser } from "../../api/endpoints/users.ts";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { forEachConcurrently } from "../../jobs/concurrently.ts";
import type { Shard } from "../../jobs/shard.ts";
import { type Declaration, isSameAddress } from "../files/declaration.ts";
import { type Origin, originText } from "../finding.ts";
import { addressOf } from "../keys.ts";
import { type Caller, type Change, fieldOf, type Kind, type Scope } from "../kind.ts";
import { type Reader, readerOf } from "../live/reader.ts";
import { expand, type Unit } from "../patterns/expand.ts";
import { type SharedList, SharedLists } from "../patterns/shared-lists.ts";
import type { RunEntry } from "../runs/runs.ts";
import { compareUnit, comparingWith, unreadable } from "./plan-unit.ts";
import { warnUnset } from "./plan-warnings.ts";

export interface PlanOptions {
  readonly prune: boolean;
  readonly secrets: "auto" | "always" | "never";
  /** Names of kinds; undefined is all. */
  readonly only: readonly string[] | undefined;
  /** Scopes as typed; undefined is all. */
  readonly projects: readonly string[] | undefined;
  readonly groups: readonly string[] | undefined;
  /** Only the scopes of this part; undefined is all. */
  readonly shard?: Shard | undefined;
  /** No scope is passed over: one that is archived, or about to be deleted, is unreadable. */
  readonly whole?: true;
  /** What a run wrote that this machine may not know of. */
  readonly written?: readonly RunEntry[];
}

export interface Pruned {
  /** How many entries the list had. */
  readonly size: number;
  /** Where a file declares it. */
  readonly origin: Origin;
}

/** The planned changes, by object. It has no means to send them. */
export interface Plan {
  /** When the scopes were looked up, at the earliest, by the context's clock that only advances. */
  readonly readAtMs: number;
  readonly changes: readonly Change[];
  /** Number of objects that are already as declared. */
  readonly equal: number;
  /** Number of their declared secrets that were not compared, where that is known. */
  readonly uncompared?: number;
  /** Each list with removals, by `scope#kind`. */
  readonly pruned: ReadonlyMap<string, Pruned>;
  /** The lists of patterns, each as if it were one list. */
  readonly shared: readonly SharedList[];
  readonly caller: Caller | undefined;
}

/**
 * Reads the declared sections from the instance, with GET only, and compares. Scopes are read concurrently; unchanged
 * objects are not kept.
 */
export async function makePlan(context: Context, declaration: Declaration, options: PlanOptions): Promise<Plan> {
  refuseOtherInstance(context, declaration);
  const readAtMs = context.elapsedMs();
  const reader = readerOf(context.api, context.config);
  const sections = declaration.sections.filter(({ kind }) => isOneOf(kind, options.only));
  const typed = { project: options.projects, group: options.groups };
  const { units, unreadable: unlisted } = await expand(context, reader, sections, typed);
  const caller = sections.some(({ kind }) => kind.needsCaller) ? await callerOf(reader) : undefined;
  const comparing = comparingWith(context, reader, { ...options, caller, keep: declaration.keep });
  const found: Change[][] = [];
  const pruned = new Map<string, Pruned>();
  const shared = new SharedLists();
  let [equal, uncompared] = [0, 0];
  await eachUnit(context, units, reader.ahead, async (unit, index) => {
    const compared = await compareUnit(comparing, unit);
    if (compared === undefined) return;
    const { section, size, changes } = compared;
    found[index] = changes;
    equal += compared.equal;
    uncompared += compared.uncompared;
    const removals = changes.filter(isRemoval).length;
    if (options.prune && size !== undefined) shared.add(section, size, removals);
    if (size !== undefined && removals > 0) pruned.set(listOf(section), { size, origin: section.origin });
  });
  for (const { file, line, path, message } of comparing.doubts.list) {
    context.warn(`${originText({ file, line })}: ${path} ${message}`);
  }
  const changes = [
    ...found.flat(),
    // In every part: what another machine could list is no proof that this one has seen its own scopes.
    ...unlisted.map(({ section, reason }) => unreadable(section, reason)),
  ];
  if (options.secrets === "never") refuseSecrets(changes);
  if (options.secrets === "auto") warnUnset(context, comparing.unset);
  return { readAtMs, changes, equal, uncompared, pruned, shared: shared.list, caller };
}

/** Processes units concurrently, with progress. */
async function eachUnit(
  context: Context,
  units: readonly Unit[],
  ahead: number,
  act: (unit: Unit, index: number) => Promise<void>,
): Promise<void> {
  const scopes = new Set(units.map(({ scope }) => `${scope.at}:${scope.name}`)).size;
  const label = scopes > 1 ? `reading ${scopes} scopes` : "reading";
  const task = context.progress.start("reading", { total: units.length, unit: "items" });
  let done = 0;
  try {
    await forEachConcurrently(units, ahead, async (unit, index) => {
      await act(unit, index);
      task.update(++done, { label });
    });
  } finally {
    task.stop();
  }
}

/** The user of the token; the ID is 0 if an instance does not return it. */
export async function callerOf(reader: Reader): Promise<Caller> {
  const { id, is_admin: admin } = (await reader.call(getCurrentUser, {})) as { id?: unknown; is_admin?: unknown };
  return { id: typeof id === "number" ? id : 0, admin: admin === true };
}

/** Whether a change removes something. */
export function isRemoval({ action }: Change): boolean {
  return action === "delete" || action === "disarm";
}

/** Whether apply would send something for it. */
export function isWrite({ action }: Change): boolean {
  return action !== "extra" && action !== "unreadable";
}

/** `acme#hooks`: the list that an entry is in. */
export function listOf({ scope, kind }: { scope: Scope; kind: Kind }): string {
  return addressOf(scope, kind, "");
}

/** The allowlists are selected with their section, or by themselves. */
export function isOneOf({ name, within }: Kind, only: readonly string[] | undefined): boolean {
  return only === undefined || only.includes(name) || (within !== undefined && only.includes(within));
}

function refuseOtherInstance(context: Context, { instances }: Declaration): void {
  const here = context.config.baseUrl?.value;
  for (const { url, origin } of instances) {
    if (here === undefined || isSameAddress(url, here)) continue;
    throw new UsageError(`${originText(origin)}: the file is for ${url}, not for ${here}`, {
      code: "other_instance",
      hint: "choose the instance with --profile or --base-url",
    });
  }
}

function refuseSecrets(changes: readonly Change[]): void {
  const needy = changes.filter(
    (change) => isWrite(change) && change.write.some((name) => fieldOf(change.kind, name).writeOnly),
  );
  const [first] = needy;
  if (first === undefined) return;
  const list = needy.map(({ scope, kind, key }) => addressOf(scope, kind, key));
  throw new UsageError(`--secrets never: ${list.join(", ")} cannot be changed without the secrets`, {
    code: "secrets_needed",
    hint: "leave out --secrets never",
  });
}

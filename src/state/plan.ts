import { getCurrentUser } from "../api/endpoints/users.ts";
import { UsageError } from "../base/errors.ts";
import { globOf } from "../base/glob.ts";
import type { Context } from "../context.ts";
import { forEachConcurrently } from "../jobs/concurrently.ts";
import { type Compared, compareSection, fieldOf } from "./compare.ts";
import type { Declaration } from "./declare.ts";
import { type Origin, originText } from "./finding.ts";
import { addressOf, type Caller, type Change, type Kind, type Live, type Scope, type Section } from "./kind.ts";
import { refuseMoved, refuseOther } from "./moved.ts";
import { Names } from "./names.ts";
import { type Reader, readerOf, readLive } from "./reader.ts";
import { readComparable } from "./references.ts";

export interface PlanOptions {
  readonly prune: boolean;
  readonly secrets: "auto" | "always" | "never";
  /** Names of kinds; undefined is all. */
  readonly only: readonly string[] | undefined;
  /** Scopes as typed; undefined is all. */
  readonly projects: readonly string[] | undefined;
  readonly groups: readonly string[] | undefined;
}

interface Pruned {
  /** How many entries the list had. */
  readonly size: number;
  /** Where a file declares it. */
  readonly origin: Origin;
}

/** The planned changes, by object. It has no means to send them. */
export interface Plan {
  readonly changes: readonly Change[];
  /** Number of objects that are already as declared. */
  readonly equal: number;
  /** Each list with removals, by `scope#kind`. */
  readonly pruned: ReadonlyMap<string, Pruned>;
  readonly caller: Caller | undefined;
}

/**
 * Reads the declared sections from the instance, with GET only, and compares. Scopes are read concurrently; unchanged
 * objects are not kept.
 */
export async function makePlan(context: Context, declaration: Declaration, options: PlanOptions): Promise<Plan> {
  refuseOtherInstance(context, declaration);
  const reader = readerOf(context.api);
  const sections = chosen(declaration.sections, options);
  const names = new Names(reader);
  const keepers = new Map([...declaration.keep].map(([name, patterns]) => [name, patterns.map(globOf)]));
  const caller = sections.some(({ kind }) => kind.name === "protected_environments")
    ? await callerOf(reader)
    : undefined;
  const found: Change[][] = [];
  const pruned = new Map<string, Pruned>();
  let equal = 0;
  const scopes = new Set(sections.map(({ scope }) => `${scope.at}:${scope.name}`)).size;
  const task = context.progress.start("reading", { total: sections.length, unit: "items" });
  try {
    let done = 0;
    const label = scopes > 1 ? `reading ${scopes} scopes` : "reading";
    await forEachConcurrently(sections, context.config.concurrency, async (kept, index) => {
      const declared: Section = { ...kept, entries: kept.entries };
      const seen = await readLive(reader, declared);
      task.update(++done, { label });
      if ("unreadable" in seen) {
        found[index] = [unreadable(declared, seen.unreadable)];
        return;
      }
      if (declared.kind.form === "record") refuseOther(declared.scope, seen.live[0]?.values.path_with_namespace);
      const readable = await readComparable(context, declared, (name) => fieldOf(declared.kind, name));
      const { section, unknown } = await names.resolve(readable, seen.live);
      const keep = (kind: Kind, key: string) => keepers.get(kind.name)?.some((fits) => fits(key)) === true;
      const compared = compareSection(section, seen.live, { ...options, keep, caller, unknown });
      refuseAmbiguous(section, compared);
      equal += compared.equal;
      if (compared.changes.length === 0) return;
      found[index] = compared.changes;
      if (compared.changes.some(isRemoval)) {
        pruned.set(listOf(section), { size: managed(section, seen.live), origin: section.origin });
      }
    });
  } finally {
    task.stop();
  }
  const changes = found.flat();
  if (options.secrets === "never") refuseSecrets(changes);
  await refuseMoved(reader, changes.filter(isWrite), context.config.concurrency);
  return { changes, equal, pruned, caller };
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

function managed({ kind, scope }: Section, live: readonly Live[]): number {
  return live.filter(({ values }) => kind.ignores?.(values, scope) !== true).length;
}

function chosen(sections: readonly Section[], { only, projects, groups }: PlanOptions): Section[] {
  const filtered = projects !== undefined || groups !== undefined;
  const wanted = ({ at, name }: Scope) =>
    !filtered || (at === "project" ? (projects ?? []).includes(name) : at === "group" && (groups ?? []).includes(name));
  for (const [flag, names, at] of [
    ["-p", projects, "project"],
    ["-g", groups, "group"],
  ] as const) {
    const missing = (names ?? []).find((name) => !sections.some(({ scope }) => scope.at === at && scope.name === name));
    if (missing !== undefined) {
      throw new UsageError(`${flag} ${missing}: the files declare nothing for that ${at}`, {
        hint: "use the same name as in the file",
      });
    }
  }
  return sections.filter(({ scope, kind }) => wanted(scope) && isOneOf(kind, only));
}

/** The allowlists are selected with their section, or by themselves. */
function isOneOf({ name, within }: Kind, only: readonly string[] | undefined): boolean {
  return only === undefined || only.includes(name) || (within !== undefined && only.includes(within));
}

function refuseOtherInstance(context: Context, { instances }: Declaration): void {
  const here = context.config.baseUrl?.value;
  const normal = (url: string) => new URL(url).href.replace(/\/+$/, "");
  for (const { url, origin } of instances) {
    if (here === undefined || normal(url) === normal(here)) continue;
    throw new UsageError(`${originText(origin)}: the file is for ${url}, not for ${here}`, {
      code: "other_instance",
      hint: "choose the instance with --profile or --base-url",
    });
  }
}

function refuseAmbiguous({ scope, kind }: Section, { ambiguous }: Compared): void {
  const [first] = ambiguous;
  if (first === undefined) return;
  throw new UsageError(`${addressOf(scope, kind, first.key)}: ${first.ids.length} of them exist`, {
    code: "ambiguous",
    reason: `${originText(first.entry.origin)} may mean any of the IDs ${first.ids.join(", ")}`,
    hint: "add id: to the entry, as forgectl state export writes it",
  });
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

function unreadable({ scope, kind, entries, origin }: Section, reason: string): Change {
  const desired = entries[0] ?? { values: {}, origin };
  const base = { scope, kind, key: "", id: null, desired, live: undefined, lockout: undefined };
  return { ...base, action: "unreadable", fields: [], write: [], reason };
}

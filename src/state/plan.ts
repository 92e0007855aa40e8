import { getCurrentUser } from "../api/endpoints/users.ts";
import { UsageError } from "../base/errors.ts";
import { globOf } from "../base/glob.ts";
import type { Context } from "../context.ts";
import { forEachConcurrently } from "../jobs/concurrently.ts";
import { compareSection } from "./compare.ts";
import type { Declaration } from "./declare.ts";
import { type Origin, originText } from "./finding.ts";
import { isKept } from "./keep.ts";
import { addressOf } from "./keys.ts";
import {
  type Caller,
  type Change,
  fieldOf,
  type Kind,
  type Live,
  type Scope,
  type Section,
  type Values,
} from "./kind.ts";
import { Names } from "./names.ts";
import { movedTo } from "./places.ts";
import { type Reader, readerOf, readLive } from "./reader.ts";
import { type Recalled, recallWrites } from "./recent-settings.ts";
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

export interface Pruned {
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
  const caller = sections.some(({ kind }) => kind.needsCaller) ? await callerOf(reader) : undefined;
  const seen = new Declarations();
  const found: Change[][] = [];
  const pruned = new Map<string, Pruned>();
  let equal = 0;
  const scopes = new Set(sections.map(({ scope }) => `${scope.at}:${scope.name}`)).size;
  const task = context.progress.start("reading", { total: sections.length, unit: "items" });
  try {
    let done = 0;
    const label = scopes > 1 ? `reading ${scopes} scopes` : "reading";
    await forEachConcurrently(sections, context.config.concurrency, async (kept, index) => {
      const place = await reader.places.of(kept.scope);
      const scope: Scope = { ...kept.scope, id: place?.id };
      const declared = await readComparable(context, { ...kept, entries: kept.entries, scope });
      seen.add(declared);
      const moved = movedTo(scope, place);
      const details = options.prune ? "removable" : "declared";
      const read = moved === undefined ? await readLive(reader, declared, { details, place }) : undefined;
      task.update(++done, { label });
      if (read === undefined || "unreadable" in read) {
        const reason = read?.unreadable ?? `the ${scope.at} has moved to ${moved}: write that in the file`;
        found[index] = [unreadable(declared, reason)];
        return;
      }
      const { section, unknown } = await names.resolve(declared, read.live);
      const keep = (kind: Kind, live: Values) => isKept(keepers.get(kind.name) ?? [], kind, live);
      const [first] = read.live;
      const recalled = first === undefined ? undefined : await recallWrites(context, section.kind, first);
      const live = recalled === undefined ? read.live : [recalled.live];
      const compared = compareSection(section, live, { ...options, keep, caller, unknown, doubts: recalled?.doubts });
      warnUnsure(context, compared.changes, recalled);
      equal += compared.equal;
      if (compared.changes.length === 0) return;
      found[index] =
        recalled === undefined
          ? compared.changes
          : compared.changes.map((each) => ({ ...each, doubts: recalled.doubts }));
      if (compared.changes.some(isRemoval)) {
        pruned.set(listOf(section), { size: managed(section, read.live), origin: section.origin });
      }
    });
  } finally {
    task.stop();
  }
  const changes = found.flat();
  if (options.secrets === "never") refuseSecrets(changes);
  return { changes, equal, pruned, caller };
}

/** What an instance caches can hide what was there before a change. */
function warnUnsure(context: Context, changes: readonly Change[], recalled: Recalled | undefined): void {
  const written = new Set(changes.flatMap(({ write }) => write));
  const unsure = recalled?.unsure.filter((name) => written.has(name)) ?? [];
  if (unsure.length === 0) return;
  context.warn(
    `settings are cached, and an interrupted run may have changed ${unsure.join(", ")}: ` +
      "what a rollback of the next change restores is not certain",
  );
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

/** How many of a list's live entries can be managed. */
export function managed({ kind, scope }: Pick<Section, "kind" | "scope">, live: readonly Live[]): number {
  return live.filter(({ values }) => kind.ignores?.(values, scope) !== true).length;
}

function chosen(sections: readonly Section[], { only, projects, groups }: PlanOptions): Section[] {
  const filtered = projects !== undefined || groups !== undefined;
  const named = { project: projects ?? [], group: groups ?? [], instance: [] };
  const wanted = ({ at, name }: Scope) => !filtered || named[at].some((each) => isSame(each, name));
  for (const [flag, names, at] of [
    ["-p", projects, "project"],
    ["-g", groups, "group"],
  ] as const) {
    const missing = (names ?? []).find(
      (name) => !sections.some(({ scope }) => scope.at === at && isSame(scope.name, name)),
    );
    if (missing !== undefined) {
      throw new UsageError(`${flag} ${missing}: the files declare nothing for that ${at}`, {
        hint: "use the same name as in the file",
      });
    }
  }
  return sections.filter(({ scope, kind }) => wanted(scope) && isOneOf(kind, only));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
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

/** What the files declare of each object, to find one that they name in two ways. */
class Declarations {
  readonly #seen = new Map<string, Section>();

  /** @throws UsageError if another section is for the same list or record */
  add(section: Section): void {
    const { scope, kind, origin } = section;
    if (scope.id === undefined) return;
    const key = `${scope.at}:${scope.id}#${kind.name}`;
    const first = this.#seen.get(key);
    this.#seen.set(key, section);
    if (first === undefined || first.scope.name === scope.name) return;
    const where = `${originText(origin)}: ${scope.name} is the ${scope.at} ${first.scope.name}`;
    throw new UsageError(`${where}, whose ${kind.name} is in ${originText(first.origin)}`, {
      code: "named_twice",
      reason: "nothing was sent",
      hint: "merge the two",
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

function unreadable({ scope, kind, entries, origin }: Section, reason: string): Change {
  const desired = entries[0] ?? { values: {}, origin };
  const base = { scope, kind, key: "", id: null, desired, live: undefined, lockout: undefined };
  return { ...base, action: "unreadable", fields: [], write: [], reason };
}

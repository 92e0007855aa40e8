import { getCurrentUser } from "../api/endpoints/users.ts";
import { UsageError } from "../base/errors.ts";
import { fitsAny } from "../base/globs.ts";
import { withoutEnd } from "../base/without-end.ts";
import type { Context } from "../context.ts";
import { forEachConcurrently } from "../jobs/concurrently.ts";
import { isInShard, type Shard } from "../jobs/shard.ts";
import { compareSection } from "./compare.ts";
import type { Declaration } from "./declaration.ts";
import { DeclaredPlaces } from "./declared-places.ts";
import { Findings, type Origin, originText } from "./finding.ts";
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
import { missingFields, reportDoubt } from "./patterns/check.ts";
import { expand, type Unit } from "./patterns/expand.ts";
import { standingAlone } from "./patterns/layers.ts";
import { merge } from "./patterns/merge.ts";
import { type SharedList, SharedLists } from "./patterns/shared-lists.ts";
import { movedTo, type Place } from "./places.ts";
import { shardId, unlistedIn } from "./plan-shard.ts";
import { warnFull, warnUnsure } from "./plan-warnings.ts";
import { type Reader, readerOf, readLive } from "./reader.ts";
import { recallWrites } from "./recent-writes.ts";
import { readComparable } from "./references.ts";

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
  const reader = readerOf(context.api, context.config);
  const sections = declaration.sections.filter(({ kind }) => isOneOf(kind, options.only));
  const typed = { project: options.projects, group: options.groups };
  const { units, unreadable: unlisted } = await expand(context, reader, sections, typed);
  const names = new Names(reader);
  const doubts = new Findings();
  const keepers = new Map([...declaration.keep].map(([name, globs]) => [name, fitsAny(globs)]));
  const caller = sections.some(({ kind }) => kind.needsCaller) ? await callerOf(reader) : undefined;
  const seen = new DeclaredPlaces();
  const found: Change[][] = [];
  const pruned = new Map<string, Pruned>();
  let equal = 0;
  const shared = new SharedLists();
  const passedOver = new Set<string>();
  const scopes = new Set(units.map(({ scope }) => `${scope.at}:${scope.name}`)).size;
  const task = context.progress.start("reading", { total: units.length, unit: "items" });
  try {
    let done = 0;
    const label = scopes > 1 ? `reading ${scopes} scopes` : "reading";
    await forEachConcurrently(units, reader.ahead, async (unit, index) => {
      const place = await reader.places.of(unit.scope);
      if (!isInShard(options.shard, shardId(unit.scope, place))) {
        task.update(++done, { label });
        return;
      }
      if (place?.inactive !== undefined) {
        task.update(++done, { label });
        const text = `${unit.scope.name} is ${place.inactive}: passed over`;
        if (!passedOver.has(text)) context.warn(text);
        passedOver.add(text);
        return;
      }
      const kept = await effective({ ...unit, scope: scopeAt(unit.scope, place) }, names, doubts);
      if (kept === undefined) return;
      const { scope } = kept;
      const declared = await readComparable(context, kept);
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
      const keep = (kind: Kind, live: Values) => isKept(keepers.get(kind.name), kind, live);
      const [first] = read.live;
      const recalled = first === undefined ? undefined : await recallWrites(context, section.kind, first);
      const live = recalled === undefined ? read.live : [recalled.live];
      const compared = compareSection(section, live, { ...options, keep, caller, unknown, doubts: recalled?.doubts });
      warnUnsure(context, compared.changes, recalled);
      warnFull(context, section, managed(section, read.live), compared.changes);
      equal += compared.equal;
      if (options.prune) shared.add(section, managed(section, read.live), compared.changes.filter(isRemoval).length);
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
  for (const { file, line, path, message } of doubts.list) {
    context.warn(`${originText({ file, line })}: ${path} ${message}`);
  }
  const changes = [
    ...found.flat(),
    ...unlistedIn(options.shard, unlisted).map(({ section, reason }) => unreadable(section, reason)),
  ];
  if (options.secrets === "never") refuseSecrets(changes);
  return { changes, equal, pruned, shared: shared.list, caller };
}

/** Addresses have the instance's own path. */
function scopeAt(scope: Scope, place: Place | undefined): Scope {
  const isSame = place?.path !== undefined && place.path.toLowerCase() === scope.name.toLowerCase();
  return { at: scope.at, name: isSame ? place.path : scope.name, id: place?.id };
}

/** What the files declare of one kind for one scope, put together; undefined if it is nothing. */
async function effective({ scope, kind, layers }: Unit, names: Names, doubts: Findings): Promise<Section | undefined> {
  const only = standingAlone(layers);
  if (only !== undefined) return only.unmanaged ? undefined : { ...only, entries: only.entries, scope };
  const merged = merge(scope, kind, layers, await names.idsOf(kind, layers));
  for (const doubt of merged.doubts) reportDoubt(doubts, doubt, false);
  const [missing] = merged.section === undefined ? [] : missingFields(merged.section);
  if (missing === undefined) return merged.section;
  throw new UsageError(`${originText(missing.origin)}: ${missing.path}: ${missing.message}`, {
    code: "invalid_state",
    nothing: "sent",
  });
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

/** The allowlists are selected with their section, or by themselves. */
function isOneOf({ name, within }: Kind, only: readonly string[] | undefined): boolean {
  return only === undefined || only.includes(name) || (within !== undefined && only.includes(within));
}

function refuseOtherInstance(context: Context, { instances }: Declaration): void {
  const here = context.config.baseUrl?.value;
  const normal = (url: string) => withoutEnd(new URL(url).href, /\//);
  for (const { url, origin } of instances) {
    if (here === undefined || normal(url) === normal(here)) continue;
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

function unreadable({ scope, kind, entries, origin }: Section, reason: string): Change {
  const desired = entries[0] ?? { values: {}, origin };
  const base = { scope, kind, key: "", id: null, desired, live: undefined, lockout: undefined };
  return { ...base, action: "unreadable", fields: [], write: [], reason };
}

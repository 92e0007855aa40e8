import { UsageError } from "../../base/errors.ts";
import { pauses } from "../../base/next-turn.ts";
import type { Context } from "../../context.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { isInShard, type Shard } from "../../jobs/shard.ts";
import { readComparable } from "../fields/references.ts";
import type { Declaration } from "../files/declaration.ts";
import { DeclaredPlaces } from "../files/declared-places.ts";
import { Findings, originText } from "../finding.ts";
import type { Change, Live, Scope, Section, Values } from "../kind.ts";
import { type CompareOptions, compareSection, type SectionChanges } from "../live/compare.ts";
import { Kept } from "../live/kept.ts";
import { NameLookup } from "../live/name-lookup.ts";
import { movedTo, moveInFile, type Place, replacedBy } from "../live/places.ts";
import { type Reader, readLive } from "../live/reader.ts";
import { missingFields, reportDoubt } from "../patterns/check.ts";
import type { Unit } from "../patterns/expand.ts";
import { standingAlone } from "../patterns/layers.ts";
import { merge } from "../patterns/merge.ts";
import { HalfReplaced } from "../runs/half-replaced.ts";
import { recallWrites } from "../runs/recent-writes.ts";
import type { RunEntry } from "../runs/runs.ts";
import { shardId } from "./plan-shard.ts";
import { unsetVariables, warnBesides, warnFull, warnOfEnds, warnTaken, warnUnsure } from "./plan-warnings.ts";
import { unlessSentUnsurely } from "./sent-unsurely.ts";
import { withUnseen } from "./unseen-groups.ts";

interface How extends Pick<CompareOptions, "prune" | "secrets" | "caller"> {
  /** Only the scopes of this part; undefined is all. */
  readonly shard?: Shard | undefined;
  /** No scope is passed over. */
  readonly whole?: true;
  /** What is never removed, by kind. */
  readonly keep: Declaration["keep"];
  /** What a run wrote that this machine may not know of. */
  readonly written?: readonly RunEntry[];
}

/** What the units of one plan share. */
interface Comparing {
  readonly context: Context;
  readonly reader: Reader;
  readonly options: How;
  readonly names: NameLookup;
  readonly doubts: Findings;
  readonly seen: DeclaredPlaces;
  readonly kept: Kept;
  readonly halfReplaced: HalfReplaced;
  /** Warnings on scopes that are passed over, each of which has several units. */
  readonly passedOver: Set<string>;
  /** Variables that are not set, whose texts were not compared. */
  readonly unset: Set<string>;
}

export function comparingWith(context: Context, reader: Reader, options: How): Comparing {
  const names = new NameLookup(reader);
  return {
    context,
    reader,
    options,
    names,
    doubts: new Findings(),
    seen: new DeclaredPlaces(),
    kept: new Kept(context.api, reader, options.keep),
    halfReplaced: new HalfReplaced(context),
    passedOver: new Set(),
    unset: new Set(),
  };
}

interface ComparedUnit {
  readonly section: Section;
  readonly changes: Change[];
  /** How many objects match. */
  readonly equal: number;
  /** How many declared secrets were neither compared nor are sent. */
  readonly uncompared: number;
  /** How many live entries can be managed; undefined if they could not be read. */
  readonly size: number | undefined;
}

/** Reads and compares what is declared of one kind for one scope; undefined if the plan leaves it out. */
export async function compareUnit(comparing: Comparing, unit: Unit): Promise<ComparedUnit | undefined> {
  const { context, reader, options, names, doubts } = comparing;
  const place = await reader.places.of(unit.scope);
  if (!isInShard(options.shard, shardId(unit.scope, place)) || isPassedOver(comparing, unit, place)) return undefined;
  const kept = await effective({ ...unit, scope: scopeAt(unit.scope, place) }, names, doubts);
  if (kept === undefined) return undefined;
  const declared = await readComparable(context, kept);
  comparing.seen.add(declared);
  const moved = movedTo(kept.scope, place);
  const elsewhere =
    moved === undefined
      ? (replacedBy(unit.scope, place) ?? inactiveIn(kept.scope, place))
      : `the ${kept.scope.at} has moved to ${moved}: ${moveInFile(moved, place)}`;
  const details = options.prune ? "removable" : "declared";
  const read =
    elsewhere === undefined ? await readLive(reader, declared, { details, place }) : { unreadable: elsewhere };
  if ("unreadable" in read) {
    return {
      section: declared,
      changes: [unreadable(declared, read.unreadable)],
      equal: 0,
      uncompared: 0,
      size: undefined,
    };
  }
  for (const name of unsetVariables(declared)) comparing.unset.add(name);
  const { section, unknown } = await names.resolve(declared, read.live);
  const [first] = read.live;
  const recalled = first === undefined ? undefined : await recallWrites(context, section.kind, first, options.written);
  const live = recalled === undefined ? read.live : [recalled.live];
  const written = recalled === undefined || recalled.doubts.size === 0 ? undefined : recalled.doubts;
  const {
    changes: found,
    equal,
    uncompared,
  } = await withRemoved(comparing, section, (removed) =>
    compareSection(section, live, {
      ...options,
      presence: options.secrets === "auto",
      unknown,
      doubts: written,
      recent: recalled?.unsure,
      removed,
    }),
  );
  const left = await withoutKept(comparing, section, { found, list: read.live });
  const looked = await withUnseen(reader.places, left);
  const changes = looked.map((each) => unlessSentUnsurely(each, recalled));
  const size = managed(section, read.live);
  warnUnsure(context, changes, recalled);
  warnBesides(context, changes);
  warnFull(context, section, size, changes);
  warnOfEnds(context, section, size, changes);
  const doubted = written === undefined ? changes : changes.map((each) => ({ ...each, doubts: written }));
  return { section, changes: doubted, equal, uncompared, size };
}

/** Compares again, if an own run has removed what is to be created: it has what no file declares. */
async function withRemoved(
  { context, options, halfReplaced }: Comparing,
  section: Section,
  compare: (removed?: ReadonlyMap<string, Values>) => SectionChanges,
): Promise<SectionChanges> {
  const found = compare();
  const isNew = ({ action }: Change) => action === "create";
  if (!section.kind.replaces || options.whole || !found.changes.some(isNew)) return found;
  const again = compare(await halfReplaced.of(section));
  for (const [index, change] of again.changes.entries()) warnTaken(context, change, found.changes[index]);
  return again;
}

/** How many entries are compared with how many patterns is up to others. */
async function withoutKept(
  comparing: Comparing,
  { kind }: Section,
  { found, list }: { found: readonly Change[]; list: readonly Live[] },
): Promise<readonly Change[]> {
  const { context, reader, kept } = comparing;
  if (!kept.concerns(kind)) return found;
  const pause = pauses(context);
  const unlessKept = async (change: Change): Promise<Change | undefined> => {
    if (change.desired !== undefined || change.live === undefined) return change;
    await pause();
    const isKept = await kept.has(kind, change.live.values, list);
    if (isKept === true) return undefined;
    return isKept === false || change.action === "extra" ? change : unsurelyKept(change, isKept.doubt);
  };
  const left: Change[] = [];
  for await (const change of concurrently(found, unlessKept, { limit: reader.ahead, ordered: true })) {
    if (change !== undefined) left.push(change);
  }
  return left;
}

function unsurelyKept(change: Change, reason: string): Change {
  return { ...change, action: "unreadable", write: [], fields: [], lockout: undefined, reason };
}

/** Why a scope that is not passed over cannot be changed. */
function inactiveIn({ at }: Scope, place: Place | undefined): string | undefined {
  return place?.inactive === undefined ? undefined : `the ${at} is ${place.inactive}`;
}

/** Whether the scope is archived, or about to be deleted; the first unit of it warns. */
function isPassedOver({ context, options, passedOver }: Comparing, { scope }: Unit, place: Place | undefined): boolean {
  if (options.whole || place?.inactive === undefined) return false;
  const text = `${scope.name} is ${place.inactive}: passed over`;
  if (!passedOver.has(text)) context.warn(text);
  passedOver.add(text);
  return true;
}

/** Addresses have the instance's own path. */
function scopeAt(scope: Scope, place: Place | undefined): Scope {
  const isSame = place?.path !== undefined && place.path.toLowerCase() === scope.name.toLowerCase();
  return { at: scope.at, name: isSame ? place.path : scope.name, id: place?.id };
}

/** What the files declare of one kind for one scope, put together; undefined if it is nothing. */
async function effective(
  { scope, kind, layers }: Unit,
  names: NameLookup,
  doubts: Findings,
): Promise<Section | undefined> {
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

/** How many of a list's live entries can be managed. */
export function managed({ kind, scope }: Pick<Section, "kind" | "scope">, live: readonly Live[]): number {
  return live.filter(({ values }) => kind.ignores?.(values, scope) !== true).length;
}

export function unreadable({ scope, kind, entries, origin }: Section, reason: string): Change {
  const desired = entries[0] ?? { values: {}, origin };
  const base = { scope, kind, key: "", id: null, desired, live: undefined, lockout: undefined };
  return { ...base, action: "unreadable", fields: [], write: [], reason };
}

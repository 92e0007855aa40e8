import { UsageError } from "../../base/errors.ts";
import { groupsAbove, isBelow, isId } from "../../base/group-paths.ts";
import { pauses } from "../../base/next-turn.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { distinct } from "../../jobs/bulk.ts";
import { forEachConcurrently } from "../../jobs/concurrently.ts";
import { type Block, covers } from "../block.ts";
import { originText } from "../finding.ts";
import type { At, Kind, Scope, Section } from "../kind.ts";
import { movedTo, type Place } from "../live/places.ts";
import type { Reader } from "../live/reader.ts";
import { mayBe } from "../live/renamed.ts";
import { rootOf } from "../pattern.ts";
import { EarlierNames } from "./earlier-names.ts";
import { checkExceptions } from "./exceptions.ts";
import { type Fleet, Fleets, unlisted } from "./fleets.ts";
import { Declared } from "./layers.ts";

/** What the files declare of one kind for one scope, the most specific first. */
export interface Unit {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly layers: readonly Section[];
}

export interface Expanded {
  readonly units: readonly Unit[];
  /** The sections of patterns whose projects or groups could not be listed. */
  readonly unreadable: readonly { readonly section: Section; readonly reason: string }[];
}

type Of = Exclude<At, "instance">;
type Typed = Readonly<Record<Of, readonly string[] | undefined>>;

/**
 * The scopes that the files declare something for. Patterns are expanded from the instance; with `typed`, each of those
 * is looked up instead.
 */
export async function expand(
  context: Context,
  reader: Reader,
  sections: readonly Section[],
  typed: Typed,
): Promise<Expanded> {
  const declared = new Declared(sections);
  const pause = pauses(context);
  const units: Unit[] = [];
  const unreadable: { section: Section; reason: string }[] = [];
  const isFiltered = typed.project !== undefined || typed.group !== undefined;
  if (!isFiltered) add(units, { at: "instance", name: "" }, declared.layers("instance", ""));
  for (const at of ["group", "project"] as const) {
    const names = typed[at];
    const blocks = declared.blocks(at);
    const exact = await exactScopes(reader, declared, at, blocks.length > 0);
    const earlier = new EarlierNames(context, reader, declared);
    const fleets = new Fleets(context, reader, at);
    if (isFiltered) {
      for (const name of names ?? []) await addTyped({ fleets, reader, declared, units, exact, earlier }, at, name);
      continue;
    }
    for (const { scope, sections: own, path } of exact) {
      add(units, scope, declared.layers(at, path ?? "", own));
    }
    const taken = new Set(exact.map(({ scope, path }) => (path ?? scope.name).toLowerCase()));
    const unlisted: Block[] = [];
    for (const block of blocks) {
      const found = await fleets.of(block);
      if (!("unreadable" in found)) {
        await checkExceptions({ context, reader, earlier }, block, found);
        describe(context, block, found);
      } else {
        unlisted.push(block);
        for (const section of declared.sectionsOf(block)) unreadable.push({ section, reason: found.unreadable });
      }
    }
    const listed = { scopes: () => [...fleets.scopes()] };
    await forEachConcurrently(unlisted, reader.ahead, (block) => earlier.refuseNarrower(block, listed));
    const away = blocks.length === 0 ? [] : exact.filter(({ scope }) => !fleets.has(scope.name.toLowerCase()));
    await forEachConcurrently(away, reader.ahead, (own) => earlier.refuseSection(at, own, listed));
    for (const scope of fleets.scopes()) {
      if (taken.has(scope.name.toLowerCase())) continue;
      await pause();
      add(units, scope, declared.layers(at, scope.name));
    }
  }
  return { units: inFileOrder(isFiltered ? eachOnce(units) : units, sections), unreadable };
}

/** A project or group may be typed by several names. */
function eachOnce(units: readonly Unit[]): Unit[] {
  return distinct(units, ({ scope: { at, name }, kind }) => [at, name.toLowerCase(), kind.name]);
}

/** In the order of the files; what only patterns declare comes last. */
function inFileOrder(units: readonly Unit[], sections: readonly Section[]): Unit[] {
  const places = new Map(sections.map((section, index) => [section, index]));
  const placeOf = ({ layers: [first] }: Unit) =>
    first === undefined || first.block !== undefined ? places.size : (places.get(first) ?? places.size);
  return units.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function add(units: Unit[], scope: Scope, layers: ReadonlyMap<Kind, readonly Section[]>): void {
  for (const [kind, sections] of layers) units.push({ scope, kind, layers: sections });
}

interface Exact {
  readonly scope: Scope;
  readonly sections: readonly Section[];
  /** Undefined for an ID that could not be looked up. */
  readonly path: string | undefined;
}

/** The scopes that the files name themselves. Where patterns matter, one named by path and by ID is one. */
async function exactScopes(reader: Reader, declared: Declared, at: Of, hasPatterns: boolean): Promise<Exact[]> {
  const found = new Map<string, Exact>();
  for (const scope of declared.scopes().filter((each) => each.at === at)) {
    const sections = declared.exact(at, scope.name);
    const isNumber = isId(scope.name);
    const place = hasPatterns && isNumber ? await reader.places.of(scope) : undefined;
    const path = isNumber ? place?.path : scope.name;
    const name = (path ?? scope.name).toLowerCase();
    const held = found.get(name);
    if (held === undefined) found.set(name, { scope: named(scope, place), sections, path });
    else found.set(name, { ...held, sections: joined(held.sections, sections) });
  }
  return [...found.values()];
}

function named(scope: Scope, place: Place | undefined): Scope {
  if (place?.path === undefined) return scope;
  return { ...scope, name: isId(place.path) ? scope.name : place.path, id: place.id };
}

/** @throws UsageError if both declare the same section */
function joined(one: readonly Section[], other: readonly Section[]): Section[] {
  for (const section of other) {
    const first = one.find(({ kind }) => kind === section.kind);
    if (first !== undefined) refuseTwice(first, section);
  }
  return [...one, ...other];
}

/** Where a section stands, without what it declares. */
export type SectionPlace = Pick<Section, "scope" | "kind" | "origin">;

/** @throws UsageError: two sections of the files are for one list or record */
export function refuseTwice(first: SectionPlace, { scope, kind, origin }: SectionPlace): never {
  const where = `${originText(origin)}: ${scope.name} is ${first.scope.name}`;
  throw new UsageError(`${where}, whose ${kind.name} is in ${originText(first.origin)}`, {
    code: "named_twice",
    nothing: "sent",
    hint: "merge the two",
  });
}

interface Adding {
  readonly fleets: Fleets;
  readonly reader: Reader;
  readonly declared: Declared;
  readonly units: Unit[];
  readonly exact: readonly Exact[];
  readonly earlier: EarlierNames;
}

/** A scope of `-p` or `-g`, by its path or its ID. */
async function addTyped(adding: Adding, at: Of, name: string): Promise<void> {
  const { reader, declared, units, exact } = adding;
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  const asWritten = exact.find(({ scope }) => same(scope.name));
  if (asWritten !== undefined) {
    await refuseEarlier(adding, { at, name: asWritten.path ?? "" });
    add(units, asWritten.scope, declared.layers(at, asWritten.path ?? "", asWritten.sections));
    return;
  }
  const typed: Scope = { at, name };
  const place = declared.blocks(at).length > 0 ? await reader.places.of(typed) : undefined;
  const moved = movedTo(typed, place);
  const path = moved === undefined ? (place?.path ?? name) : name;
  const known = exact.find((each) => each.path?.toLowerCase() === path.toLowerCase());
  await refuseEarlier(adding, { at, name: path, id: place?.id });
  const layers = declared.layers(at, path, known?.sections);
  if (layers.size === 0) {
    throw new UsageError(`-${at === "project" ? "p" : "g"} ${name}: the files declare nothing for that ${at}`, {
      hint: "use the same name as in the file",
    });
  }
  add(units, moved === undefined ? named(typed, place) : typed, layers);
}

/** Of more sections, a list tells which of them have their present path. */
const fewSections = 100;

/** One that an exception, a narrower pattern, or a section of its own had by an earlier path. */
async function refuseEarlier(adding: Adding, scope: Scope & { readonly at: Of }): Promise<void> {
  const { reader, declared, exact, earlier } = adding;
  const { at, name } = scope;
  const shown = { scopes: () => [scope] };
  const covering = declared.blocks(at).filter((block) => covers(block, name));
  if (covering.length === 0) return;
  for (const block of covering) {
    for (const each of block.except) await earlier.refuseException(block, each, shown);
  }
  const groups = at === "group" ? [...groupsAbove(name), name] : [...groupsAbove(name)];
  // A group above this one has its present path.
  const isAway = (root: string) => !isBelow(name, root) && groups.some((group) => mayBe(group, root));
  const narrower = declared.blocks(at).filter((block) => !covering.includes(block) && isAway(rootOf(block.pattern)));
  await forEachConcurrently(narrower, reader.ahead, (block) => earlier.refuseNarrower(block, shown));
  const others = exact.filter((own) => (own.path ?? own.scope.name).toLowerCase() !== name.toLowerCase());
  const away = others.length > fewSections ? await unlisted(adding.fleets, covering, others) : others;
  await forEachConcurrently(away, reader.ahead, (own) => earlier.refuseSection(at, own, shown, name));
}

/** Says what a pattern matches now. */
function describe(context: Context, { pattern, at, origin }: Block, fleet: Fleet): void {
  const { matched: found, leftOut: out } = fleet;
  const passed = new Map<string, number>();
  for (const { why } of fleet.passedOver) passed.set(why, (passed.get(why) ?? 0) + 1);
  const notes = [
    ...[...passed].map(([why, count]) => `${count} ${why} passed over`),
    ...(out > 0 ? [`${out} left out by except`] : []),
  ];
  const count = counted(found.length - out, at);
  if (found.length > out) context.notice(`${pattern.text} ${count}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`);
  else
    context.warn(
      `${originText(origin)}: ${pattern.text} matches nothing${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`,
    );
}

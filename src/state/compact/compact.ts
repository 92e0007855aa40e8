import { compareTexts } from "../../base/compare-texts.ts";
import { isBelow } from "../../base/group-paths.ts";
import { isObject } from "../../base/is-object.ts";
import type { Exported } from "../export/export.ts";
import { sectionName } from "../keys.ts";
import type { At } from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";
import { Remark } from "../yaml/yaml-comment.ts";
import { differing } from "./check.ts";
import { fits, linesOf, type Written, writtenBy } from "./cost.ts";
import { decide, type Rule } from "./rules.ts";
import { type Leaf, treeOf } from "./tree.ts";
import { heldOf, type Unit, unitsOf, type Value } from "./unit.ts";

/** An export as patterns and the scopes that differ from them. */
export interface Compacted {
  readonly exported: readonly Exported[];
  /** Scopes whose declarations were not computed again as they are, and are therefore written whole. */
  readonly whole: readonly string[];
}

type Sections = Record<string, unknown>;

/**
 * Writes what the scopes below each of the groups have in common once, as patterns. Everything below them must be in
 * the export, since a pattern is for everything there. Each effective declaration is computed again and compared.
 */
export async function compact(exported: readonly Exported[], roots: readonly string[]): Promise<Compacted> {
  const sorted = exported.toSorted((a, b) => compareTexts(a.scope.name, b.scope.name));
  const apart = roots.filter((root) => !roots.some((other) => isBelow(root, other)));
  const made: Exported[] = [];
  const whole: string[] = [];
  for (const at of ["instance", "group", "project"] as const) {
    const own = sorted.filter(({ scope }) => scope.at === at);
    if (at === "instance" || apart.length === 0) {
      for (const each of own) made.push(each);
      continue;
    }
    const short = shorten(at, own, apart);
    const differ = new Set(await differing(own, short));
    for (const name of differ) whole.push(name);
    for (const each of short) if (!differ.has(each.scope.name)) made.push(each);
    for (const each of own.filter(({ scope }) => differ.has(scope.name))) made.push(inFull(each));
  }
  return { exported: made, whole };
}

/** The patterns, then the scopes with what they do not inherit; the export itself where that is not longer. */
function shorten(at: At, own: readonly Exported[], roots: readonly string[]): Exported[] {
  const units = unitsOf(at, own);
  const leaves = new Map<Leaf, Exported>(
    own.map((each) => [
      { scope: each.scope, held: new Map(units.map((unit) => [unit.name, heldOf(unit, each)])) },
      each,
    ]),
  );
  const patterns: Exported[] = [];
  const scopes: Exported[] = [];
  const left = new Set(leaves.keys());
  for (const root of roots) {
    const tree = treeOf(root, [...left]);
    for (const leaf of tree.all) left.delete(leaf);
    const decided = units.map((unit) => ({ unit, ...decide(unit, tree) }));
    const rules = decided.flatMap((each) => each.rules);
    const wide = patternsOf(at, rules);
    const exact = tree.all.map((leaf) => exactly(units, leaf, (unit) => inheritedBy(decided, unit, leaf)));
    const plain = tree.all.map((leaf) => leaves.get(leaf) as Exported);
    if (linesIn([...wide, ...exact]) <= linesIn(plain)) {
      for (const each of wide) patterns.push(each);
      for (const each of exact) scopes.push(each);
    } else for (const each of plain) scopes.push(each);
  }
  const rest = [...left].map((leaf) => leaves.get(leaf) as Exported);
  return [...patterns, ...[...scopes, ...rest].sort((a, b) => compareTexts(a.scope.name, b.scope.name))];
}

function inheritedBy(
  decided: readonly { unit: Unit; inherited: ReadonlyMap<Leaf, Value | undefined> }[],
  unit: Unit,
  leaf: Leaf,
): Value | undefined {
  return decided.find((each) => each.unit === unit)?.inherited.get(leaf);
}

/** Each pattern with its units, the widest first. */
function patternsOf(at: At, rules: readonly Rule[]): Exported[] {
  const byName = new Map<string, Rule[]>();
  for (const rule of rules) byName.set(rule.pattern, [...(byName.get(rule.pattern) ?? []), rule]);
  const sorted = [...byName].sort(([a], [b]) => compareTexts(orderOf(a), orderOf(b)));
  return sorted.map(([name, own]) => {
    const scopes = own[0]?.scopes ?? [];
    const alike = scopes.filter((leaf) => own.every(({ unit, value }) => fits(unit, leaf, value)));
    const sections: Sections = { "": new Remark(`${alike.length} of ${scopes.length}`) };
    for (const { unit, written } of own) put(sections, unit, written);
    return { scope: { at, name }, sections, unreadable: [] };
  });
}

/** A group's `**`, then its `*`, then the groups below it. */
function orderOf(pattern: string): string {
  return pattern.replace(/\*\*$/, "\u0001").replace(/\*$/, "\u0002");
}

function exactly(units: readonly Unit[], leaf: Leaf, inherited: (unit: Unit) => Value | undefined): Exported {
  const sections: Sections = {};
  for (const unit of units) put(sections, unit, writtenBy(unit, leaf, inherited(unit)));
  return { scope: leaf.scope, sections, unreadable: [] };
}

/** The unmanaged word for what an export could not read, so that no pattern is for it. */
function inFull({ scope, sections, unreadable }: Exported): Exported {
  const full: Sections = { ...sections };
  const unread = kindsAt(scope.at).filter(({ name }) => unreadable.some(({ kind }) => kind === name));
  for (const kind of unread.filter(({ within }) => within === undefined)) full[sectionName(kind)] ??= "unmanaged";
  for (const { name, within = "" } of unread.filter((kind) => kind.within !== undefined)) {
    const outer = full[within];
    if (outer !== "unmanaged") full[within] = { ...(isObject(outer) && outer), [name]: "unmanaged" };
  }
  return { scope, sections: full, unreadable: [] };
}

/** Adds what is written of a unit; lists within a section come after its fields. */
function put(sections: Sections, { kind, field }: Unit, written: Written): void {
  if (written === undefined) return;
  const { value } = written;
  const isWhole = value === "unmanaged" || field === kind.bare;
  if (field !== undefined) {
    const held = sections[kind.name];
    sections[kind.name] = isWhole ? value : { ...(isObject(held) && held), [field]: value };
    return;
  }
  if (kind.within === undefined) {
    sections[sectionName(kind)] = value;
    return;
  }
  const outer = sections[kind.within];
  if (outer !== "unmanaged") sections[kind.within] = { ...(isObject(outer) && outer), [kind.name]: value };
}

function linesIn(exported: readonly Exported[]): number {
  const written = exported.map(({ sections: { "": _, ...sections } }) => sections);
  return written.reduce((sum, each) => sum + (Object.keys(each).length === 0 ? 0 : linesOf(each)), 0);
}

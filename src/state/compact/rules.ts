import { compareTexts } from "../../base/compare-texts.ts";
import { fits, linesOf, type Written, written, writtenBy } from "./cost.ts";
import type { Leaf, Node } from "./tree.ts";
import { isCommon, listValue, type Unit, type Value } from "./unit.ts";

/** One unit of a pattern. */
export interface Rule {
  readonly pattern: string;
  readonly unit: Unit;
  readonly written: Written;
  /** What it declares, with what it inherits itself. */
  readonly value: Value;
  /** The scopes that it matches. */
  readonly scopes: readonly Leaf[];
}

export interface Decided {
  readonly rules: readonly Rule[];
  /** What each scope inherits. */
  readonly inherited: ReadonlyMap<Leaf, Value | undefined>;
}

/** The minimum of scopes that have it. */
const fewest = 3;
/** The minimum of lines that are saved in them. */
const leastSaved = 2;

/**
 * The patterns of one unit, from the widest down: what most scopes below a group have, where that saves lines. It is
 * greedy, so that one value that changes does not move everything else.
 */
export function decide(unit: Unit, root: Node): Decided {
  const rules: Rule[] = [];
  const inherited = new Map<Leaf, Value | undefined>();
  const declare = (pattern: string, scopes: readonly Leaf[], before: Value | undefined): Value | undefined => {
    const value = choose(unit, scopes, before);
    if (value === undefined) return before;
    rules.push({ pattern, unit, written: written(value, before), value, scopes });
    return value;
  };
  const visit = ({ path, direct, groups, all }: Node, before: Value | undefined): void => {
    const below = declare(`${path}/**`, all, before);
    const near = groups.length > 0 ? declare(`${path}/*`, direct, below) : below;
    for (const leaf of direct) inherited.set(leaf, near);
    for (const group of groups) visit(group, below);
  };
  visit(root, undefined);
  return { rules, inherited };
}

/** What a pattern over these scopes should declare; undefined if nothing is gained. */
function choose(unit: Unit, scopes: readonly Leaf[], inherited: Value | undefined): Value | undefined {
  if (scopes.length < fewest) return undefined;
  if (scopes.some(({ held }) => held.get(unit.name) === "undeclared")) return undefined;
  const before = costOf(unit, scopes, inherited);
  const candidates = [mostCommon(unit, scopes), core(unit, scopes)].flatMap((value) => {
    if (value === undefined || value.text === inherited?.text) return [];
    const after = costOf(unit, scopes, value);
    const own = linesOf(written(value, inherited)?.value);
    const count = scopes.filter((leaf) => fits(unit, leaf, value)).length;
    const isRule = count >= fewest && count * 2 > scopes.length;
    return isRule && before - after >= leastSaved && after + own <= before ? [{ value, total: after + own }] : [];
  });
  return candidates.sort((a, b) => a.total - b.total)[0]?.value;
}

function costOf(unit: Unit, scopes: readonly Leaf[], inherited: Value | undefined): number {
  let sum = 0;
  for (const leaf of scopes) {
    const own = writtenBy(unit, leaf, inherited);
    if (own !== undefined) sum += linesOf(own.value);
  }
  return sum;
}

/** The value that most scopes have; of several the one with the smaller text. */
function mostCommon(unit: Unit, scopes: readonly Leaf[]): Value | undefined {
  const counts = new Map<string, { value: Value; count: number }>();
  for (const value of valuesOf(unit, scopes)) {
    const { count = 0, value: first = value } = counts.get(value.text) ?? {};
    counts.set(value.text, { value: first, count: count + 1 });
  }
  const isWide = ({ value }: { value: Value }) =>
    value.entries === undefined
      ? isCommon(unit, value.value)
      : [...value.entries.values()].every((each) => isCommon(unit, each));
  const sorted = [...counts.values()]
    .filter(isWide)
    .sort((a, b) => b.count - a.count || compareTexts(a.value.text, b.value.text));
  return sorted[0]?.value;
}

/** The entries that every list has. */
function core(unit: Unit, scopes: readonly Leaf[]): Value | undefined {
  const [first, ...others] = valuesOf(unit, scopes);
  if (first?.entries === undefined) return undefined;
  const shared = [...first.entries].filter(
    ([text, entry]) => isCommon(unit, entry) && others.every(({ entries }) => entries?.has(text)),
  );
  return shared.length === 0 ? undefined : listValue(shared.map(([, entry]) => entry));
}

function valuesOf({ name }: Unit, scopes: readonly Leaf[]): Value[] {
  return scopes.flatMap(({ held }) => {
    const own = held.get(name);
    return typeof own === "object" ? [own] : [];
  });
}

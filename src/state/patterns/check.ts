import { crowdedBeginning, maxAlike } from "../../base/globs.ts";
import { isId } from "../../base/group-paths.ts";
import { groupDigits } from "../../base/wording.ts";
import { type Block, wideExceptions } from "../block.ts";
import { canonical } from "../fields/normal.ts";
import { type Findings, type Origin, originText } from "../finding.ts";
import type { At, Kind, Scope, Section, StateField } from "../kind.ts";
import { compare, isWithin, overlap } from "../pattern.ts";
import { Declared, inOrder, standingAlone } from "./layers.ts";
import { type Doubt, merge, pathOf } from "./merge.ts";
import { Work } from "./work.ts";

/** A section of a pattern. */
type Wide = Section & { readonly block: Block };

/**
 * Problems of the declarations together, from the files alone: patterns of equal right for one field, and what is
 * inherited from nowhere. Whether a project exists plays no part.
 */
export function checkPatterns(sections: readonly Section[], findings: Findings, strict: boolean): void {
  const report = (doubt: Doubt) => reportDoubt(findings, doubt, strict);
  const wide = sections.filter((section): section is Wide => section.block !== undefined);
  if (areTooMany(wide, findings) || haveTooManyExceptions(wide, findings)) return;
  const work = new Work(findings);
  checkAmbiguity(wide, work, findings);
  if (findings.errorCount > 0) return;
  const declared = new Declared(sections);
  const alike = sectionsAlike(wide);
  for (const section of wide) if (!checkPattern(section, { alike, work }, report, findings)) return;
  const hasPatterns: Record<At, boolean> = { instance: false, group: false, project: false };
  for (const { scope } of wide) hasPatterns[scope.at] = true;
  for (const scope of declared.scopes()) {
    // The path of an ID is known only to the instance.
    if (hasPatterns[scope.at] && isId(scope.name)) continue;
    const [named] = declared.exact(scope.at, scope.name);
    if (named && !work.isLeftFor(scope.name, named.origin, declared.near(scope.at, scope.name))) return;
    for (const [kind, layers] of declared.layers(scope.at, scope.name))
      checkScope({ scope, kind, layers }, report, findings);
  }
}

export function reportDoubt(findings: Findings, { origin, path, message, strict: isStrict }: Doubt, strict: boolean) {
  const severity = strict && isStrict ? "error" : "warning";
  findings.once(origin, { path, severity, message, hint: null });
}

interface Layered {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly layers: readonly Section[];
}

function checkScope({ scope, kind, layers }: Layered, report: (doubt: Doubt) => void, findings: Findings): void {
  const only = standingAlone(layers);
  if (only !== undefined) reportMissing(only, findings);
  // A list that only one pattern declares is checked with the pattern.
  const isOfOne = kind.form === "list" && layers.length === 1 && layers[0]?.block !== undefined;
  if (only !== undefined || isOfOne) return;
  const { section, doubts } = merge(scope, kind, layers);
  for (const doubt of certain(layers, doubts)) report(doubt);
  if (section === undefined) return;
  reportMissing(section, findings);
  checkRepeated({ scope, kind, layers }, findings);
}

function reportMissing(section: Section, findings: Findings): void {
  for (const { origin, path, message } of missingFields(section)) findings.error(origin, path, message);
}

/** Offline a path and an ID may be one project. */
function certain(layers: readonly Section[], doubts: readonly Doubt[]): readonly Doubt[] {
  const entries = layers.flatMap((each) => each.entries);
  const [first] = entries;
  const isMixed = entries.some(({ values }) => "path" in values !== "path" in (first?.values ?? {}));
  return isMixed ? doubts.filter(({ message }) => !message.startsWith("is not inherited")) : doubts;
}

/** The fields of a record that must be declared somewhere. */
export function missingFields(section: Section): { origin: Origin; path: string; message: string }[] {
  const { scope, kind, origin } = section;
  if (kind.form === "list" || scope.at === "instance") return [];
  const [entry] = section.entries;
  if (entry === undefined) return [];
  const required = Object.entries(kind.fields).filter(([, field]: [string, StateField]) => field.required);
  const missing = required.filter(([name]) => !Object.hasOwn(entry.values, name));
  return missing.map(([name]) => ({
    origin,
    path: pathOf(section),
    message: `${name} is missing`,
  }));
}

/**
 * Two patterns that can match one path, with nothing to decide which comes first. Only those that begin alike, up to
 * the first star, can be of equal right; of these, each is compared with each, so how many there may be is bounded.
 */
function checkAmbiguity(wide: readonly Wide[], work: Work, findings: Findings): void {
  for (const sections of sectionsAlike(wide).values()) {
    for (const [index, section] of sections.entries()) {
      for (const other of sections.slice(0, index)) {
        if (!work.isLeft(section, [other])) return;
        checkPair(section, other, findings);
        if (findings.errorCount > maxErrors) return;
      }
    }
  }
}

type Alike = ReadonlyMap<string, readonly Wide[]>;

/** The sections of one kind whose patterns begin alike. */
function sectionsAlike(wide: readonly Wide[]): Alike {
  const alike = new Map<string, Wide[]>();
  for (const section of wide) {
    const key = keyOf(section, section.block.pattern.literal);
    const held = alike.get(key);
    if (held === undefined) alike.set(key, [section]);
    else held.push(section);
  }
  return alike;
}

function keyOf({ kind, scope }: Section, literal: string): string {
  return JSON.stringify([kind.name, scope.at, literal]);
}

/** Errors after which no more pairs are compared: there are about as many pairs as the square of all patterns. */
const maxErrors = 100;
/**
 * Every scope is compared with all patterns that begin as its path does, whatever they declare: how many scopes an
 * instance has is up to others.
 */
function areTooMany(wide: readonly Wide[], findings: Findings): boolean {
  for (const at of ["group", "project"] as const) {
    const own = wide.filter(({ scope }) => scope.at === at);
    const crowded = crowdedBeginning(own.map(({ block }) => block.pattern.text.toLowerCase()));
    const one = own.findLast(({ block }) => block.pattern.literal === crowded);
    if (one === undefined) continue;
    const message = `more than ${groupDigits(maxAlike)} characters of patterns begin as it does`;
    findings.error(one.origin, one.block.pattern.text, message, "write fewer and wider patterns");
    return true;
  }
  return false;
}

function haveTooManyExceptions(wide: readonly Wide[], findings: Findings): boolean {
  const one = wide.find(
    ({ block }) => wideExceptions(block).reduce((sum, { text }) => sum + text.length, 0) > maxAlike,
  );
  if (one === undefined) return false;
  const message = `more than ${groupDigits(maxAlike)} characters of exceptions with a star`;
  findings.error(one.origin, one.block.pattern.text, message, "write fewer and wider exceptions");
  return true;
}

function checkPair(section: Wide, other: Wide, findings: Findings): void {
  const [block, before] = [section.block, other.block];
  if (!overlap(block.pattern, before.pattern)) return;
  const names = inCommon(section, other);
  if (names.length === 0 || compare(block.pattern, before.pattern) !== 0) return;
  if (isApart(block, before) || isApart(before, block)) return;
  const where = `${before.pattern.text} (${originText(other.origin)})`;
  const message = `and ${where} can match one path, and both declare ${names.join(", ")}`;
  const hint = `write except: ["${block.pattern.text}"] in ${originText(before.origin)}`;
  findings.error(section.origin, block.pattern.text, message, hint);
}

/** Whether an exception of the first leaves out all that the second matches. */
function isApart(first: Block, second: Block): boolean {
  return wideExceptions(first).some((pattern) => isWithin(second.pattern, pattern));
}

/** The fields or the list that both declare. */
function inCommon(one: Section, other: Section): string[] {
  const { kind } = one;
  if (kind.form === "list" || one.unmanaged || other.unmanaged) return [kind.name];
  const names = Object.keys(one.entries[0]?.values ?? {});
  const common = names.filter((name) => Object.hasOwn(other.entries[0]?.values ?? {}, name));
  return common.map((name) => (kind.bare === name ? kind.name : `${kind.name}.${name}`));
}

/** What holds for every path of a pattern; false if it takes too long to say. */
function checkPattern(
  section: Wide,
  { alike, work }: { alike: Alike; work: Work },
  report: (doubt: Doubt) => void,
  findings: Findings,
): boolean {
  const { block, kind, scope, entries, origin } = section;
  if (kind.spreads !== undefined && entries.length > 0) findings.warn(origin, pathOf(section), kind.spreads);
  if (!section.inherits) return true;
  // What comes after it has a beginning that is a beginning of its own.
  const { literal } = block.pattern;
  const possible = Array.from({ length: literal.length + 1 }, (_, length) => keyOf(section, literal.slice(0, length)));
  const others = possible.flatMap((key) => alike.get(key) ?? []);
  if (!work.isLeft(section, others)) return false;
  const after = others.filter((each) => each !== section && isAfter(block, each.block));
  const around = inOrder(after.filter((each) => isWithin(block.pattern, each.block.pattern)));
  if (around.length < after.length || around.some((each) => each.block.except.length > 0)) return true;
  const layers = [section, ...around];
  for (const doubt of certain(layers, merge(scope, kind, layers).doubts)) if (doubt.origin.line) report(doubt);
  return true;
}

/** Whether the other one can apply to a path of the first, after it. */
function isAfter(block: Block, other: Block): boolean {
  if (!overlap(block.pattern, other.pattern) || compare(block.pattern, other.pattern) >= 0) return false;
  return !isApart(block, other) && !isApart(other, block);
}

/** Values that a wider pattern declares alike: they can be left out. */
function checkRepeated({ scope, kind, layers }: Layered, findings: Findings): void {
  const [own, next] = layers;
  if (own === undefined || next?.block === undefined) return;
  if (own.block !== undefined || own.inherits || own.unmanaged) return;
  const wider = merge(scope, kind, layers.slice(1)).section;
  if (wider === undefined) return;
  const path = pathOf(own);
  const repeat = (origin: Origin, name: string, of: Origin) => {
    const message = `repeats ${of.pattern} (${originText(of)})`;
    findings.once(origin, { path: name, severity: "info", message, hint: null });
  };
  if (kind.form === "list") {
    if (textOf(own) === textOf(wider)) repeat(own.origin, path, next.origin);
    return;
  }
  const [theirs] = wider.entries;
  if (theirs === undefined) return;
  for (const { values, places, origin } of own.entries) {
    const alike = Object.keys(values).filter(
      (name) => Object.hasOwn(theirs.values, name) && canonical(values[name]) === canonical(theirs.values[name]),
    );
    for (const name of alike) {
      repeat(
        places?.[name] ?? origin,
        kind.bare === name ? path : `${path}.${name}`,
        theirs.places?.[name] ?? theirs.origin,
      );
    }
  }
}

/** The entries of a list in one form, whatever their order. */
function textOf({ entries }: Section): string {
  return canonical(entries.map(({ values }) => canonical(values)).sort());
}

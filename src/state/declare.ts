import { nearest } from "../base/nearest.ts";
import { CompactSection, type Texts } from "./compact-section.ts";
import { at, bare, originOf, type Spot } from "./field-value.ts";
import { type Findings, type Origin, originText } from "./finding.ts";
import { keepProblem } from "./keep.ts";
import type { Kind, Scope, Section } from "./kind.ts";
import { findKind, kindsAt } from "./kinds/index.ts";
import { settingsKind } from "./kinds/settings.ts";
import { readSection } from "./section.ts";
import type { StateFile } from "./sources.ts";
import type { Mapping, Tree } from "./tree.ts";
import { describe } from "./value-words.ts";

/** Entries that are never pruned: patterns of keys (`*` matches anything) by kind. */
type Keep = ReadonlyMap<string, readonly string[]>;

export interface Declaration {
  readonly sections: readonly Section[];
  readonly keep: Keep;
  /** The instance addresses that files name. */
  readonly instances: readonly { readonly url: string; readonly origin: Origin }[];
}

/** A command for a single kind: its file may be the bare section, without `forgectl: 1`. */
export interface SingleKind {
  readonly kind: Kind;
  readonly scope: Scope;
}

const instanceScope: Scope = { at: "instance", name: "" };
const topKeys = ["forgectl", "instance", "settings", "groups", "projects", "keep"];

/**
 * Merges the files into one declaration. Problems are in the findings; no requests are made. Only the declared values
 * of a file are kept in memory.
 */
export async function declare(
  files: Iterable<StateFile> | AsyncIterable<StateFile>,
  findings: Findings,
  { strict = false, single }: { strict?: boolean; single?: SingleKind } = {},
): Promise<Declaration> {
  const sections: Section[] = [];
  const byScope = new Map<string, Section[]>();
  const texts: Texts = new Map();
  const keep = new Map<string, string[]>();
  const instances: { url: string; origin: Origin }[] = [];
  const add = (section: Section) => {
    const { scope, kind, origin } = section;
    const id = `${scope.at}:${scope.name.toLowerCase()}`;
    const others = byScope.get(id) ?? [];
    byScope.set(id, others);
    const first = others.find((each) => each.kind === kind);
    if (first !== undefined) {
      findings.error(origin, kind.name, `is already in ${originText(first.origin)}`, "merge the two");
      return;
    }
    const compact = new CompactSection(section, texts);
    others.push(compact);
    sections.push(compact);
  };
  for await (const { name, folder, tree } of files) {
    const spot: Spot = { file: name, path: "", findings, strict, kind: "", folder };
    if (single !== undefined && !isStateFile(tree)) {
      readSection(tree, single.kind, single.scope, spot, add);
      continue;
    }
    const top = topOf(tree, spot);
    if (top === undefined) continue;
    readInstance(top, spot, instances);
    readKeep(top, spot, keep);
    const settings = top.entries.get("settings");
    if (settings !== undefined) readSection(settings.value, settingsKind, instanceScope, at(spot, "settings"), add);
    readScopes(top, "group", spot, add);
    readScopes(top, "project", spot, add);
  }
  return { sections, keep, instances };
}

function isStateFile(tree: Tree): boolean {
  return tree.kind === "mapping" && tree.entries.has("forgectl");
}

function topOf(tree: Tree, spot: Spot): Mapping | undefined {
  const { findings } = spot;
  const origin = originOf(spot, tree);
  if (tree.kind !== "mapping" || !isStateFile(tree)) {
    findings.error(origin, "", "is not a state file", "a state file starts with forgectl: 1");
    return undefined;
  }
  const { entries } = tree;
  const version = entries.get("forgectl");
  if (version?.value.kind !== "scalar" || version.value.value !== 1) {
    findings.error(origin, "forgectl", "this program reads version 1 of the format", "write forgectl: 1");
  }
  for (const [key, { line }] of entries) {
    if (topKeys.includes(key)) continue;
    const near = nearest(key, topKeys);
    findings.error({ file: spot.file, line }, key, "is not allowed here", near && `did you mean ${near}?`);
  }
  return tree;
}

function readInstance(top: Mapping, spot: Spot, instances: { url: string; origin: Origin }[]): void {
  const entry = top.entries.get("instance");
  if (entry === undefined) return;
  const value = bare(entry.value);
  const origin = { file: spot.file, line: entry.line };
  if (typeof value === "string" && URL.canParse(value)) instances.push({ url: ownCopy(value), origin });
  else spot.findings.error(origin, "instance", "must be the address of an instance, such as https://forge.example.com");
}

function readKeep(top: Mapping, spot: Spot, keep: Map<string, string[]>): void {
  const entry = top.entries.get("keep");
  if (entry === undefined) return;
  const wrong = (line: number, path: string, message: string) =>
    spot.findings.error({ file: spot.file, line }, path, message, 'write it as keep: { hooks: ["name-*"] }');
  const warn = (line: number, path: string, message: string) =>
    spot.findings.warn({ file: spot.file, line }, path, message);
  if (entry.value.kind !== "mapping") {
    wrong(entry.line, "keep", "must be a mapping of kinds to lists of keys");
    return;
  }
  for (const [name, { line, value }] of entry.value.entries) {
    const patterns = bare(value);
    if (findKind(name)?.form !== "list") wrong(line, `keep.${name}`, "is not a kind with entries");
    else if (
      !Array.isArray(patterns) ||
      !patterns.every((each) => typeof each === "string" || typeof each === "number")
    )
      wrong(line, `keep.${name}`, "must be a list of keys");
    else keepAll(keep, name, patterns.map(String), (text) => warn(line, `keep.${name}`, text));
  }
}

function keepAll(keep: Map<string, string[]>, name: string, patterns: string[], warn: (text: string) => void): void {
  keep.set(name, [...(keep.get(name) ?? []), ...patterns]);
  const kind = findKind(name);
  for (const problem of patterns.flatMap((each) => (kind && keepProblem(kind, each)) ?? [])) warn(problem);
}

function readScopes(top: Mapping, of: "group" | "project", spot: Spot, add: (section: Section) => void): void {
  const key = `${of}s`;
  const entry = top.entries.get(key);
  if (entry === undefined) return;
  const here = at(spot, key);
  if (entry.value.kind !== "mapping") {
    here.findings.error(originOf(here, entry), key, `must be a mapping of ${of}s, not ${describe(entry.value)}`);
    return;
  }
  for (const [name, { line, value }] of entry.value.entries) {
    const place = at(here, name);
    const problem = nameProblem(of, name);
    if (problem !== undefined) {
      place.findings.error({ file: spot.file, line }, place.path, problem);
      continue;
    }
    if (value.kind !== "mapping") {
      const hint = `leave the ${of} out, or write its sections`;
      here.findings.error(
        { file: spot.file, line },
        place.path,
        `must be a mapping of sections, not ${describe(value)}`,
        hint,
      );
      continue;
    }
    readSections(value, { at: of, name: ownCopy(name) }, place, add);
  }
}

/** Why a name is neither an ID nor a path. */
function nameProblem(of: "group" | "project", name: string): string | undefined {
  if (/^[1-9]\d{0,15}$/.test(name)) return undefined;
  const parts = name.split("/");
  const isPath = parts.every((part) => /^[\w.][\w.-]*$/.test(part) && !/^\.+$/.test(part));
  if (isPath && (of === "group" || parts.length > 1)) return undefined;
  return `is neither the ID nor the full path of a ${of}`;
}

/** The same text, without keeping the whole file in memory that it is a slice of. */
function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

function readSections(tree: Mapping, scope: Scope, spot: Spot, add: (section: Section) => void): void {
  const offered = kindsAt(scope.at).filter((kind) => kind.within === undefined);
  for (const [key, { line, value }] of tree.entries) {
    const here = at(spot, key);
    const kind = offered.find(({ name }) => name === key);
    if (kind !== undefined) {
      readSection(value, kind, scope, here, add);
      continue;
    }
    const elsewhere = findKind(key);
    const near = nearest(
      key,
      offered.map(({ name }) => name),
    );
    const hint =
      elsewhere?.within !== undefined
        ? `write it inside ${elsewhere.within}`
        : near === undefined
          ? `a ${scope.at} has ${offered.map(({ name }) => name).join(", ")}`
          : `did you mean ${near}?`;
    spot.findings.error({ file: spot.file, line }, here.path, "is not allowed here", hint);
  }
}

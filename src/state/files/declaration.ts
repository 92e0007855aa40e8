import { withoutEnd } from "../../base/without-end.ts";
import { bare } from "../fields/field-value.ts";
import { at, type NullSection, originOf, type Spot } from "../fields/spot.ts";
import { type Findings, type Origin, originText } from "../finding.ts";
import type { Keep } from "../keep.ts";
import type { Kind, Scope, Section } from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";
import { isPattern } from "../pattern.ts";
import { checkPatterns } from "../patterns/check.ts";
import { Declared } from "../patterns/layers.ts";
import type { Mapping, Tree } from "../yaml/tree.ts";
import { CompactSection, type Texts } from "./compact-section.ts";
import { KeepSections } from "./keep-section.ts";
import { ownCopy, readScopes } from "./scopes.ts";
import { readSection } from "./section.ts";
import type { StateFile } from "./sources.ts";

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
const ofInstance = kindsAt("instance");
const topKeys = ["forgectl", "instance", ...ofInstance.map(({ name }) => name), "groups", "projects", "keep"];

/**
 * Merges the files into one declaration. Problems are in the findings; no requests are made. Only the declared values
 * of a file are kept in memory.
 */
export async function declare(
  files: Iterable<StateFile> | AsyncIterable<StateFile>,
  findings: Findings,
  { strict = false, single }: { strict?: boolean; single?: SingleKind } = {},
): Promise<Declaration & { readonly objects: number }> {
  const sections: Section[] = [];
  let objects = 0;
  const byScope = new Map<string, Section[]>();
  const texts: Texts = new Map();
  const keep = new KeepSections();
  const instances: { url: string; origin: Origin }[] = [];
  const nulls: NullSection[] = [];
  const add = (section: Section) => {
    const { scope, kind, origin } = section;
    const id = `${scope.at}:${scope.name.toLowerCase()}`;
    const others = byScope.get(id) ?? [];
    byScope.set(id, others);
    const first = others.find((each) => each.kind === kind);
    if (first !== undefined) {
      const of = scope.name === "" ? "" : `of ${scope.name} `;
      findings.error(origin, kind.name, `${of}is already in ${originText(first.origin)}`, "merge the two");
      return;
    }
    objects += section.entries.length;
    const compact = new CompactSection(section, texts);
    others.push(compact);
    sections.push(compact);
  };
  for await (const { name, folder, tree } of files) {
    const spot: Spot = { file: name, path: "", findings, strict, kind: "", folder, nulls };
    if (single !== undefined && !isStateFile(tree)) {
      readSection(tree, single.kind, single.scope, spot, add);
      continue;
    }
    const top = topOf(tree, spot);
    if (top === undefined) continue;
    readInstance(top, spot, instances);
    keep.read(top, spot);
    for (const kind of ofInstance) {
      const entry = top.entries.get(kind.name);
      if (entry !== undefined) readSection(entry.value, kind, instanceScope, at(spot, kind.name), add);
    }
    readScopes(top, "group", spot, add);
    readScopes(top, "project", spot, add);
  }
  refuseNulls(nulls, sections, findings);
  refuseTwoInstances(instances, findings);
  checkPatterns(sections, findings, strict);
  return { sections, keep: keep.all(findings), instances, objects };
}

/** What a section that is null may have been meant to be, in words. */
function refuseNulls(nulls: readonly NullSection[], sections: readonly Section[], findings: Findings): void {
  const declared = nulls.length === 0 ? undefined : new Declared(sections);
  for (const { scope, kind, origin, path } of nulls) {
    const wide = isPattern(scope.name) ? undefined : declared?.layers(scope.at, scope.name, []).get(kind)?.[0];
    const without = wide === undefined ? "leave it out" : `leave it out to take ${originText(wide.origin)}`;
    const unmanaged = scope.at === "instance" ? "" : "unmanaged to leave it alone, ";
    const hint = kind.form === "list" ? `write [] for none, ${unmanaged}or ${without}` : without;
    findings.error(origin, path, "is null", hint);
  }
}

/** Whether two base URLs are one: a trailing slash makes no difference. */
export function isSameAddress(one: string, other: string): boolean {
  const [here, there] = [one, other].map((url) => withoutEnd(new URL(url).href, /\//));
  return here === there;
}

/** The files of one run are for one instance. */
function refuseTwoInstances([first, ...others]: Declaration["instances"], findings: Findings): void {
  if (first === undefined) return;
  for (const { url, origin } of others) {
    if (isSameAddress(url, first.url)) continue;
    findings.error(origin, "instance", `is ${url}, but ${originText(first.origin)} is for ${first.url}`);
  }
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
    const near = findings.guess(key, topKeys);
    findings.error(
      { file: spot.file, line },
      at(spot, key).path,
      "is not allowed here",
      near && `did you mean ${near}?`,
    );
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

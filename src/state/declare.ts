import { nearest } from "../nearest.ts";
import { validateSettings } from "../settings/validate.ts";
import { at, bare, describe, originOf, readFields, readReference, readValue, type Spot } from "./field-value.ts";
import { type Findings, type Origin, originText } from "./finding.ts";
import { type Declared, type Kind, type Scope, type Section, type Values } from "./kind.ts";
import { findKind, kindsAt } from "./kinds/index.ts";
import { settingField, settingsKind } from "./kinds/settings.ts";
import type { StateFile } from "./sources.ts";
import type { Mapping, Tree } from "./tree.ts";

/** What is never pruned: patterns of keys (`*` stands for anything) by kind. */
export type Keep = ReadonlyMap<string, readonly string[]>;

export interface Declaration {
  readonly sections: readonly Section[];
  readonly keep: Keep;
  /** Addresses that files say they are for. */
  readonly instances: readonly { readonly url: string; readonly origin: Origin }[];
}

/** A front end's one kind: its file may be the section alone, without `forgectl: 1`. */
export interface Front {
  readonly kind: Kind;
  readonly scope: Scope;
}

const instanceScope: Scope = { at: "instance", name: "" };
const topKeys = ["forgectl", "instance", "settings", "groups", "projects", "keep"];

/** Makes the files into one declaration. What is wrong with them is in the findings; nothing is asked of an instance. */
export function declare(
  files: readonly StateFile[],
  findings: Findings,
  { strict = false, front }: { strict?: boolean; front?: Front } = {},
): Declaration {
  const sections = new Map<string, Section>();
  const keep = new Map<string, string[]>();
  const instances: { url: string; origin: Origin }[] = [];
  const add = (section: Section) => {
    const id = `${section.scope.at}:${section.scope.name}#${section.kind.name}`;
    const first = sections.get(id);
    if (first === undefined) sections.set(id, section);
    else findings.error(section.origin, section.kind.name, `is already in ${originText(first.origin)}`, "merge the two");
  };
  for (const { name, folder, tree } of files) {
    const spot: Spot = { file: name, path: "", findings, strict, folder };
    if (front !== undefined && !isStateFile(tree)) {
      readSection(tree, front.kind, front.scope, spot, add);
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
  return { sections: [...sections.values()], keep, instances };
}

function isStateFile(tree: Tree): boolean {
  return tree.kind === "mapping" && tree.entries.has("forgectl");
}

function topOf(tree: Tree, spot: Spot): Mapping | undefined {
  const { findings } = spot;
  const origin = originOf(spot, tree);
  if (tree.kind !== "mapping" || !tree.entries.has("forgectl")) {
    findings.error(origin, "", "is not a state file", "a state file begins with forgectl: 1");
    return undefined;
  }
  const version = tree.entries.get("forgectl");
  if (version?.value.kind !== "scalar" || version.value.value !== 1) {
    findings.error(origin, "forgectl", "this program reads version 1 of the format", "write forgectl: 1");
  }
  for (const [key, { line }] of tree.entries) {
    if (topKeys.includes(key)) continue;
    const near = nearest(key, topKeys);
    findings.error({ file: spot.file, line }, key, "is not known here", near && `did you mean ${near}?`);
  }
  return tree;
}

function readInstance(top: Mapping, spot: Spot, instances: { url: string; origin: Origin }[]): void {
  const entry = top.entries.get("instance");
  if (entry === undefined) return;
  const value = bare(entry.value);
  const origin = { file: spot.file, line: entry.line };
  if (typeof value === "string" && URL.canParse(value)) instances.push({ url: value, origin });
  else spot.findings.error(origin, "instance", "must be the address of an instance, such as https://forge.example.com");
}

function readKeep(top: Mapping, spot: Spot, keep: Map<string, string[]>): void {
  const entry = top.entries.get("keep");
  if (entry === undefined) return;
  const wrong = (line: number, path: string, message: string) =>
    spot.findings.error({ file: spot.file, line }, path, message, 'write it as keep: { hooks: ["name-*"] }');
  if (entry.value.kind !== "mapping") return wrong(entry.line, "keep", "must be a mapping of kinds to lists of keys");
  for (const [name, { line, value }] of entry.value.entries) {
    const patterns = bare(value);
    if (findKind(name)?.form !== "list") wrong(line, `keep.${name}`, "is not a kind with entries");
    else if (!Array.isArray(patterns) || !patterns.every((each) => typeof each === "string" || typeof each === "number"))
      wrong(line, `keep.${name}`, "must be a list of keys");
    else keep.set(name, [...(keep.get(name) ?? []), ...patterns.map(String)]);
  }
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
    if (value.kind !== "mapping") {
      const hint = `leave the ${of} out, or write its sections`;
      here.findings.error({ file: spot.file, line }, place.path, `must be a mapping of sections, not ${describe(value)}`, hint);
      continue;
    }
    readSections(value, { at: of, name }, place, add);
  }
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
    const near = nearest(key, offered.map(({ name }) => name));
    const hint =
      elsewhere?.within !== undefined
        ? `write it inside of ${elsewhere.within}`
        : near === undefined
          ? `a ${scope.at} has ${offered.map(({ name }) => name).join(", ")}`
          : `did you mean ${near}?`;
    spot.findings.error({ file: spot.file, line }, here.path, "is not known here", hint);
  }
}

function readSection(tree: Tree, kind: Kind, scope: Scope, spot: Spot, add: (section: Section) => void): void {
  const origin = originOf(spot, tree);
  const wrong = (message: string, hint?: string) => spot.findings.error(origin, spot.path, message, hint);
  if (tree.kind === "scalar" && tree.value === null) {
    return wrong("is null", kind.form === "list" ? "write [] for none, or leave it out" : "leave it out");
  }
  if (kind.form === "list") {
    if (tree.kind !== "sequence") return wrong(`must be a list, not ${describe(tree)}`);
    const entries = tree.items.flatMap((item, index) => readEntry(item, kind, at(spot, index)) ?? []);
    refuseRepeated(entries, kind, spot);
    return add({ scope, kind, entries, origin });
  }
  const bareField = kind.bare === undefined ? undefined : kind.fields[kind.bare];
  if (kind.bare !== undefined && bareField !== undefined && tree.kind !== "mapping") {
    const value = readValue(tree, bareField, spot);
    return value === undefined ? undefined : add({ scope, kind, entries: [{ values: { [kind.bare]: value }, origin }], origin });
  }
  if (tree.kind !== "mapping") return wrong(`must be a mapping, not ${describe(tree)}`);
  const record = readRecord(tree, kind, scope, spot, add);
  if (Object.keys(record).length > 0) add({ scope, kind, entries: [{ values: record, origin }], origin });
}

/** A record, and the lists that stand in it. */
function readRecord(tree: Mapping, kind: Kind, scope: Scope, spot: Spot, add: (section: Section) => void): Values {
  if (kind === settingsKind) return readSettings(tree, spot);
  const inner = kindsAt(scope.at).filter(({ within }) => within === kind.name);
  const own = new Map([...tree.entries].filter(([key]) => !inner.some(({ name }) => name === key)));
  for (const each of inner) {
    const entry = tree.entries.get(each.name);
    if (entry !== undefined) readSection(entry.value, each, scope, at(spot, each.name), add);
  }
  return readFields({ ...tree, entries: own }, kind.fields, spot, { ...(kind.writeNames && { write: kind.writeNames }) });
}

/** Settings are checked by the catalogue, which knows more of them than a form. */
function readSettings(tree: Mapping, spot: Spot): Values {
  const { findings, strict, file } = spot;
  const values: Record<string, unknown> = {};
  const written: Record<string, unknown> = {};
  for (const [name, { value }] of tree.entries) {
    const field = settingsKind.fields[name];
    const here = at(spot, name);
    const isText = ["text", "addresses"].includes(settingField(name).form) || settingsKind.fields[name] === undefined;
    const reference = isText ? readReference(value, here) : undefined;
    if (reference !== undefined) values[name] = reference;
    else {
      values[name] = written[name] = bare(value);
      if (strict && field?.secret && values[name] !== "" && values[name] !== null) {
        findings.error(originOf(here, value), here.path, "is a secret in plain text", "write { env: NAME } or { file: path }");
      }
    }
  }
  for (const { setting, severity, message, hint } of validateSettings(written, { strict, alone: true })) {
    const line = tree.entries.get(setting)?.line ?? tree.line;
    const place = at(spot, setting).path;
    if (severity === "error") findings.error({ file, line }, place, message, hint);
    else findings.warn({ file, line }, place, message, hint);
  }
  refuseTwins(tree, spot);
  for (const name of ["id", "created_at", "updated_at"]) delete values[name];
  return values;
}

/** A deprecated setting beside its successor: which of the two is meant cannot be known. */
function refuseTwins(tree: Mapping, spot: Spot): void {
  for (const [old, successors] of Object.entries(deprecated)) {
    const successor = successors.find((name) => tree.entries.has(name));
    const entry = tree.entries.get(old);
    if (entry === undefined || successor === undefined) continue;
    const message = `is deprecated, and ${successor}, which replaces it, is in the file too`;
    spot.findings.error({ file: spot.file, line: entry.line }, at(spot, old).path, message, "leave it out");
  }
}

const deprecated: Readonly<Record<string, readonly string[]>> = {
  default_branch_protection: ["default_branch_protection_defaults"],
  admin_notification_email: ["abuse_notification_email"],
  signin_enabled: ["password_authentication_enabled_for_web"],
  asset_proxy_whitelist: ["asset_proxy_allowlist"],
};

function readEntry(tree: Tree, kind: Kind, spot: Spot): Declared | undefined {
  const origin = originOf(spot, tree);
  if (kind.target !== undefined && tree.kind === "scalar") {
    const { value } = tree;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return { values: { id: value }, origin };
    if (typeof value === "string" && /^\d+$/.test(value)) return { values: { id: Number(value) }, origin };
    if (typeof value === "string" && value !== "") return { values: { path: value }, origin };
    spot.findings.error(origin, spot.path, `must be the ID or the path of a ${kind.target}, not ${describe(tree)}`);
    return undefined;
  }
  if (tree.kind !== "mapping") {
    spot.findings.error(origin, spot.path, `must be a mapping, not ${describe(tree)}`);
    return undefined;
  }
  if (kind.target !== undefined) {
    // As the list of it prints them: all but the ID is the instance's to say.
    const id = tree.entries.get("id");
    const read = id === undefined ? undefined : readValue(id.value, { form: "id" }, at(spot, "id"));
    if (typeof read === "number") return { values: { id: read }, origin };
    const name = Object.keys(kind.writeNames ?? {}).find((each) => tree.entries.has(each));
    if (name !== undefined) spot.findings.error(origin, at(spot, name).path, "is the name of requests; in files it is id");
    else if (id === undefined) spot.findings.error(origin, spot.path, "id is missing");
    return undefined;
  }
  const values = readFields(tree, kind.fields, spot, { ...(kind.writeNames && { write: kind.writeNames }) });
  checkKey(values, kind, origin, spot);
  return { values: kind.expand?.(values) ?? values, origin };
}

function checkKey(values: Values, kind: Kind, origin: Origin, spot: Spot): void {
  const given = kind.keys.filter((names) => names.every((name) => isGiven(values[name])));
  const identities = [...new Set(kind.keys.map((names) => names.at(-1)))];
  if (given.length === 0 && spot.findings.errors.every(({ path }) => path !== spot.path)) {
    spot.findings.error(origin, spot.path, `is named by nothing: ${identities.join(" or ")} is missing`);
  }
  // Either finds the people: both in one link are two links.
  if (kind.name === "ldap_group_links" && given.length > 1) {
    spot.findings.error(origin, spot.path, "has both cn and filter", "make two links of it, or leave one out");
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Two declared entries of one key: the second would undo the first. */
function refuseRepeated(entries: readonly Declared[], kind: Kind, spot: Spot): void {
  const seen = new Map<string, Origin>();
  for (const { values, origin } of entries) {
    const key = keyOf(kind, values);
    const first = seen.get(key);
    if (first !== undefined) {
      spot.findings.error(origin, spot.path, `"${key}" is already in ${originText(first)}`, "leave one out");
    }
    seen.set(key, origin);
  }
}

/** What identifies an entry: `Deploys`, `ldapmain/engineering`. */
export function keyOf(kind: Kind, values: Values): string {
  const names = kind.keys.find((each) => each.every((name) => isGiven(values[name])));
  if (names !== undefined) return names.map((name) => String(values[name])).join("/");
  return typeof values.path === "string" ? values.path : "";
}

import { listUsers } from "../../api/endpoints/users.ts";
import { undefinedOn } from "../../base/errors.ts";
import { ownValue } from "../../base/own-value.ts";
import { normal } from "../fields/normal.ts";
import type { Declared, Kind, Live, Section, Values } from "../kind.ts";
import type { Reader } from "./reader.ts";

/** A project is always on its own allowlist, whatever the file declares. */
function isScope({ kind, scope }: Section, { id, path }: Values): boolean {
  if (kind.target !== scope.at) return false;
  const isPath = typeof path === "string" && path.toLowerCase() === scope.name.toLowerCase();
  return isPath || String(id) === scope.name || (id !== undefined && id === scope.id);
}

/** The IDs of live projects or groups by their paths in lower case; of several, the first. */
function idsByPath(live: readonly Live[]): ReadonlyMap<string, unknown> {
  const ids = new Map<string, unknown>();
  for (const { values } of live) {
    for (const path of [values.path_with_namespace, values.full_path]) {
      if (typeof path === "string" && !ids.has(path.toLowerCase())) ids.set(path.toLowerCase(), values.id);
    }
  }
  return ids;
}

/** The ID, as a number or a numeric string. */
function idOf(found: object | undefined): number | undefined {
  const id = normal({ form: "id" }, (found as { id?: unknown } | undefined)?.id);
  return typeof id === "number" ? id : undefined;
}

/**
 * Resolves the names in a file to IDs: paths of projects and groups, usernames. Each name is looked up once per run.
 */
export class NameLookup {
  readonly #reader: Reader;
  readonly #found = new Map<string, Promise<number | undefined>>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The IDs of the paths in lists that are put together, if it matters which of them are the same. */
  async idsOf(kind: Kind, layers: readonly Section[]): Promise<(path: string) => number | undefined> {
    const ids = new Map<string, number | undefined>();
    const { target } = kind;
    if (target === undefined || !layers.some(({ inherits }) => inherits)) return (path) => ids.get(path);
    for (const { values } of layers.flatMap(({ entries }) => entries)) {
      if (typeof values.path === "string") ids.set(values.path, await this.#lookUp(target, values.path));
    }
    return (path) => ids.get(path);
  }

  /** The section with IDs in place of names; `unknown` contains those that were not found. */
  async resolve(
    section: Section,
    live: readonly Live[],
  ): Promise<{ section: Section; unknown: Map<Declared, string> }> {
    const { kind } = section;
    const unknown = new Map<Declared, string>();
    const entries: Declared[] = [];
    const listed = new Set<unknown>();
    const ids = kind.target === undefined ? undefined : idsByPath(live);
    for (const entry of section.entries) {
      const missing: string[] = [];
      const values = await this.#entry(section, entry.values, ids, missing);
      const resolved = { ...entry, values };
      const isOwn = isScope(section, entry.values) || isScope(section, values);
      // It may have been named before, by ID or path.
      const isListed = values.id !== undefined && listed.size === listed.add(values.id).size;
      if (kind.target !== undefined && (isOwn || isListed)) continue;
      if (missing.length > 0) unknown.set(resolved, missing.join(", "));
      entries.push(resolved);
    }
    return { section: { ...section, entries }, unknown };
  }

  async #entry(
    { kind }: Section,
    values: Values,
    ids: ReadonlyMap<string, unknown> | undefined,
    missing: string[],
  ): Promise<Values> {
    if (kind.target !== undefined) {
      const { path } = values;
      if (typeof path !== "string") return values;
      const known = ids?.get(path.toLowerCase()) as number | undefined;
      const id = known ?? (await this.#lookUp(kind.target, path));
      if (id !== undefined) return { id };
      missing.push(`the ${kind.target} ${path} was not found; if it exists, give its ID`);
      return values;
    }
    const entries = Object.entries(values).map(async ([name, value]): Promise<[string, unknown]> => {
      if (ownValue(kind.fields, name)?.form !== "rules" || !Array.isArray(value)) return [name, value];
      return [name, await Promise.all(value.map((rule) => this.#rule(rule as Values, missing)))];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  async #rule(rule: Values, missing: string[]): Promise<Values> {
    const { username, ...rest } = rule;
    if (typeof username !== "string") return rule;
    const id = await this.#lookUp("user", username);
    if (id !== undefined) return { user_id: id, ...rest };
    missing.push(`the user ${username} was not found`);
    return rule;
  }

  #lookUp(what: "project" | "group" | "user", name: string): Promise<number | undefined> {
    const key = `${what}:${name}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      found = this.#ask(what, name);
      this.#found.set(key, found);
    }
    return found;
  }

  async #ask(what: "project" | "group" | "user", name: string): Promise<number | undefined> {
    if (what !== "user") return (await this.#reader.places.of({ at: what, name }))?.id;
    const rows = await this.#reader.list(listUsers, { username: name }).catch(undefinedOn("notFound", "forbidden"));
    const isNamed = ({ username }: Values) => String(username).toLowerCase() === name.toLowerCase();
    return idOf(rows?.find((row) => isNamed(row as Values)));
  }
}

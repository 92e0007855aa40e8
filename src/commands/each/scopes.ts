import { createHash } from "node:crypto";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { scopeIds } from "../../verbs/scope-ids.ts";
import { scopeNames } from "../../verbs/scope-names.ts";

export type ScopeKind = "project" | "group";

/** A project or a group that the command is run for. */
export interface Scope {
  /** As typed. */
  readonly name: string;
  /** Identifies it in a journal: its ID on the instance, or the name if the instance does not say. */
  readonly id: string;
}

interface Source {
  readonly projects_file?: string | undefined;
  readonly groups_file?: string | undefined;
}

/** The names in the given file. */
export async function namesIn(context: Context, { projects_file: projects, groups_file: groups }: Source) {
  if ((projects === undefined) === (groups === undefined)) {
    throw new UsageError("give either --projects-file or --groups-file");
  }
  const kind: ScopeKind = projects === undefined ? "group" : "project";
  const source = projects ?? groups;
  const names = await scopeNames(context, [], source);
  if (names.length === 0) throw new UsageError(`${source === "-" ? "stdin" : source} names no ${kind}`);
  return { kind, names };
}

/** The words that give the same names again. */
export function sourceWords({ projects_file: projects, groups_file: groups }: Source): string[] {
  return projects === undefined ? ["--groups-file", groups ?? "-"] : ["--projects-file", projects];
}

/** The scopes with their IDs; names of one project are one scope. */
export async function identified(context: Context, kind: ScopeKind, names: readonly string[]): Promise<Scope[]> {
  const keyOf = (name: string) => `${kind} ${name}`;
  const ids = await scopeIds(context, names.map(keyOf));
  const scopes = new Map<string, Scope>();
  for (const name of names) {
    const id = ids.get(keyOf(name)) ?? keyOf(name);
    if (!scopes.has(id)) scopes.set(id, { name, id });
  }
  return [...scopes.values()];
}

/** A short hash that distinguishes words whose secrets differ. */
export function markOf(words: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 8);
}

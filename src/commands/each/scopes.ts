import { createHash } from "node:crypto";
import type { Context, InnerCommand } from "../../context.ts";
import type { Journal } from "../../jobs/journal.ts";
import { isInShard, type Shard } from "../../jobs/shard.ts";
import { type NamedId, placed, type Task } from "../../jobs/task-ids.ts";
import { scopeIds } from "../../verbs/scope-ids.ts";
import type { Named, ScopeKind } from "./sources.ts";

/** What the command is run for: a project, a group, or a whole instance. */
export interface Scope extends Task {
  /** As typed, or as the instance lists it; undefined for a whole instance. */
  readonly name: string | undefined;
  /** The stored profile of its instance, if several were named. */
  readonly profile: string | undefined;
  /** The profile is behind it. */
  readonly named: string;
}

/** The names on one instance. */
export interface Place {
  readonly profile?: string | undefined;
  /** Undefined for the instance as a whole. */
  readonly names?: readonly Named[] | undefined;
  /** Entries left the list of names each time it was read, so that one of the others may be missing. */
  readonly isInPart?: true;
}

/** An instance, and the command as it runs there. */
export interface Instance {
  readonly context: Context;
  readonly inner: InnerCommand;
}

export type Instances = ReadonlyMap<string | undefined, Instance>;

interface Wanted {
  readonly kind: ScopeKind | undefined;
  readonly places: readonly Place[];
  readonly shard: Shard | undefined;
  /** Each thing once, whatever names it has: for a command that changes something. */
  readonly once: boolean;
  /** What an earlier run recorded. */
  readonly seen?: Journal["seen"] | undefined;
}

/** The scopes of all instances, or those of one shard, and what all the names lead to. */
export async function scopesOf(
  instances: Instances,
  { kind, places, shard, once, seen = new Map() }: Wanted,
): Promise<{ scopes: Scope[]; names: readonly NamedId[] }> {
  const scopes: Scope[] = [];
  for (const { profile, names } of places) {
    const { context } = instances.get(profile) as Instance;
    const found: Partial<Named>[] = kind === undefined ? [{}] : [...(names ?? [])];
    const ids =
      kind !== undefined && (once || shard !== undefined) ? await idsOf(context, kind, names ?? [], shard) : undefined;
    for (const { name, id } of found) {
      const typed = name === undefined ? "instance" : `${kind} ${name}`;
      const own = name === undefined ? typed : (ids?.get(name) ?? typed);
      const there = profile === undefined ? "" : ` of ${profile}`;
      scopes.push({ name, profile, id: `${own}${there}`, named: `${typed}${there}`, isListed: id !== undefined });
    }
  }
  // One that was meant by the path of another is left alone: it is of its own shard, and is a row of its own.
  const known = [...placed(scopes, seen)];
  const sharded = known.filter(({ id, moved, named }) => isInShard(shard, moved?.before ?? id ?? named));
  if (shard !== undefined && scopes.length > 0 && sharded.length === 0) {
    const [{ context }] = [...instances.values()] as [Instance];
    context.notice(`none of ${scopes.length} is in shard ${shard.index}/${shard.total}`);
  }
  const taken = new Set<string>();
  const distinct = sharded.filter(({ id, moved }) => taken.size !== taken.add(JSON.stringify(moved ?? id)).size);
  return { scopes: once ? distinct : sharded, names: scopes };
}

/** `project 7` for each name; what the instance does not show is left out. */
async function idsOf(
  context: Context,
  kind: ScopeKind,
  names: readonly Named[],
  shard: Shard | undefined,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>(
    names.flatMap(({ name, id }) => (id === undefined ? [] : [[name, `${kind} ${id}`] as const])),
  );
  const keys = names.filter(({ id }) => id === undefined).map(({ name }) => `${kind} ${name}`);
  for (const [key, id] of await scopeIds(context, keys, shard !== undefined)) ids.set(key.slice(kind.length + 1), id);
  return ids;
}

/** What is filled in for a scope. */
export function filledIn(kind: ScopeKind | undefined, { name }: Pick<Scope, "name">): Readonly<Record<string, string>> {
  return kind === undefined || name === undefined ? {} : { [kind]: name };
}

/** A short hash that distinguishes words whose secrets differ. */
export function markOf(words: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 8);
}

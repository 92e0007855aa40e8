import { createHash } from "node:crypto";
import type { Context, InnerCommand } from "../../context.ts";
import { isInShard, type Shard } from "../../jobs/shard.ts";
import { scopeIds } from "../../verbs/scope-ids.ts";
import type { Named, ScopeKind } from "./sources.ts";

/** What the command is run for: a project, a group, or a whole instance. */
export interface Scope {
  /** As typed, or as the instance lists it; undefined for a whole instance. */
  readonly name: string | undefined;
  /** The stored profile of its instance, if several were named. */
  readonly profile: string | undefined;
  /** Identifies it in a journal: its ID on the instance, or the name if the instance does not say. */
  readonly id: string;
  /** The ID that the name had when an earlier run listed it, if another project or group has it now. */
  readonly was?: number | undefined;
  /** The same by its name, as in the journal of a run to which the instance did not show it. */
  readonly named: string;
}

/** The names on one instance. */
export interface Place {
  readonly profile?: string | undefined;
  /** Undefined for the instance as a whole. */
  readonly names?: readonly Named[] | undefined;
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
}

/** The scopes of all instances, or those of one shard. */
export async function scopesOf(instances: Instances, { kind, places, shard, once }: Wanted): Promise<Scope[]> {
  const scopes: Scope[] = [];
  for (const { profile, names } of places) {
    const { context } = instances.get(profile) as Instance;
    const found: Partial<Named>[] = kind === undefined ? [{}] : [...(names ?? [])];
    const ids =
      kind !== undefined && (once || shard !== undefined) ? await idsOf(context, kind, names ?? [], shard) : undefined;
    for (const { name, was } of found) {
      const typed = name === undefined ? "instance" : `${kind} ${name}`;
      const own = name === undefined ? typed : (ids?.get(name) ?? typed);
      const there = profile === undefined ? "" : ` of ${profile}`;
      scopes.push({ name, profile, id: `${own}${there}`, named: `${typed}${there}`, was });
    }
  }
  if (shard !== undefined && scopes.length > 0 && !scopes.some(({ id }) => isInShard(shard, id))) {
    const [{ context }] = [...instances.values()] as [Instance];
    context.notice(`none of ${scopes.length} is in shard ${shard.index}/${shard.total}`);
  }
  const sharded = scopes.filter(({ id }) => isInShard(shard, id));
  if (!once) return sharded;
  const seen = new Set<string>();
  return sharded.filter(({ id }) => seen.size !== seen.add(id).size);
}

/** The names with the IDs that were looked up: a resumed run can tell whether a path is another's. */
export function withIds(places: readonly Place[], scopes: readonly Scope[]): Place[] {
  const key = (profile: string | undefined, name: string) => JSON.stringify([profile, name]);
  const ids = new Map(
    scopes.flatMap(({ profile, name, id }) => {
      // A path, too, may begin with digits.
      const [, own] = /^(?:project|group) (\d+)(?: of |$)/.exec(id) ?? [];
      return name === undefined || own === undefined ? [] : [[key(profile, name), Number(own)] as const];
    }),
  );
  return places.map(({ profile, names }) => ({
    profile,
    names: names?.map((named) => ({ id: ids.get(key(profile, named.name)), ...named })),
  }));
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

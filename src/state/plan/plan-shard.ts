import { isInShard, type Shard } from "../../jobs/shard.ts";
import type { Scope } from "../kind.ts";
import type { Place } from "../live/places.ts";
import type { Expanded } from "../patterns/expand.ts";

/** What a scope is known by on every machine: its ID, or its name if it has none. */
export function shardId({ at, name, id }: Scope, place?: Place): string {
  return at === "instance" ? at : String(place?.id ?? id ?? name.toLowerCase());
}

/** The sections of patterns that could not be listed, and are reported by this shard. */
export function unlistedIn(shard: Shard | undefined, unlisted: Expanded["unreadable"]): Expanded["unreadable"] {
  return unlisted.filter(({ section: { scope, kind } }) => isInShard(shard, `${scope.name}#${kind.name}`));
}

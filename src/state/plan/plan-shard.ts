import type { Scope } from "../kind.ts";
import type { Place } from "../live/places.ts";

/** What a scope is known by on every machine: its ID, or its name if it has none. */
export function shardId({ at, name, id }: Scope, place?: Place): string {
  return at === "instance" ? at : String(place?.id ?? id ?? name.toLowerCase());
}

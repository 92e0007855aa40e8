import { isObject } from "../../base/is-object.ts";
import { isShard, type Shard } from "../../jobs/shard.ts";
import type { NamedId } from "../../jobs/task-ids.ts";
import type { Place } from "./scopes.ts";
import type { ScopeKind, SourceFlags } from "./sources.ts";

export type Listed = Pick<SourceFlags, "projects_of" | "groups_of" | "match" | "archived">;

/** In a recorded run: `words` are left out if one of them is secret. */
export interface Kept {
  readonly job: "each";
  readonly kind?: ScopeKind;
  readonly profiles: readonly string[];
  readonly shard?: Shard;
  readonly source: string;
  readonly places: readonly Place[];
  readonly words?: readonly string[];
  readonly mark: string;
  /** Lists the names again, which are in part. */
  readonly listed?: Listed;
}

/** What its names led to. */
export function namesOf({ kind, places }: Kept): NamedId[] {
  return places.flatMap(({ profile, names = [] }) =>
    names.flatMap(({ name, id }) => {
      const there = profile === undefined ? "" : ` of ${profile}`;
      return id === undefined ? [] : [{ id: `${kind} ${id}${there}`, named: `${kind} ${name}${there}` }];
    }),
  );
}

export function isWhole(kept: Record<string, unknown>): boolean {
  const { job, kind, profiles, shard, source, places, words = [], mark, listed = {} } = kept;
  if (job !== "each") return true;
  const isKind = kind === undefined || kind === "project" || kind === "group";
  return (
    isKind &&
    isShard(shard) &&
    [source, mark].every(isText) &&
    isTexts(profiles) &&
    isTexts(words) &&
    isObject(listed) &&
    isTexts([listed.projects_of, listed.groups_of, listed.match].filter((value) => value !== undefined)) &&
    isPlaces(places, profiles)
  );
}

/** Each place is of one of the profiles; without any, of the current instance. */
function isPlaces(places: unknown, profiles: readonly string[]): boolean {
  const known: readonly unknown[] = profiles.length === 0 ? [undefined] : profiles;
  return (
    Array.isArray(places) &&
    places.every((place) => isObject(place) && known.includes(place.profile) && isNamed(place.names))
  );
}

function isNamed(names: unknown = []): boolean {
  return Array.isArray(names) && names.every((each) => isObject(each) && isText(each.name));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

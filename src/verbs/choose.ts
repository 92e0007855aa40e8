import { type AnyEndpoint, type Endpoint, pathNames } from "../api/endpoint.ts";
import type { Fields } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { parsedFlags } from "../declare/describe.ts";
import { nounOf } from "./place.ts";

/**
 * Selects one of a command's endpoints: of those whose parent or scope was given, the one with the most other path
 * parameters given. A parameter that only other endpoints take is a UsageError.
 */
export function choose<O, S extends Fields>(
  endpoints: readonly Endpoint<never, O, S>[],
  input: object,
): Endpoint<object, O, S> {
  const [only, second] = endpoints;
  if (only !== undefined && second === undefined) return only as Endpoint<object, O, S>;
  const values: Readonly<Record<string, unknown>> = { ...input };
  const isGiven = (name: string) => values[name] !== undefined;
  const given = (each: AnyEndpoint) => ownPlaces(endpoints, each).filter(isGiven).length;
  const fitting = endpoints.filter((each) => {
    const place = ownPlace(endpoints, each);
    return place === undefined || isGiven(place);
  });
  const maxGiven = Math.max(...fitting.map(given));
  const endpoint = fitting.find((each) => given(each) === maxGiven);
  if (endpoint === undefined) throw new Error("no endpoint for what was given");
  refuseForeign(endpoints, endpoint, isGiven);
  // The input's type only guarantees the path's parameters.
  return endpoint as Endpoint<object, O, S>;
}

/** Refuses parameters that only other endpoints take. */
function refuseForeign(
  endpoints: readonly AnyEndpoint[],
  chosen: AnyEndpoint,
  isGiven: (name: string) => boolean,
): void {
  const taken: Fields = Object.assign({}, ...endpoints.map(({ params }) => params));
  if (Object.keys(taken).every((name) => name in chosen.params || !isGiven(name))) return;
  const flags = parsedFlags(taken).map((flag) => ({
    ...flag,
    typed: [flag.short, flag.long].filter(Boolean).join("/"),
  }));
  const own = ownPlace(endpoints, chosen);
  for (const { name, long, typed } of flags) {
    if (name in chosen.params || !isGiven(name)) continue;
    const place = flags.find((flag) => flag.name === own);
    if (place !== undefined && endpoints.some((each) => pathNames(each).includes(name))) {
      const both = flags.filter((flag) => flag.name === own || flag.name === name).map((flag) => flag.typed);
      throw new UsageError(`give only one of ${both.join(" and ")}`);
    }
    const others = endpoints.filter((each) => name in each.params).map((each) => ownPlace(endpoints, each));
    const kinds = others.flatMap((other) => (other === undefined ? [] : [pluralOf(other)]));
    throw new UsageError(
      kinds.length === 0
        ? `${long}: not with ${place?.typed ?? typed}`
        : `${long}: not for ${own === undefined ? "this" : pluralOf(own)}, only for ${listed(kinds)}`,
    );
  }
}

/** The path parameters that not all of its siblings share. */
function ownPlaces(endpoints: readonly AnyEndpoint[], endpoint: AnyEndpoint): string[] {
  return pathNames(endpoint).filter((name) => !endpoints.every((each) => pathNames(each).includes(name)));
}

/** The one of them that errors name: the parent, otherwise the scope. Undefined if there is none. */
function ownPlace(endpoints: readonly AnyEndpoint[], endpoint: AnyEndpoint): string | undefined {
  const names = ownPlaces(endpoints, endpoint);
  return names.find((name) => endpoint.params[name]?.within !== undefined) ?? names[0];
}

function pluralOf(place: string): string {
  return `${nounOf(place)}s`;
}

function listed(words: readonly string[]): string {
  return new Intl.ListFormat("en-US").format(words);
}

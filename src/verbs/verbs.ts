import { type AnyEndpoint, type Endpoint, entityOf, type ListEndpoint, pathNames } from "../api/endpoint.ts";
import { type Field, type Fields, type Path, required } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { ownValue } from "../base/own-value.ts";
import type { Context } from "../context.ts";
import { type Command, command, type Explained } from "../declare/command.ts";
import { listFlags, windowOf } from "../declare/list-flags.ts";
import { choose } from "./choose.ts";
import type { Shortened } from "./id-prefix.ts";
import { type ResourceView, readRows, recordOf, storedAs } from "./resource-view.ts";

// A verb takes data, never a callback: a command that needs a callback writes its own `run`. Each verb takes one
// endpoint, or several, from which the given scope or parent selects.

/** The options of a verb besides its endpoints. */
export interface VerbOptions<S extends Fields = Fields> extends Explained {
  /** Flags and arguments that replace the endpoint's parameters of the same name, or are added to them. */
  params?: Fields;
  /** A parameter that is an argument although it is not in the path: `add <name>`. */
  argument?: string;
  /** Additional requests, such as those that look names up. */
  requests?: readonly AnyEndpoint[];
  /** How the result is shown, if its endpoint's entity is not enough. */
  shown?: ResourceView<S>;
  /** What is sent in addition to what was typed: `{ resolved: true }`. */
  fixed?: Input | undefined;
  /** An ID that may be abbreviated. */
  shortened?: Shortened;
  /** Returns the object, or a list that it is in: to check a change whose answer was lost. */
  shows?: AnyEndpoint;
}

type Input = Readonly<Record<string, unknown>>;

type OneOrMore<E> = E | readonly E[];

/** A list: the endpoint's parameters as flags, the list flags, and the columns that a table shows. */
export function list<S extends Fields, T extends Fields = S>(
  name: string,
  endpoint: OneOrMore<ListEndpoint<never, S>>,
  columns: readonly Path<T>[],
  { shown, fixed, ...options }: VerbOptions<T>,
): Command {
  const endpoints = [endpoint].flat() as ListEndpoint<never, S>[];
  const { requests, args, params } = described(endpoints, { ...options, fixed });
  return command({
    name,
    verb: "list",
    summary: summaryOf(endpoints),
    returns: shown?.entity ?? entityOf(requests[0] as AnyEndpoint),
    prints: "rows",
    ...options,
    requests,
    args,
    params: { ...params, ...listFlags },
    run: async (context, input: Input) => {
      if (input.pagination && input.page !== undefined) {
        throw new UsageError("--keyset does not support page numbers: leave out --page");
      }
      const rows = context.api.list(choose(endpoints, input), { ...input, ...fixed }, windowOf(input));
      return {
        rows: readRows(rows, shown?.read),
        columns: columns.filter((path) => isAskedFor(endpoints, path, input)),
        ...(shown?.passage && { passage: shown.passage }),
        ...(input.reveal === true && { reveal: true }),
      };
    },
  });
}

/** Shows one resource, named by its path's arguments. */
export function get<S extends Fields>(name: string, endpoint: OneOrMore<Endpoint>, options: VerbOptions<S>): Command {
  return single("get", name, endpoint, options);
}

/** Creates a resource and shows it. */
export function create<S extends Fields>(
  name: string,
  endpoint: OneOrMore<Endpoint>,
  options: VerbOptions<S>,
): Command {
  return single("create", name, endpoint, options);
}

/** Updates a resource and shows the result. */
export function update<S extends Fields>(
  name: string,
  endpoint: OneOrMore<Endpoint>,
  options: VerbOptions<S>,
): Command {
  return single("update", name, endpoint, options);
}

function single<S extends Fields>(
  verb: "get" | "create" | "update",
  name: string,
  endpoint: OneOrMore<Endpoint>,
  { shown, fixed, shortened, shows, ...options }: VerbOptions<S>,
): Command {
  const endpoints = [endpoint].flat() as Endpoint[];
  const returns = shown?.entity ?? entityOf(endpoints[0] as AnyEndpoint);
  return command({
    name,
    verb,
    summary: summaryOf(endpoints),
    returns,
    prints: "record",
    ...options,
    ...described(endpoints, { ...options, fixed }),
    run: async (context, input: Input) => {
      const chosen = choose(endpoints, input);
      const values = { ...(await withWhole(context, input, shortened)), ...fixed };
      const answer = await (shows === undefined
        ? context.api.call(chosen, values)
        : (await import("./checked-call.ts")).callVerified(context, chosen, values, {
            shows,
            id: values[options.argument ?? ""],
          })
      ).catch(storedAs(shown));
      const record = answer as object;
      const view = shown === undefined ? { record } : recordOf(shown, record, input);
      return { ...view, ...(input.reveal === true && { reveal: true }) };
    },
  });
}

/** The input with the full ID in place of an abbreviated one; few commands take one. */
export async function withWhole<I extends object>(context: Context, input: I, id: Shortened | undefined): Promise<I> {
  return id === undefined ? input : (await import("./id-prefix.ts")).lookedUp(context, input, id);
}

/** The summary of the first endpoint, used for all of them. */
function summaryOf(endpoints: readonly AnyEndpoint[]): string {
  return endpoints[0]?.summary ?? "";
}

/** A column that the instance returns only on request is shown only if it was requested. */
function isAskedFor(endpoints: readonly AnyEndpoint[], path: string, input: Input): boolean {
  const [name = ""] = path.split(".");
  const needed = endpoints
    .map((each) => ownValue(entityOf(each)?.shape, name)?.onlyWith)
    .find((each) => each !== undefined);
  return needed === undefined || Boolean(input[needed]);
}

/**
 * Describes endpoints as a command: parameters in all of their paths are arguments, except a scope, which is a required
 * flag; the others are flags, except `argument`. Parameters that only some of the endpoints require are optional.
 */
export function described(
  endpoints: readonly AnyEndpoint[],
  {
    params: own = {},
    argument,
    requests = [],
    fixed = {},
  }: Pick<VerbOptions, "params" | "argument" | "requests" | "fixed">,
): { args: Fields; params: Fields; requests: readonly AnyEndpoint[] } {
  const all = (has: (endpoint: AnyEndpoint) => boolean) => endpoints.every(has);
  const params: Record<string, Field> = Object.assign({ ...own }, ...endpoints.map((each) => each.params), own);
  const args: Record<string, Field> = {};
  const places = [...new Set(endpoints.flatMap(pathNames)), ...(argument === undefined ? [] : [argument])];
  for (const name of Object.keys(params)) {
    const field = params[name] as Field;
    if (name in fixed) {
      delete params[name];
      continue;
    }
    const everywhere = name === argument || all((each) => pathNames(each).includes(name));
    if (places.includes(name) && everywhere && field.scope === undefined && field.within === undefined)
      delete params[name];
    else if (everywhere && field.scope !== undefined) params[name] = required(field);
    else if (!(name in own) && field.required && !all((each) => name in each.params)) {
      params[name] = { ...field, required: false };
    }
  }
  for (const name of places) {
    const field = own[name] ?? endpoints.find((each) => name in each.params)?.params[name];
    if (field !== undefined && !(name in params)) args[name] = required(field);
  }
  return { args, params, requests: [...endpoints, ...requests] };
}

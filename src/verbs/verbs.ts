import { type AnyEndpoint, type Endpoint, entityOf, type ListEndpoint, pathNames } from "../api/endpoint.ts";
import { array, type Field, type Fields, type Path, required } from "../api/field.ts";
import { buildRequest } from "../api/request.ts";
import type { Api } from "../api/types.ts";
import { type Command, command, type Explained } from "../declare/command.ts";
import { listFlags, windowOf } from "../declare/list-flags.ts";
import { bulk, distinct } from "./bulk.ts";
import { confirm } from "./confirm.ts";
import { deletionOf, deletions } from "./deleted.ts";
import { deletedOrLookedAt } from "./lost.ts";
import { placeOf } from "./place.ts";

// A verb takes data, never a callback: a command that needs one is not usual and writes its own `run`.

/** A list: the endpoint's parameters as flags, the list flags, and the columns that a table shows. */
export function list<I, S extends Fields>(
  name: string,
  endpoint: ListEndpoint<I, S>,
  columns: readonly Path<S>[],
  explained: Explained,
): Command {
  const { args, params } = split(endpoint);
  const returns = entityOf(endpoint);
  return command({
    name,
    summary: endpoint.summary,
    args,
    params: { ...params, ...listFlags },
    requests: [endpoint],
    returns,
    ...explained,
    run: async (context, input) => {
      const rows = context.api.list(endpoint, input as I, windowOf(input));
      return { rows, columns, cut: rows.cut, ...(returns && { entity: returns }) };
    },
  });
}

/** One resource, named by its path's arguments. */
export function get<I, O>(name: string, endpoint: Endpoint<I, O>, explained: Explained): Command {
  return single(name, endpoint, explained);
}

interface Creation extends Explained {
  /** The parameter that is no flag but the argument: `add <name>`. */
  argument: string;
}

/** Makes a resource and shows it. */
export function create<I, O>(name: string, endpoint: Endpoint<I, O>, creation: Creation): Command {
  const { argument, ...explained } = creation;
  return single(name, endpoint, explained, argument);
}

/** Changes a resource and shows it as it is now. */
export function update<I, O>(name: string, endpoint: Endpoint<I, O>, explained: Explained): Command {
  return single(name, endpoint, explained);
}

function single<I, O>(name: string, endpoint: Endpoint<I, O>, explained: Explained, argument?: string): Command {
  const returns = entityOf(endpoint);
  return command({
    name,
    summary: endpoint.summary,
    ...split(endpoint, argument),
    requests: [endpoint],
    returns,
    ...explained,
    run: async (context, input) => ({
      record: (await context.api.call(endpoint, input as I)) as object,
      ...(returns && { entity: returns }),
    }),
  });
}

interface Removal extends Explained {
  /** What one of them is called: "tag". */
  noun: string;
  /** The last argument takes one or more. */
  many?: boolean;
  /**
   * Shows one of them, or lists all with their IDs, with the same parameters: what became of a deletion whose answer got
   * lost.
   */
  shows?: AnyEndpoint;
  /** The instance only schedules the deletion. */
  scheduled?: boolean;
  /** Asks for the argument to be typed: for what takes much with it. */
  typed?: boolean;
}

/** Deletes what its last argument names, after asking; prints what was deleted. */
export function remove<I>(name: string, endpoint: Endpoint<I, undefined>, removal: Removal): Command {
  const { args, params } = split(endpoint);
  const last = Object.keys(args).at(-1) ?? "";
  const argument = args[last] as Field;
  const positional = removal.many ? { ...args, [last]: required(array(argument, argument.description)) } : args;
  const returns = deletionOf({ [last]: argument });
  const status = removal.scheduled ? "scheduled" : "deleted";
  return command({
    name,
    summary: endpoint.summary,
    args: positional,
    params,
    requests: removal.shows === undefined ? [endpoint] : [endpoint, removal.shows],
    returns,
    ...removal,
    run: async (context, input) => {
      const values = input as Record<string, unknown>;
      const items = distinct([values[last]].flat());
      const label = (item: unknown) => ({ [last]: item });
      // What cannot be sent is said before anybody is asked.
      for (const item of items) buildRequest(endpoint, { ...values, ...label(item) });
      await confirm(context, {
        action: `delete ${removal.noun}${items.length > 1 ? "s" : ""} ${items.join(", ")}${placeOf(endpoint, values, last)}`,
        typed: removal.typed ? items.join(" ") : undefined,
      });
      const rows = await bulk(
        context,
        items,
        async (item) => {
          const one = { ...values, ...label(item) };
          const deletion = () => context.api.call(endpoint, one as I);
          const { shows } = removal;
          if (shows === undefined) await deletion();
          else
            await deletedOrLookedAt(
              context,
              deletion,
              (api) => shown(api, shows, one, item),
              `${removal.noun} ${item}`,
            );
          return { ...label(item), status };
        },
        label,
      );
      return removal.many ? deletions(returns, rows) : { rows, columns: [last, "status"], entity: returns };
    },
  });
}

/** The one of this ID; undefined where a list of all has it not. */
async function shown(api: Api, shows: AnyEndpoint, input: object, id: unknown): Promise<unknown> {
  if (shows.page === undefined) return api.call(shows, input as never);
  for await (const row of api.list(shows as ListEndpoint<never, Fields>, input as never, { limit: undefined })) {
    if ((row as { id?: unknown }).id === id) return row;
  }
  return undefined;
}

/**
 * An endpoint's parameters as a command's: names in the path are arguments, except a scope, which is a flag; others are
 * flags, except the one that is to be an argument too.
 */
function split(endpoint: AnyEndpoint, argument?: string): { args: Fields; params: Fields } {
  const args: Record<string, Field> = {};
  const params: Record<string, Field> = { ...endpoint.params };
  for (const name of [...pathNames(endpoint), ...(argument === undefined ? [] : [argument])]) {
    const field = endpoint.params[name];
    if (field === undefined) continue;
    if (field.scope === undefined) {
      args[name] = required(field);
      delete params[name];
    } else params[name] = required(field);
  }
  return { args, params };
}

import { type AnyEndpoint, changes, pathNames } from "../api/endpoint.ts";
import { buildRequest } from "../api/request.ts";
import type { Api } from "../api/types.ts";
import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { filledLine, namesIn } from "../base/template.ts";
import type { Context } from "../context.ts";
import type { Command, Undo } from "../declare/command.ts";
import type { ExitView, View } from "../terminal/view.ts";
import { shownBy } from "../verbs/lost-answer-check.ts";
import { collected } from "../verbs/row-collection.ts";

type Input = Readonly<Record<string, unknown>>;

/** What is known of a change, for the line that undoes it. */
interface Seen {
  typed: Input;
  before: unknown;
  result: unknown;
}

/** Observes a command while it runs; `line` returns the command line that undoes its change, once it is made. */
export function watched(command: Command, undo: Undo): { command: Command; line(): string | undefined } {
  const seen: Seen = { typed: {}, before: undefined, result: undefined };
  const run = async (context: Context, input: Input) => {
    seen.typed = input;
    // A script's requests stay the documented ones: the additional read is only for people.
    const before = context.stderr.isTerminal ? undo.before : undefined;
    const api = before === undefined ? context.api : readingFirst(context, before, seen);
    return observed(await command.run({ ...context, api }, input as never), seen);
  };
  return { command: { ...command, run }, line: () => lineFor(undo, seen) };
}

/**
 * Reads the current state right before the first change. Without an answer no undo line is shown: the change is made
 * anyway.
 */
function readingFirst({ api, verifier }: Context, before: AnyEndpoint, seen: Seen): Api {
  let reading: Promise<unknown> | undefined;
  return {
    ...api,
    call: async (endpoint, input, options) => {
      if (changes(endpoint)) {
        // What cannot be sent is refused before anything is.
        buildRequest(endpoint, input as Record<string, unknown>);
        reading ??= stateOf(verifier, before, input as Input).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
        });
        seen.before = await reading;
      }
      return api.call(endpoint, input, options);
    },
  };
}

/** What an endpoint returns; of a list, the one row that has every value of the change's input. */
async function stateOf(api: Api, shows: AnyEndpoint, input: Input): Promise<object | undefined> {
  const places = pathNames(shows);
  const named = Object.entries(input).filter(([name, value]) => value !== undefined && !places.includes(name));
  const found = await collected(shownBy(api, shows, input, Object.fromEntries(named)));
  return found.length === 1 ? found[0] : undefined;
}

/** A view that records what it showed. */
function observed(view: View | ExitView | undefined, seen: Seen): View | ExitView | undefined {
  if (view === undefined || !("record" in view || "rows" in view)) return view;
  seen.before = view.before ?? seen.before;
  if ("record" in view) {
    seen.result = view.record;
    return view;
  }
  const shown: object[] = [];
  seen.result = shown;
  const { rows } = view;
  if ("batches" in rows) return view;
  return { ...view, rows: recorded(rows, shown) };
}

async function* recorded(rows: Iterable<object> | AsyncIterable<object>, shown: object[]): AsyncGenerator<object> {
  for await (const row of rows) {
    shown.push(row);
    yield row;
  }
}

function lineFor({ line, unless = [] }: Undo, { typed, before, result }: Seen): string | undefined {
  const known = (path: string): unknown => {
    const [root = "", ...names] = path.split(".");
    return root === "before" ? at(before, names) : root === "result" ? at(result, names) : at(typed, [root, ...names]);
  };
  if (unless.some((path) => !isNothing(known(path)))) return undefined;
  const then = namesIn(line).filter((name) => name.startsWith("before."));
  const isSame = then.every((name) => known(name) === known(name.replace("before.", "result.")));
  return then.length > 0 && isSame ? undefined : filledLine(line, known);
}

/** The value at a path; in a list, the item of that number, or the value of each item. */
function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    return /^\d+$/.test(name) ? at(value[Number(name)], rest) : value.map((item) => at(item, [name, ...rest]));
  }
  return isObject(value) ? at(value[name], rest) : undefined;
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isNothing);
  return (
    value === undefined || value === null || value === false || (isObject(value) && Object.keys(value).length === 0)
  );
}

import type { Api } from "../api/api.ts";
import { type AnyEndpoint, changes, type Endpoint, pathNames } from "../api/endpoint.ts";
import { buildRequest } from "../api/request.ts";
import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { filledLine, namesIn } from "../base/template.ts";
import type { Context } from "../context.ts";
import type { Command, Undo } from "../declare/command.ts";
import type { ExitView, View } from "../terminal/view.ts";
import { choose } from "../verbs/choose.ts";
import { shownBy } from "../verbs/lost-answer-check.ts";
import { collected } from "../verbs/row-collection.ts";

type Input = Readonly<Record<string, unknown>>;

/** What is known of a change, for the line that undoes it. */
interface Seen {
  typed: Input;
  before: unknown;
  result: unknown;
}

/** Observes a command while it runs; `lines` returns what undoes its change, once it is made. */
export function watched(command: Command, undo: Undo): { command: Command; lines(): string[] | undefined } {
  const seen: Seen = { typed: {}, before: undefined, result: undefined };
  const run = async (context: Context, input: Input) => {
    seen.typed = input;
    const api = undo.before === undefined ? context.api : readingFirst(context, undo, seen);
    return observed(await command.run({ ...context, api }, input as never), seen);
  };
  return { command: { ...command, run }, lines: () => linesFor(undo, seen) };
}

/**
 * Records the current state right before the first change: as the command itself has read it, or by an additional read.
 * Without an answer no undo line is shown: the change is made anyway.
 */
function readingFirst({ api, verifier, stderr }: Context, undo: Undo, seen: Seen): Api {
  const before = [undo.before ?? []].flat();
  let own: unknown;
  let isChanged = false;
  let reading: Promise<unknown> | undefined;
  const read = (input: Input) => {
    const shows = choose(before as Endpoint[], input);
    return stateOf(verifier, shows, { ...input, ...undo.reads?.(input) }).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
    });
  };
  // A script's requests stay the documented ones: the additional read is only for people.
  const additional = (input: Input) => (stderr.isTerminal ? read(input) : undefined);
  return {
    ...api,
    call: async (endpoint, input, options) => {
      const isChange = changes(endpoint);
      if (isChange) {
        // What cannot be sent is refused before anything is.
        buildRequest(endpoint, input as Record<string, unknown>);
        reading ??= Promise.resolve(own ?? additional(input as Input));
        seen.before = await reading;
      }
      const afterWait = async () => {
        own = undefined;
        await options?.afterWait?.();
        // Another may have changed it in the meantime.
        if (seen.before !== undefined && !isChanged) seen.before = own ?? (await read(input as Input));
      };
      const answer = await api.call(endpoint, input, isChange ? { ...options, afterWait } : options);
      isChanged ||= isChange;
      if (!isChange && before.some((each) => each === (endpoint as AnyEndpoint))) own = answer;
      return answer;
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

function linesFor({ line, unless = [], inWords }: Undo, { typed, before: read, result }: Seen): string[] | undefined {
  const before = inWords === undefined ? read : isObject(read) ? inWords(read, result) : undefined;
  if (inWords !== undefined && before === undefined) return undefined;
  const known = (path: string): unknown => {
    const [root = "", ...names] = path.split(".");
    return root === "before" ? at(before, names) : root === "result" ? at(result, names) : at(typed, [root, ...names]);
  };
  if (unless.some((path) => !isNothing(known(path)))) return undefined;
  return [line].flat().reduce<string[] | undefined>((found, each) => found ?? filled(each, known), undefined);
}

/** The commands of a line, filled in; undefined if a name is not known, or nothing changed. */
function filled(line: string, known: (path: string) => unknown): string[] | undefined {
  const then = namesIn(line).filter((name) => name.startsWith("before."));
  const isSame = then.every((name) => known(name) === known(name.replace("before.", "result.")));
  if (then.length > 0 && isSame) return undefined;
  const commands = line.split(" && ").map((each) => filledLine(each, known));
  return commands.every((each) => each !== undefined) ? commands : undefined;
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

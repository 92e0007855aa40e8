import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { lookAgain, type Pause } from "../base/look-again.ts";
import type { Api, CallOptions } from "./api.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { checkStored, isComparable, showsSent } from "./sent-values.ts";

interface Instance {
  api: Api;
  pause: Pause;
}

/**
 * Compares what a change returned with what was sent. If the answer does not show it, the object is read, if the
 * endpoint says how: again after a pause if it is not there, or as it was.
 */
export async function shownChange(
  { api, pause }: Instance,
  endpoint: AnyEndpoint,
  given: object,
  answer: unknown,
  call: CallOptions = {},
): Promise<unknown> {
  const input = given as Readonly<Record<string, unknown>>;
  const { readBy } = endpoint;
  if (isRefusal(readBy?.unless, answer)) return answer;
  const check = (shown: unknown) => checkStored(endpoint, input, shown, call);
  if (readBy === undefined || showsSent(endpoint, input, answer) || !isComparable(endpoint, input)) {
    check(answer);
    return answer;
  }
  const { places = {} } = readBy;
  const moved = Object.fromEntries(Object.entries(places).map(([place, name]) => [place, input[name]]));
  const look = async (): Promise<Shown> => {
    try {
      const object = await api.call(readBy.endpoint, { ...input, ...moved } as never);
      check(object);
      return { object };
    } catch (error) {
      return { error };
    }
  };
  const shown = await lookAgain(look, ({ error }) => !mayLag(error), pause).catch((error: unknown) => ({ error }));
  if ("error" in shown) throw unproven(shown.error, answer);
  return shown.object;
}

type Shown = { object: unknown; error?: undefined } | { object?: undefined; error: unknown };

/** Whether a copy that lags would answer the same. */
function mayLag(error: unknown): boolean {
  return error instanceof Failure && (error.exit === "notFound" || error.exit === "partial");
}

function isRefusal(unless: readonly [name: string, value: string] | undefined, answer: unknown): boolean {
  return unless !== undefined && isObject(answer) && answer[unless[0]] === unless[1];
}

/** The object could not be read: an answer that does not show what was sent may be that of something else. */
function unproven(error: unknown, answer: unknown): unknown {
  const isOpen = error instanceof Failure && error.details.outcome === undefined && isObject(answer);
  return isOpen ? error.with({ outcome: "unknown", retryable: false }) : error;
}

import { type AnyEndpoint, type Endpoint, pathNames } from "../api/endpoint.ts";
import type { Context } from "../context.ts";
import { madeOrLookedAt, shownBy } from "./lost.ts";

/** What tells whether a change was made. */
interface Look {
  /** Shows the thing, or lists all with their IDs. */
  shows: AnyEndpoint;
  /** The ID that such a list has it under. */
  id: unknown;
}

/**
 * Calls an endpoint. Where its answer gets lost, what is seen then stands for it: the thing, if all that was sent is so;
 * or, of a list, what was sent, if the thing is in it.
 */
export async function answered(
  context: Context,
  endpoint: Endpoint<object>,
  values: object,
  { shows, id }: Look,
): Promise<object> {
  let answer: object = {};
  await madeOrLookedAt(
    context,
    async () => {
      answer = (await context.api.call(endpoint, values)) as object;
    },
    async (api) => {
      const found = await shownBy(api, shows, values, id);
      if (found === undefined) return false;
      answer = shows.page === undefined ? found : values;
      return shows.page !== undefined || isSo(endpoint, values, found);
    },
  );
  return answer;
}

/** Whether all that was sent is as the thing has it. */
function isSo(endpoint: AnyEndpoint, values: object, found: object): boolean {
  const sent: Readonly<Record<string, unknown>> = { ...values };
  const has: Readonly<Record<string, unknown>> = { ...found };
  const places = pathNames(endpoint);
  return Object.keys(endpoint.params).every(
    (name) => places.includes(name) || sent[name] === undefined || sent[name] === has[name],
  );
}

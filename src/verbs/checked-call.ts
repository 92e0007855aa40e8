import type { Api } from "../api/api.ts";
import { type AnyEndpoint, type Endpoint, pathNames } from "../api/endpoint.ts";
import { buildRequest } from "../api/request.ts";
import type { Context } from "../context.ts";
import { madeOrVerified, seenBefore, shownBy } from "./lost-answer-check.ts";
import { firstOf } from "./row-collection.ts";

/** How to check whether a change was made. */
interface Check {
  /** Returns the object, or a list that it is in. */
  shows: AnyEndpoint;
  /** The object's ID in such a list. */
  id: unknown;
}

/**
 * Calls an endpoint. If the answer is lost, the result is what a check finds: the object, if it has every value that
 * was sent; or, if the check reads a list, the values sent, if the object is in it, and was not before.
 */
export async function callVerified(
  context: Context,
  endpoint: Endpoint<object>,
  values: object,
  { shows, id }: Check,
): Promise<object> {
  let answer: object = {};
  const find = (api: Api) => firstOf(shownBy(api, shows, values, { id }));
  const isAdded = shows.page !== undefined;
  // What cannot be sent is refused before anything is.
  buildRequest(endpoint, { ...values });
  const wasThere = isAdded ? await seenBefore(context, find) : undefined;
  await madeOrVerified(
    context,
    async () => {
      answer = (await context.api.call(endpoint, values)) as object;
    },
    async (api) => {
      const found = await find(api);
      if (found === undefined) return false;
      answer = isAdded ? values : found;
      return isAdded ? wasThere === false || undefined : hasValues(endpoint, values, found);
    },
  );
  return answer;
}

/** Whether the object has every value that was sent. */
function hasValues(endpoint: AnyEndpoint, values: object, found: object): boolean {
  const sent: Readonly<Record<string, unknown>> = { ...values };
  const has: Readonly<Record<string, unknown>> = { ...found };
  const places = pathNames(endpoint);
  return Object.keys(endpoint.params).every(
    (name) => places.includes(name) || sent[name] === undefined || sent[name] === has[name],
  );
}

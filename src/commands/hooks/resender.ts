import type { Api } from "../../api/api.ts";
import { resendHookEvent } from "../../api/endpoints/hooks.ts";
import type { Context } from "../../context.ts";
import { madeOrVerified } from "../../verbs/lost-answer-check.ts";
import { type Delivery, deliveriesOf, type HookPlace, newestOf } from "./deliveries.ts";
import { resendFailure } from "./refusals.ts";
import { throttle } from "./throttle.ts";

/** `2-collaboration-identity-api: Limits`. */
export const maxResends = 5;
export const resendWindowMs = 60_000;

/** An instance records a delivery shortly after the answer: it is looked up again after these pauses. */
const pausesMs = [0, 1000, 3000];

/**
 * Resends a delivery and returns the receiver's status, or why there is none. `before` is called right before, after
 * each wait too, and may prevent the request by returning false; the result is then undefined.
 */
export type Resend = (event: number, before?: () => Promise<boolean>) => Promise<string | undefined>;

/** Thrown in place of a request that is not needed anymore. */
class Prevented extends Error {}

/**
 * Resends deliveries of one hook, one after another, within the instance's rate limit. If an answer is lost, a new
 * delivery of the same event (its `Idempotency-Key`) shows that it was sent; without one the outcome is unknown.
 *
 * @param newest the newest delivery before the first is sent; looked up if not given
 */
export function resender(context: Context, place: HookPlace, newest?: number): Resend {
  const why = `the instance accepts ${maxResends} resends per minute and hook`;
  const throttled = throttle(context, { max: maxResends, windowMs: resendWindowMs, why });
  let last = newest;
  const sent: number[] = [];
  return (event, before) =>
    throttled(async () => {
      if (!context.config.dryRun) last ??= await newestOf(context.api, place);
      const look = async () => {
        if (before !== undefined && !(await before())) throw new Prevented();
      };
      let status = "";
      const send = async () => {
        await look();
        const input = { ...place, hook_event_id: event };
        const resent = context.api.call(resendHookEvent, input, { afterWait: look });
        const { response_status } = await resent.catch((error: unknown) => {
          throw resendFailure(error, place);
        });
        status = String(response_status);
      };
      const isResent = async (api: Api) => {
        const made = await findResent(context, api, { place, event, sent, newest: last ?? 0 });
        status = made?.status ?? "";
        return made === undefined ? undefined : true;
      };
      try {
        await madeOrVerified(context, send, isResent, `delivery ${event} was resent`);
      } catch (error) {
        if (error instanceof Prevented) return undefined;
        throw error;
      }
      sent.push(event);
      return status;
    });
}

interface Search {
  place: HookPlace;
  event: number;
  /** The newest delivery before the first of this run. */
  newest: number;
  /** The deliveries that this run has already sent. */
  sent: readonly number[];
}

/** The delivery created by a resend, if it can be distinguished from earlier ones. */
async function findResent(context: Context, api: Api, search: Search): Promise<Delivery | undefined> {
  // After Ctrl-C there is no time to wait.
  const pauses = api === context.verifier ? [0] : pausesMs;
  for (const pause of pauses) {
    if (pause > 0) await context.sleep(pause);
    const made = madeOf(await deliveriesOf(api, search.place), search);
    if (made !== undefined) return made;
  }
  return undefined;
}

function madeOf(deliveries: readonly Delivery[], { event, newest, sent }: Search): Delivery | undefined {
  const keyOf = (id: number) => deliveries.find((each) => each.id === id)?.key;
  const key = keyOf(event);
  if (key === undefined) return undefined;
  const later = deliveries.filter((each) => each.id > newest && each.key === key);
  const others = sent.filter((id) => keyOf(id) === key);
  return later.length > others.length ? later[0] : undefined;
}

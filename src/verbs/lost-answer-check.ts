import { provesGone } from "../api/absence.ts";
import type { Api } from "../api/api.ts";
import type { AnyEndpoint, ListEndpoint } from "../api/endpoint.ts";
import type { Fields } from "../api/field.ts";
import { mayHaveBeenMade, mayStillBeMade, notShownYet } from "../api/outcome.ts";
import type { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";

/**
 * Makes a change. If its answer is lost, also by Ctrl-C, checks: a change that was made is a success, with a notice;
 * one that was not is an error that says so; if the check fails too, or the instance may still be at work, the outcome
 * is unknown.
 *
 * @param isMade checks whether the change was made; undefined if that cannot be determined
 * @param fact the notice for a change that was made
 */
export async function madeOrVerified(
  context: Context,
  change: () => Promise<unknown>,
  isMade: (api: Api) => Promise<boolean | undefined>,
  fact = "the change was made",
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!mayHaveBeenMade(error)) throw error;
    const made = await look(context, error, isMade).catch(() => undefined);
    if (made === undefined) throw error;
    if (!made && mayStillBeMade(error)) throw error.with({ reason: noAnswer(error), outcomeText: notShownYet });
    if (!made) throw notMade(error);
    context.notice(`${noAnswer(error)}; a check shows that ${fact}`);
  }
}

/** Milliseconds between looks: an instance may act shortly after its connection broke. */
const looksMs = [0, 2000, 3000];

/** Checks until the change is found, or the looks are over. After Ctrl-C there is no time to wait. */
async function look(
  context: Context,
  lost: Failure,
  isMade: (api: Api) => Promise<boolean | undefined>,
): Promise<boolean | undefined> {
  if (lost.exit === "interrupted") return isMade(context.verifier);
  let made: boolean | undefined;
  for (const ms of isAnswered(lost) || isDamaged(lost) ? [0] : looksMs) {
    if (ms > 0) await context.sleep(ms);
    made = await isMade(context.api);
    if (made !== false) break;
  }
  return made;
}

/** The object that an endpoint returns; of a list, the rows that have all of these values: `7` and `"7"` are one ID. */
export async function* shownBy(
  api: Api,
  shows: AnyEndpoint,
  input: object,
  values: Readonly<Record<string, unknown>>,
): AsyncGenerator<object> {
  if (shows.page === undefined) {
    yield (await api.call(shows, input as never)) as object;
    return;
  }
  const wanted = Object.entries(values);
  for await (const row of api.list(shows as ListEndpoint<never, Fields>, input as never, { limit: undefined })) {
    if (wanted.every(([name, value]) => String((row as typeof values)[name]) === String(value))) yield row;
  }
}

/**
 * Deletes something. If the answer is lost, checks whether it is gone.
 *
 * @param show requests the object: 404, or undefined, if it is gone
 * @param name its name: "tag v1"
 */
export async function deletedOrVerified(
  context: Context,
  deletion: () => Promise<unknown>,
  show: (api: Api) => Promise<unknown>,
  name: string,
): Promise<void> {
  await madeOrVerified(context, deletion, (api) => isGone(api, show), `${name} is gone`);
}

async function isGone(api: Api, show: (api: Api) => Promise<unknown>): Promise<boolean> {
  try {
    return (await show(api)) === undefined;
  } catch (error) {
    if (await provesGone(api, error)) return true;
    throw error;
  }
}

function noAnswer(error: Failure): string {
  if (error.exit === "interrupted") return "interrupted";
  return isAnswered(error) ? "the answer is not the instance's" : "the answer was lost";
}

/** Whether an answer came, and its body cannot be decoded: nothing is to be expected after it. */
function isDamaged({ code }: Failure): boolean {
  return code === "damaged_body";
}

/** Whether it was answered with success, by something in front of the instance or with a broken body. */
function isAnswered({ details: { status = 0 } }: Failure): boolean {
  return status >= 200 && status < 300;
}

function notMade(error: Failure): Failure {
  return error.with({
    reason: noAnswer(error),
    outcomeText: "a check shows that the change was not made",
    hint: "run the command again",
    outcome: "none",
    retryable: true,
  });
}

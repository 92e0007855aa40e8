import { provesGone } from "../api/absence.ts";
import type { Api } from "../api/api.ts";
import type { AnyEndpoint, ListEndpoint } from "../api/endpoint.ts";
import type { Fields } from "../api/field.ts";
import { mayHaveBeenMade, mayStillBeMade, notShownYet } from "../api/outcome.ts";
import { Failure, isNotFound } from "../base/errors.ts";
import { lookAgain } from "../base/look-again.ts";
import type { Context } from "../context.ts";

/**
 * Makes a change. If its answer is lost, also by Ctrl-C, checks: a change that was made is a success, with a notice;
 * one that several looks do not show is an error that says so; if the check fails too, or the instance may still be at
 * work, the outcome is unknown.
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
    const isOpen = mayStillBeMade(error);
    const look = () => isMade(error.exit === "interrupted" ? context.verifier : context.api);
    const made = await lookAgain(look, (seen) => seen !== false || isOpen, context.sleep).catch(() => undefined);
    if (made === undefined) throw error;
    if (!made && isOpen) throw error.with({ reason: noAnswer(error), outcomeText: notShownYet });
    if (!made) throw notMade(error);
    context.api.noteMade(error);
    context.notice(`${noAnswer(error)}; a check shows that ${fact}`);
  }
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
 * Deletes something that existed before, as the caller knows. If the answer is lost, checks whether it is gone.
 *
 * @param show requests the object: 404, or undefined, if it is gone
 * @param name its name: "tag v1"
 * @param wasSeen this token has seen it before
 */
export async function deletedOrVerified(
  context: Context,
  deletion: () => Promise<unknown>,
  show: (api: Api) => Promise<unknown>,
  name: string,
  wasSeen = false,
): Promise<void> {
  await madeOrVerified(context, deletion, (api) => isGone(api, show, wasSeen), `${name} is gone`);
}

/**
 * The same for what may never have been there, or be invisible to this token: it is looked at first, since only what
 * was seen before was deleted if it is not shown. Otherwise the outcome stays unknown.
 */
export async function seenDeletedOrVerified(
  context: Context,
  deletion: () => Promise<unknown>,
  show: (api: Api) => Promise<unknown>,
  name: string,
): Promise<void> {
  await deletedIfSeen(context, deletion, show, { name, wasSeen: await isSeen(context, show) });
}

/** The same for what was looked for already: `wasSeen` says whether it was there. */
export async function deletedIfSeen(
  context: Context,
  deletion: () => Promise<unknown>,
  show: (api: Api) => Promise<unknown>,
  { name, wasSeen }: { name: string; wasSeen: boolean },
): Promise<void> {
  const isMade = async (api: Api) => ((await isGone(api, show, wasSeen)) ? wasSeen || undefined : false);
  await madeOrVerified(context, deletion, isMade, `${name} is gone`);
}

/** Whether this token sees it, before a change. If it cannot be read, the change says why. */
export async function isSeen(context: Context, show: (api: Api) => Promise<unknown>): Promise<boolean> {
  return (await seenBefore(context, show)) === true;
}

/**
 * The same, before a creation: undefined if it cannot be read. What a check finds after a lost answer was created by it
 * only if it is known that it was not there before.
 */
export async function seenBefore(
  { api, config }: Context,
  show: (api: Api) => Promise<unknown>,
): Promise<boolean | undefined> {
  if (config.dryRun) return undefined;
  try {
    return (await show(api)) !== undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    return isNotFound(error) ? false : undefined;
  }
}

/**
 * What a list does not show is looked for twice: if newer objects are deleted while its pages are read, as by a run
 * that deletes several at a time, one moves to a page that was read already, where the second look finds it.
 */
async function isGone(api: Api, show: (api: Api) => Promise<unknown>, wasSeen = false): Promise<boolean> {
  try {
    return (await show(api)) === undefined && (await show(api)) === undefined;
  } catch (error) {
    if (await provesGone(api, error, wasSeen)) return true;
    throw error;
  }
}

/**
 * Makes a deletion that instances answer with success, or with 403, if there is nothing to delete: looks first; what
 * provably does not exist counts as the deletion's 404. If the look fails otherwise, the answer to the deletion counts.
 *
 * @param show requests the object
 */
export async function deleteExisting(
  api: Api,
  deletion: () => Promise<unknown>,
  show: (api: Api) => Promise<unknown>,
): Promise<void> {
  try {
    await show(api);
  } catch (error) {
    const isMissing = await provesGone(api, error).catch(() => false);
    if (isMissing && error instanceof Failure)
      throw error.with({ message: "there is nothing to delete", method: "DELETE" });
  }
  await deletion();
}

function noAnswer({ exit, details: { status = 0 } }: Failure): string {
  if (exit === "interrupted") return "interrupted";
  return status >= 200 && status < 300 ? "the answer is not the instance's" : "the answer was lost";
}

function notMade(error: Failure): Failure {
  const known = { outcomeText: "a check shows that the change was not made", outcome: "none" } as const;
  // The access that is missing is the cause, and not the answer that was lost before.
  const isAccess = error.exit === "unauthenticated" || error.exit === "forbidden";
  if (isAccess) return error.with({ ...known, hint: "forgectl auth status", retryable: false });
  return error.with({ ...known, reason: noAnswer(error), hint: "run the command again", retryable: true });
}

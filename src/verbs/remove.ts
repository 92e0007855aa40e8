import type { Api } from "../api/api.ts";
import type { AnyEndpoint, Endpoint } from "../api/endpoint.ts";
import { array, type Field, type Fields, required } from "../api/field.ts";
import { buildRequest } from "../api/request.ts";
import { mayBeUnseen, unseenFailure } from "../api/unseen-targets.ts";
import { undefinedOn } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { type Command, command, type Explained } from "../declare/command.ts";
import { bulk, distinct } from "../jobs/bulk.ts";
import { confirm, refuseUnasked } from "./confirm.ts";
import { deletionOf, deletions } from "./deletion-view.ts";
import { deletedIfSeen, deleteExisting, isSeen, seenBefore, shownBy } from "./lost-answer-check.ts";
import { placeOf } from "./place.ts";
import { firstOf } from "./row-collection.ts";
import { described } from "./verbs.ts";

interface Removal extends Explained {
  /** The noun for one of them: "tag". */
  noun: string;
  /** The word in the question; `delete` by default. */
  action?: "delete" | "revoke";
  /** What cannot be restored, for the question. */
  remark?: string;
  /** Flags and arguments that replace the endpoint's parameters of the same name. */
  params?: Fields;
  /** Additional requests, such as those that look names up. */
  requests?: readonly AnyEndpoint[];
  /** The last argument takes one or more. */
  many?: boolean;
  /** Returns one of them, or a list of all, with the same parameters: to check a deletion whose answer was lost. */
  shows?: AnyEndpoint;
  /** Looks at each first with `shows`: instances answer with success for one that does not exist, or with 403. */
  looks?: boolean;
  /** Instances answer 404 for what `shows` has and this token does not see: that is then a refusal. */
  unseen?: boolean;
  /** Only who sees it can add it again: reads it, and what to say if this token does not see it. */
  sight?: { read(api: Api, item: unknown): Promise<unknown>; without: string };
}

/** Deletes what its last argument names, after asking; prints what was deleted. */
export function remove<I>(
  name: string,
  endpoint: Endpoint<I, undefined>,
  { noun, action = "delete", many = false, remark, shows, looks = false, unseen = false, sight, ...options }: Removal,
): Command {
  const { args, params, requests } = described([endpoint], options);
  const last = Object.keys(args).at(-1) ?? "";
  const argument = args[last] as Field;
  const returns = deletionOf({ [last]: endpoint.params[last] as Field });
  return command({
    name,
    verb: "remove",
    summary: endpoint.summary,
    ...options,
    args: many ? { ...args, [last]: required(array(argument, argument.description)) } : args,
    params,
    requests: shows === undefined ? requests : [...requests, shows],
    returns,
    prints: "rows",
    run: async (context, input) => {
      const values = input as Record<string, unknown>;
      const items = distinct([values[last]].flat());
      const label = (item: unknown) => ({ [last]: item });
      // Invalid input is refused before the question.
      for (const item of items) buildRequest(endpoint, { ...values, ...label(item) });
      const nouns = `${noun}${items.length > 1 ? "s" : ""}`;
      const what = `${action} ${nouns} ${items.join(", ")}${placeOf(endpoint, values, last)}`;
      await refuseUnasked(context, { action: what, remark });
      const isLost = sight !== undefined && (await areUnseen(context, items, sight.read));
      if (isLost) context.warn(sight.without);
      await confirm(context, { action: what, remark: isLost ? undefined : remark });
      const rows = await bulk(
        context,
        items,
        async (item) => {
          const one = { ...values, ...label(item) };
          const deletion = () => context.api.call(endpoint, one as I);
          if (shows === undefined) {
            await deletion();
          } else {
            const show = (api: Api) => firstOf(shownBy(api, shows, one, { id: item }));
            const wasSeen = await isSeen(context, show);
            const deletes = looks && !wasSeen ? () => deleteExisting(context.api, deletion, show) : deletion;
            const deleted = deletedIfSeen(context, deletes, show, { name: `${noun} ${item}`, wasSeen });
            await (unseen && wasSeen ? unlessStillShown(context, deleted, show) : deleted);
          }
          return { ...label(item), status: "deleted" };
        },
        label,
      );
      if (many) return deletions(returns, rows);
      return { rows, columns: [last, "status"], ...(isLost && { before: { unseen: true } }) };
    },
  });
}

/** Whether this token does not see one of them: another failure does not say so. */
async function areUnseen(
  context: Context,
  items: readonly unknown[],
  read: (api: Api, item: unknown) => Promise<unknown>,
): Promise<boolean> {
  for (const item of items) {
    const isRead = await seenBefore(context, (api) => read(api, item).catch(undefinedOn("forbidden")));
    if (isRead === false) return true;
  }
  return false;
}

/** Throws the refusal, if after a 404 the entry is still shown. */
async function unlessStillShown(
  context: Context,
  deleted: Promise<void>,
  show: (api: Api) => Promise<unknown>,
): Promise<void> {
  try {
    await deleted;
  } catch (error) {
    throw mayBeUnseen(error) && (await isSeen(context, show)) ? unseenFailure(error) : error;
  }
}

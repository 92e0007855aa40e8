import { droppedFilters, getCurrentUser, listUsers } from "../../api/endpoints/users.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { parsedFlags } from "../../declare/describe.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";

/** These only order the list. */
const ordering: ReadonlySet<string> = new Set(["order_by", "sort"]);

/**
 * Refuses filters that select users and that instances silently ignore for this caller (user-filters-dropped): the list
 * would be of other users than asked for. The caller is looked up only if one is used; an order that is ignored is a
 * warning.
 */
export async function refuseDropped(context: Context, input: Readonly<Record<string, unknown>>): Promise<void> {
  const used = parsedFlags(droppedFilters).filter(({ name }) => input[name] !== undefined);
  if (used.length === 0) return;
  const selecting = used.filter(({ name }) => !ordering.has(name));
  const caller = await (selecting.length > 0 ? callerOf(context) : unlessRefused(callerOf(context)));
  if (caller === undefined) return;
  if (caller.seesAll) return selecting.length > 0 ? refuseWithoutAdminMode(context, caller) : undefined;
  const names = (selecting.length > 0 ? selecting : used).map(({ long }) => long).join(", ");
  if (selecting.length > 0)
    throw refusal(caller.username, `the instance would ignore ${names}, and list other users too`);
  context.warn(
    `${caller.username} is not an administrator, so the instance ignores ${names}: the order may be different`,
  );
}

/** Refuses a report that needs what only administrators see. */
export async function requireAdministrator(context: Context): Promise<void> {
  const { seesAll, username } = await callerOf(context);
  if (!seesAll) throw refusal(username, "only administrators can see what it is about");
}

function refusal(caller: string, why: string): Failure {
  return new Failure("forbidden", `${caller} is not an administrator`, {
    code: "filter_ignored",
    reason: why,
    hint: "use the token of an administrator, with the scope read_api at least",
  });
}

/**
 * With Admin Mode, a token without the scope `admin_mode` is an administrator's by `GET /user`, and that of any other
 * user in lists (user-filters-dropped): only what a row shows tells what the instance grants.
 */
async function refuseWithoutAdminMode({ api }: Context, { username, isAuditor }: Caller): Promise<void> {
  if (isAuditor) return;
  for await (const row of api.list(listUsers, {}, { limit: 1, perPage: 1 })) if ("is_admin" in row) return;
  throw new Failure("forbidden", `the token of ${username} has no administrator rights in lists of users`, {
    code: "filter_ignored",
    reason: "the instance would ignore these filters, and list other users too",
    hint: "with Admin Mode on, a token needs the scope admin_mode too",
  });
}

interface Caller {
  username: string;
  isAuditor: boolean;
  /** An administrator or an auditor. */
  seesAll: boolean;
}

async function callerOf({ api }: Context): Promise<Caller> {
  const { username, is_admin: isAdmin, is_auditor: isAuditor } = await api.call(getCurrentUser, {});
  return { username, isAuditor: isAuditor === true, seesAll: isAdmin === true || isAuditor === true };
}

import { droppedFilters, getCurrentUser, listUsers } from "../../api/endpoints/users.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { parsedFlags } from "../../declare/describe.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";
import { firstOf } from "../../verbs/row-collection.ts";

const forAdminMode = "with Admin Mode on, a token needs the scope admin_mode too";

/** The filters that select users by a state that an instance may hide, and their flags. */
const statesFilters = { blocked: "--blocked", exclude_active: "--exclude-active" } as const;

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

/**
 * Refuses filters for users who are blocked, which instances list to administrators only (blocked-users-hidden): the
 * list would be empty, or without them. An instance that lists one shows them.
 */
export async function refuseHidden(context: Context, input: Readonly<Record<string, unknown>>): Promise<void> {
  const used = Object.entries(statesFilters).filter(([name]) => input[name] === true);
  if (used.length === 0) return;
  if ((await firstOf(context.api.list(listUsers, { blocked: true }, { limit: 1, perPage: 1 }))) !== undefined) return;
  const caller = await callerWithoutBlocked(context);
  if (caller === undefined) return;
  const names = used.map(([, long]) => long).join(", ");
  throw new Failure("forbidden", `the instance lists no blocked users to ${caller.username}`, {
    code: "filter_ignored",
    reason: `it shows them to administrators only, so that ${names} cannot be answered`,
    hint: caller.isAdmin ? forAdminMode : "use the token of an administrator, with the scope read_api at least",
  });
}

/** Warns, after an empty list of the users who are named, that a blocked one is not in it. */
export async function warnOfHidden(context: Context, input: Readonly<Record<string, unknown>>): Promise<void> {
  if (input.username === undefined && input.search === undefined) return;
  const looked = await unlessRefused(callerWithoutBlocked(context).then((caller) => ({ caller })));
  if (looked !== undefined && looked.caller === undefined) return;
  // Who the caller is may not be known: then they need not be an administrator either.
  const name = looked?.caller?.username ?? "this user";
  context.warn(`the instance may not list blocked users to ${name}: it shows them to administrators only`);
}

/** The caller, if the instance may keep blocked users from their lists: not for an administrator's full rights. */
async function callerWithoutBlocked(context: Context): Promise<Caller | undefined> {
  const caller = await callerOf(context);
  return caller.isAdmin && (await seesAdministration(context)) ? undefined : caller;
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
async function refuseWithoutAdminMode(context: Context, { username }: Caller): Promise<void> {
  if (await seesAdministration(context)) return;
  throw new Failure("forbidden", `the token of ${username} has no administrator rights in lists of users`, {
    code: "filter_ignored",
    reason: "the instance would ignore these filters, and list other users too",
    hint: forAdminMode,
  });
}

async function seesAdministration({ api }: Context): Promise<boolean> {
  const row = await firstOf(api.list(listUsers, {}, { limit: 1, perPage: 1 }));
  return row !== undefined && "is_admin" in row;
}

interface Caller {
  username: string;
  isAdmin: boolean;
  /** An administrator or an auditor. */
  seesAll: boolean;
}

async function callerOf({ api }: Context): Promise<Caller> {
  const { username, is_admin: isAdmin, is_auditor: isAuditor } = await api.call(getCurrentUser, {});
  return { username, isAdmin: isAdmin === true, seesAll: isAdmin === true || isAuditor === true };
}

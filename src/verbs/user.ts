import { listUsers } from "../api/endpoints/users.ts";
import { Failure, UsageError } from "../base/errors.ts";
import { commandLine } from "../base/line.ts";
import type { Context } from "../context.ts";

/** Digits are an ID; anything else is looked up as a name. */
export async function userId(context: Context, user: string): Promise<number> {
  if (!/^\d+$/.test(user)) return (await findUser(context, user)).id;
  if (Number.isSafeInteger(Number(user))) return Number(user);
  throw new UsageError(`<id|username>: ${user} is too large for an ID`);
}

/** Looks a user up by name: exact, in any case. */
async function findUser(context: Context, username: string): Promise<{ id: number }> {
  for await (const user of context.api.list(listUsers, { username }, { limit: 1 })) return user;
  throw new Failure("notFound", `there is no user "${username}"`, {
    reason: "not found, or not visible to this token",
    hint: `forgectl ${commandLine(["users", "list", "--search", username])}`,
  });
}

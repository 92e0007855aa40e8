import { listUsers } from "../api/endpoints/users.ts";
import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";

/** Looks a user up by name: exact, in any case. */
export async function findUser(context: Context, username: string): Promise<{ id: number }> {
  for await (const user of context.api.list(listUsers, { username }, { limit: 1 })) return user;
  throw new Failure("notFound", `there is no user "${username}"`, {
    reason: "not found, or not visible to this token",
    hint: `forgectl users list --search ${username}`,
  });
}

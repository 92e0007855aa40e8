import { getGroup } from "../api/endpoints/places.ts";
import { Failure, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import type { Command } from "../declare/command.ts";

/**
 * Digits are an ID; a path is looked up, which is beyond the API documents. One that is not found is a Failure.
 *
 * @param label what gave it: `--parent-id`.
 */
export async function groupId(context: Context, group: string, label: string): Promise<number> {
  if (/^\d+$/.test(group)) {
    const id = Number(group);
    if (id > 0 && Number.isSafeInteger(id)) return id;
    throw new UsageError(`${label}: must be an ID (a whole number of at least 1) or a path, not "${group}"`);
  }
  try {
    return (await context.api.call(getGroup, { group })).id;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw error.with({
      exit: "notFound",
      message: `${label}: there is no group "${group}"`,
      reason: "not found, or not visible to this token; or this instance cannot look a path up",
      hint: "give the group's ID",
    });
  }
}

/**
 * The input with the group's ID in place of a path that holds a dot, where the command sends it in a route that takes
 * none. An instance that cannot look it up is sent the path: by the API documents it takes that.
 */
export async function withoutDots(
  context: Context,
  command: Command,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { group } = input;
  const dotted = typeof group === "string" && group.includes(".");
  if (!dotted || !command.requests.some(({ dotless }) => dotless)) return input;
  const found = await context.api.call(getGroup, { group }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  return found === undefined ? input : { ...input, group: String(found.id) };
}

function isMissing(error: unknown): error is Failure {
  return error instanceof Failure && error.exit === "notFound";
}

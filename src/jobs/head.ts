import { createHash } from "node:crypto";
import { getCurrentUser } from "../api/endpoints/users.ts";
import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";
import type { JournalHead } from "./journal.ts";

/**
 * What a journal of this command belongs to: the instance, the user, and the content of the files that it reads.
 *
 * @param reads names of files; pipes, whose content cannot be read twice, are left out
 */
export async function headOf(context: Context, command: string, reads: readonly string[] = []): Promise<JournalHead> {
  const caller = await callerOf(context);
  const inputs: Record<string, string> = {};
  for (const path of new Set(reads)) {
    if ((await context.files.facts(path))?.kind !== "file") continue;
    const hash = createHash("sha256");
    for await (const chunk of context.files.stream(path)) hash.update(chunk);
    inputs[path] = hash.digest("hex");
  }
  return {
    command: context.redact(command),
    instance: context.config.baseUrl?.value ?? "",
    ...(caller !== undefined && { caller }),
    ...(Object.keys(inputs).length > 0 && { inputs }),
  };
}

/** The ID of the token's user; undefined for a job token, and if the instance does not say. */
async function callerOf(context: Context): Promise<number | undefined> {
  if ((await context.config.credential())?.kind === "job") return undefined;
  try {
    const { id } = await context.api.call(getCurrentUser, {});
    return typeof id === "number" ? id : undefined;
  } catch (error) {
    if (error instanceof Failure && error.exit !== "interrupted") return undefined;
    throw error;
  }
}

import { createHash } from "node:crypto";
import { getCurrentUser } from "../api/endpoints/users.ts";
import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { sharedStdin } from "../terminal/shared-stdin.ts";
import type { JournalHead } from "./journal.ts";

/**
 * What a journal of this command belongs to: the instance, the user, and the content of the files that it reads.
 *
 * @param reads names of files, and `-` for stdin; other pipes are left out
 */
export async function headOf(context: Context, command: string, reads: readonly string[] = []): Promise<JournalHead> {
  const caller = await callerOf(context);
  return {
    command: context.redact(command),
    instance: context.config.baseUrl?.value ?? "",
    ...(caller !== undefined && { caller }),
    ...(await inputsOf(context, reads)),
  };
}

async function inputsOf(context: Context, reads: readonly string[]): Promise<Pick<JournalHead, "inputs">> {
  const inputs: Record<string, string> = {};
  for (const path of new Set(reads)) {
    if (path === "-") {
      inputs[path] = await digestOfStdin(context);
      continue;
    }
    if ((await context.files.facts(path))?.kind !== "file") continue;
    const hash = createHash("sha256");
    for await (const chunk of context.files.stream(path)) hash.update(chunk);
    inputs[path] = hash.digest("hex");
  }
  return Object.keys(inputs).length > 0 ? { inputs } : {};
}

/** What a line that completes a run needs besides. */
export function stdinRemark(reads: readonly string[]): string {
  return reads.includes("-") ? "   # with the same stdin" : "";
}

/** The commands get the same: it has its content only once. */
async function digestOfStdin({ stdin, unwatched }: Context): Promise<string> {
  const hash = createHash("sha256");
  await unwatched(async () => {
    for await (const chunk of sharedStdin(stdin).stream()) hash.update(chunk);
  });
  return hash.digest("hex");
}

/** The same of a command that runs on several instances, by profile. */
export async function headOfMany(
  context: Context,
  profiles: ReadonlyMap<string, Context>,
  command: string,
  reads: readonly string[] = [],
): Promise<JournalHead> {
  const heads = await Promise.all(
    [...profiles].map(async ([name, own]) => ({ name, ...(await headOf(own, command)) })),
  );
  const callers = heads.flatMap(({ name, caller }) => (caller === undefined ? [] : [[name, caller] as const]));
  return {
    command: context.redact(command),
    instance: heads.map(({ instance }) => instance).join(", "),
    callers: Object.fromEntries(callers),
    ...(await inputsOf(context, reads)),
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

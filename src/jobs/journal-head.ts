import { createHash } from "node:crypto";
import { getCurrentUser } from "../api/endpoints/users.ts";
import { Failure } from "../base/errors.ts";
import { isSpecial, isStdin } from "../base/special-file.ts";
import type { Context } from "../context.ts";
import { readPipe } from "../terminal/shared-pipe.ts";
import { sharedStdin } from "../terminal/shared-stdin.ts";
import type { JournalHead } from "./journal.ts";

interface Used {
  /** Names of files, and `-` for stdin; a named pipe is left out, which no command reads. */
  readonly reads?: readonly string[];
  /** The container registry itself is used. */
  readonly registry?: boolean;
  /** See `JournalHead`. */
  readonly defaults?: string | undefined;
}

/** What a journal of this command belongs to: the instance, the user, and the content of the files that it reads. */
export async function headOf(
  context: Context,
  command: string,
  { reads = [], registry = false, defaults }: Used = {},
): Promise<JournalHead> {
  const caller = await callerOf(context);
  const address = registry ? context.config.registryUrl?.value : undefined;
  return {
    command: context.redact(command),
    instance: context.config.baseUrl?.value ?? "",
    ...(caller !== undefined && { caller }),
    ...(address !== undefined && { registry: address }),
    ...(defaults !== undefined && { defaults }),
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
    const kind = (await context.files.facts(path))?.kind;
    if (kind === "file") inputs[path] = await digestOf(context.files.stream(path));
    else if (kind === "other" && isShellPipe(path)) inputs[path] = await digestOf([await readPipe(context, path)]);
  }
  return Object.keys(inputs).length > 0 ? { inputs } : {};
}

/** What a line that completes a run needs besides. */
export function stdinRemark(reads: readonly string[]): string {
  const pipes = [...(reads.includes("-") ? ["stdin"] : []), ...new Set(reads.filter(isShellPipe))];
  return pipes.length === 0 ? "" : `   # with the same ${pipes.join(", ")}`;
}

/** What a shell passes with `<(command)`. Stdin, however it is named, is `-` besides. */
function isShellPipe(path: string): boolean {
  return isSpecial(path) && !isStdin(path) && path !== "/dev/null";
}

/** The commands get the same: it has its content only once. */
function digestOfStdin({ stdin, unwatched }: Context): Promise<string> {
  return unwatched(() => digestOf(sharedStdin(stdin).stream()));
}

async function digestOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

/** The same of a command that runs on several instances, by profile. */
export async function headOfMany(
  context: Context,
  profiles: ReadonlyMap<string, Context>,
  command: string,
  { reads = [], registry = false, defaults }: Used = {},
): Promise<JournalHead> {
  const heads = await Promise.all(
    [...profiles].map(async ([name, own]) => ({ name, ...(await headOf(own, command, { registry })) })),
  );
  const registries = heads.flatMap(({ registry: own }) => own ?? []);
  const callers = heads.flatMap(({ name, caller }) => (caller === undefined ? [] : [[name, caller] as const]));
  return {
    command: context.redact(command),
    instance: heads.map(({ instance }) => instance).join(", "),
    callers: Object.fromEntries(callers),
    ...(defaults !== undefined && { defaults }),
    ...(registries.length > 0 && { registry: registries.join(", ") }),
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

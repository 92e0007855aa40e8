import { join } from "node:path";
import { Failure, FileError, UsageError } from "../../../base/errors.ts";
import { readOwnText } from "../../../config/own-file.ts";
import type { Context } from "../../../context.ts";

// The API allows a bulk delete of a repository once an hour and does not say when the next one is allowed. So the time
// of each accepted call is stored next to the profiles for an hour. Calls from other machines are not known here; for
// those, only the platform's answer counts.

export const hourMs = 3_600_000;

type Calls = Record<string, string>;

/** When the next bulk delete of a repository is allowed, as far as is known here; undefined if it is allowed now. */
export async function nextAllowed(context: Context, repositoryId: number): Promise<string | undefined> {
  const called = (await readCalls(context))[keyOf(context, repositoryId)];
  return called === undefined ? undefined : hourAfter(called);
}

/**
 * Stores the time of a call that was just accepted.
 *
 * @returns when the next one is allowed
 */
export async function rememberCall(context: Context, repositoryId: number): Promise<string> {
  const { store } = context.config;
  const now = context.now().toISOString();
  try {
    await store.change(async (_profiles, files) => {
      const calls = { ...(await readCalls(context)), [keyOf(context, repositoryId)]: now };
      await files.write(pathOf(context), calls);
    });
  } catch (error) {
    // The deletion is already scheduled: the command does not fail if the time cannot be stored.
    if (!(error instanceof Failure)) throw error;
    context.warn(`the time of this call could not be stored: ${error.message}`);
  }
  return hourAfter(now);
}

/** The calls of the last hour; an invalid file counts as empty. */
async function readCalls(context: Context): Promise<Calls> {
  const path = pathOf(context);
  const text = await readOwnText(context.files, path, "the record of bulk deletions").catch((error: unknown) => {
    if (error instanceof UsageError) context.warn(`${error.message}: it is not believed`);
    else if (!(error instanceof FileError)) throw error;
    return undefined;
  });
  const now = context.now().getTime();
  // A time in the future was stored by a clock that was ahead.
  const fresh = ([, time]: [string, unknown]) => {
    const age = now - Date.parse(String(time));
    return age >= 0 && age < hourMs;
  };
  return Object.fromEntries(Object.entries(parse(text)).filter(fresh)) as Calls;
}

function parse(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function pathOf(context: Context): string {
  return join(context.config.store.folder, "bulk-deletes.json");
}

function keyOf(context: Context, repositoryId: number): string {
  return `${context.config.baseUrl?.value} ${repositoryId}`;
}

/** Rounded up to the second. */
function hourAfter(time: string): string {
  return new Date(Math.ceil((Date.parse(time) + hourMs) / 1000) * 1000).toISOString().replace(".000Z", "Z");
}

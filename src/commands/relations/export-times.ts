import { isNotFound } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { instanceClock } from "../../verbs/instance-clock.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";
import { type Entry, isOpen } from "./export-end.ts";
import { isAfter, type Reading, readPatiently, readStatuses } from "./export-wait.ts";

// When an export was: what an instance shows after a request may be of the one before.

/** The time of the last change in an earlier export, by the instance's clock: later changes belong to the new one. */
export async function latestChange(context: Context, wait: Reading): Promise<string | undefined> {
  return lastOf(changesOf(await readIfAny(context, wait)));
}

/** Well before an export that is requested now, also by the clock of the instance, which shows whole seconds. */
const marginMs = 60_000;

/** The same without a wait; if there is no export yet, or none is shown, a time before the next one. */
export async function timeBefore(context: Context, project: string): Promise<string> {
  const clock = instanceClock(context);
  const entries = await unlessRefused(readStatuses({ ...context, api: clock.api }, { project }));
  return lastOf(changesOf(entries ?? [])) ?? new Date(clock.instance().getTime() - marginMs).toISOString();
}

export function lastOf(times: readonly string[]): string | undefined {
  return times.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
}

function changesOf(entries: readonly Entry[]): string[] {
  return entries.map((entry) => entry.updated_at);
}

/** Milliseconds between looks for an export that may have been scheduled: instances begin what they queued soon. */
const looksMs = [0, 2000, 3000];

/** Whether an export is in progress, or was made since a time. */
export async function hasBegun(context: Context, wait: Reading, since: string | undefined): Promise<boolean> {
  for (const ms of looksMs) {
    if (ms > 0) await context.sleep(ms);
    const entries = await readIfAny(context, wait);
    if (entries.some(({ status, updated_at }) => isOpen(status) || isAfter(updated_at, since))) return true;
  }
  return false;
}

async function readIfAny(context: Context, wait: Reading): Promise<Entry[]> {
  return readPatiently(context, wait).catch(noneIfMissing);
}

/** Nothing was ever exported; if the project does not exist, the next request reports that. */
function noneIfMissing(error: unknown): Entry[] {
  if (isNotFound(error)) return [];
  throw error;
}

import { boolean, integer } from "../api/field.ts";
import { isChange, isGatewayError } from "../api/outcome.ts";
import { Failure, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";

export interface Wait<T> {
  /** The progress label: "exporting group acme". */
  label: string;
  /** Checks once; undefined means not yet done. `progress` is shown. */
  check(): Promise<{ done: T } | { progress?: string } | undefined>;
  /** The command to resume with after a timeout, without the program's name. */
  resume: string;
  /** Maximum wait in seconds. */
  limitSeconds: number;
}

/** `--wait-timeout` of every command that can wait. */
export function waitTimeout(defaultSeconds: number, description = "Maximum wait in seconds") {
  return integer(description, { placeholder: "seconds", min: 1, default: defaultSeconds });
}

/** `--wait` and `--wait-timeout` of a command that starts a background operation on the instance. */
export function waitFlags(description: string, defaultSeconds: number, timeoutDescription?: string) {
  return { wait: boolean(description), wait_timeout: waitTimeout(defaultSeconds, timeoutDescription) };
}

interface Waiting {
  wait?: boolean | undefined;
  wait_timeout?: number | undefined;
}

/** Maximum wait in seconds; undefined if no wait was requested. */
export function secondsToWait({ wait = false, wait_timeout }: Waiting, defaultSeconds: number): number | undefined {
  if (wait_timeout !== undefined && !wait) throw new UsageError("--wait-timeout needs --wait");
  return wait ? (wait_timeout ?? defaultSeconds) : undefined;
}

const firstPauseMs = 500;
const maxPauseMs = 10_000;

/** Rate limits are per minute, so an earlier request would be refused as well. */
const rateLimitPauseMs = 60_000;

/**
 * Polls with growing pauses until it is done; on timeout fails with exit 8 and the command to resume with. Errors
 * that may be temporary (5xx, the network, a rate limit) do not end the wait before its timeout; at an address that has
 * never answered, the network's do.
 */
export async function waitFor<T>(context: Context, wait: Wait<T>): Promise<T> {
  const task = context.progress.start(wait.label);
  const end = context.elapsedMs() + wait.limitSeconds * 1000;
  let pause = firstPauseMs;
  let left = wait.limitSeconds * 1000;
  let failure: Failure | undefined;
  try {
    while (true) {
      const seen = await passing(inTime(context, wait.check(), left));
      if (seen !== undefined && "done" in seen) return seen.done;
      if (seen?.progress !== undefined) task.update(0, { label: `${wait.label}: ${seen.progress}` });
      if (seen !== late) failure = seen?.failure;
      left = end - context.elapsedMs();
      if (left <= 0) throw timedOut(wait, failure, context.api.made.length > 0);
      await context.sleep(Math.min(failure?.exit === "rateLimited" ? rateLimitPauseMs : pause, left));
      pause = Math.min(pause * 1.5, maxPauseMs);
    }
  } catch (error) {
    throw context.signal.aborted && context.api.made.length > 0 ? continuing(error, wait) : error;
  } finally {
    task.stop();
  }
}

/** Ctrl-C ends the wait, and not the operation that was started before it. */
function continuing<T>(error: unknown, wait: Wait<T>): Failure {
  const ended = error instanceof Failure ? error : new Failure("interrupted", "interrupted", { code: "interrupted" });
  const outcomeText = `it continues on the instance (${wait.label})`;
  return ended.with({ outcomeText, hint: `forgectl ${wait.resume}`, outcome: "made", retryable: false });
}

interface Seen {
  progress?: string;
  /** The check failed this time. */
  failure?: Failure;
}

/** The timeout expired before a check completed. */
const late: Seen = {};

/** Limits a check to the time left: a rate limit may delay a request beyond it. */
async function inTime<T>(context: Context, check: Promise<T>, ms: number): Promise<T | Seen> {
  const seen = new AbortController();
  const expired = context.sleep(ms, seen.signal).then(() => late);
  try {
    return await Promise.race([check, expired]);
  } finally {
    seen.abort();
  }
}

/** The result of a check; an error that may be temporary counts as not yet. */
async function passing<T>(check: Promise<{ done: T } | Seen | undefined>): Promise<{ done: T } | Seen | undefined> {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof Failure && mayPass(error))) throw error;
    return { progress: `checking again after: ${error.details.reason ?? error.message}`, failure: error };
  }
}

function mayPass({ exit, details }: Failure): boolean {
  const { method = "GET", status, retryable, unreached } = details;
  if (isChange(method)) return false;
  if (exit === "network") return retryable !== false && !unreached;
  return exit === "rateLimited" || (status !== undefined && (status >= 500 || isGatewayError(status, {})));
}

function timedOut<T>(wait: Wait<T>, failure: Failure | undefined, made: boolean): Failure {
  const time = `${wait.limitSeconds} ${wait.limitSeconds === 1 ? "second" : "seconds"}`;
  const last = failure && [failure.message, failure.details.reason].filter((part) => part !== undefined).join(": ");
  return new Failure("notReady", `not ready after ${time} (${wait.label})`, {
    ...(last !== undefined && { reason: `the last check failed: ${last}` }),
    hint: `forgectl ${wait.resume}`,
    // The operation continues on the instance; the same command would start it again.
    ...(made ? { outcome: "made", retryable: false } : { retryable: true }),
  });
}

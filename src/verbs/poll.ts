import { isChange } from "../api/fate.ts";
import { integer } from "../api/field.ts";
import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";

export interface Wait<T> {
  /** What is waited for, shown while waiting: "exporting group acme". */
  label: string;
  /** Looks once; undefined means not yet. A string is shown as how far it is. */
  look(): Promise<{ done: T } | { progress?: string } | undefined>;
  /** How to go on when time runs out: a command line without the program's name. */
  resume: string;
  /** Seconds to wait at most. */
  limitSeconds: number;
}

/** `--wait-timeout`, as every command has it that can wait. */
export function waitTimeout(defaultSeconds: number, description = "Seconds to wait at most") {
  return integer(description, { placeholder: "seconds", min: 1, default: defaultSeconds });
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Requests are limited by the minute, so that one to come sooner would be refused as well. */
const rateLimitPauseMs = 60_000;

/**
 * Looks again and again, with growing pauses, until it is done; gives up with exit 8 and the command to go on. Errors
 * that may pass (5xx, the network, a rate limit) end no wait before its own time is over.
 */
export async function waitFor<T>(context: Context, wait: Wait<T>): Promise<T> {
  const task = context.progress.start(wait.label);
  const end = context.now().getTime() + wait.limitSeconds * 1000;
  let pause = firstPauseMs;
  let left = wait.limitSeconds * 1000;
  let failure: Failure | undefined;
  try {
    while (true) {
      const seen = await passing(inTime(context, wait.look(), left));
      if (seen !== undefined && "done" in seen) return seen.done;
      if (seen?.progress !== undefined) task.update(0, { label: `${wait.label}: ${seen.progress}` });
      if (seen !== late) failure = seen?.failure;
      left = end - context.now().getTime();
      if (left <= 0) throw timedOut(wait, failure, context.api.made.length > 0);
      await context.sleep(Math.min(failure?.exit === "rateLimited" ? rateLimitPauseMs : pause, left));
      pause = Math.min(pause * 1.5, longestPauseMs);
    }
  } finally {
    task.stop();
  }
}

interface Seen {
  progress?: string;
  /** It could not be seen this time. */
  failure?: Failure;
}

/** The time of the wait was over before anything was seen. */
const late: Seen = {};

/** A request may have to wait longer than the wait itself does, for a rate limit. */
async function inTime<T>(context: Context, look: Promise<T>, ms: number): Promise<T | Seen> {
  const seen = new AbortController();
  const expired = context.sleep(ms, seen.signal).then(() => late);
  try {
    return await Promise.race([look, expired]);
  } finally {
    seen.abort();
  }
}

/** What was seen; an error that may pass counts as not yet. */
async function passing<T>(look: Promise<{ done: T } | Seen | undefined>): Promise<{ done: T } | Seen | undefined> {
  try {
    return await look;
  } catch (error) {
    if (!(error instanceof Failure && mayPass(error))) throw error;
    return { progress: `looking again after: ${error.details.reason ?? error.message}`, failure: error };
  }
}

function mayPass({ exit, details }: Failure): boolean {
  const { method = "GET", status, retryable } = details;
  if (isChange(method)) return false;
  if (exit === "network") return retryable !== false;
  return exit === "rateLimited" || (status !== undefined && status >= 500);
}

function timedOut<T>(wait: Wait<T>, failure: Failure | undefined, made: boolean): Failure {
  const time = `${wait.limitSeconds} ${wait.limitSeconds === 1 ? "second" : "seconds"}`;
  const last = failure && [failure.message, failure.details.reason].filter((part) => part !== undefined).join(": ");
  return new Failure("notReady", `not ready after ${time} (${wait.label})`, {
    ...(last !== undefined && { reason: `the last look failed: ${last}` }),
    hint: `forgectl ${wait.resume}`,
    // What was begun goes on; the same command would begin it again.
    ...(made ? { outcome: "made", retryable: false } : { retryable: true }),
  });
}

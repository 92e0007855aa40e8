import { isGatewayError } from "../outcome.ts";

/** Which attempts are retried, and when. */

const baseMs = 500;
const maxPauseMs = 30_000;
/** If a server requests a longer wait, there is no further attempt. */
const patienceMs = 600_000;
/** Instances limit requests per minute: an earlier retry would be refused as well. */
const rateLimitMs = 60_000;
const rateLimitSpreadMs = 5_000;
/** A `RateLimit-Reset` below this is a number of seconds from now, not since 1970. */
const minEpoch = 1_000_000_000;

interface Clock {
  now(): number;
  random(): number;
}

/** Whether a retry of a refused request may succeed and is safe. */
export function isRetryable(repeatable: boolean, status: number, headers: Readonly<Record<string, string>>): boolean {
  if (status === 429) return true;
  if (repeatable) return status === 503 || isGatewayError(status, headers);
  return status === 503 && !isGatewayError(status, headers) && headers["retry-after"] !== undefined;
}

/** Milliseconds in `Retry-After`: seconds, also repeated (`2, 2`) or with a fraction, or a date. */
function retryAfter(text: string, now: number): number {
  const numbers = text.split(",").map((part) => part.trim());
  if (numbers.every((part) => /^\d+(?:\.\d+)?$/.test(part))) return Math.max(...numbers.map(Number)) * 1000;
  return Date.parse(text) - now;
}

/** Milliseconds that the server asked to wait; undefined if it sent nothing usable. */
function asked(status: number, headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const after = headers["retry-after"]?.trim();
  if (after) {
    const wait = retryAfter(after, now);
    if (!Number.isNaN(wait)) return wait;
  }
  const reset = headers["ratelimit-reset"]?.trim();
  if (status !== 429 || !reset || !/^\d+$/.test(reset)) return undefined;
  const seconds = Number(reset);
  return seconds < minEpoch ? seconds * 1000 : seconds * 1000 - now;
}

/** Exponential backoff with 50% jitter. `attempt` counts from 1: the one that just failed. */
export function backoff(attempt: number, clock: Clock): number {
  const full = Math.min(maxPauseMs, baseMs * 2 ** (attempt - 1));
  return full / 2 + (clock.random() * full) / 2;
}

/** Milliseconds to wait after a response; undefined if the requested wait is too long. */
export function waitAfter(
  status: number,
  headers: Readonly<Record<string, string>>,
  attempt: number,
  clock: Clock,
): number | undefined {
  const wait = asked(status, headers, clock.now());
  if (wait === undefined && status === 429) return rateLimitMs + clock.random() * rateLimitSpreadMs;
  if (wait === undefined || wait <= 0) return backoff(attempt, clock);
  return wait > patienceMs ? undefined : wait;
}

/** The notice before a noticeable wait. */
export function announcement(what: string, waitMs: number, next: number, attempts: number): string {
  return `${what}; next attempt in ${Math.ceil(waitMs / 1000)} s (${next} of ${attempts})`;
}

/** The reason for a wait. */
export function statusWords(status: number): string {
  return status === 429 ? "rate limited by the instance (429)" : `the instance answered ${status}`;
}

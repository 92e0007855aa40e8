/** Which attempts are worth repeating, and when (conventions: Retries). */

const baseMs = 500;
const capMs = 30_000;
/** A server that asks for more than this gets no further attempt. */
const patienceMs = 600_000;
/** Instances limit requests by the minute: sooner, the next would be refused as well. */
const rateLimitMs = 60_000;
const rateLimitSpreadMs = 5_000;
/** A `RateLimit-Reset` below this is a number of seconds from now, not since 1970. */
const smallestEpoch = 1_000_000_000;

interface Clock {
  now(): number;
  random(): number;
}

/** Whether a refused request may succeed when it is sent again, and sending it again does no harm. */
export function isWorthRepeating(
  repeatable: boolean,
  status: number,
  headers: Readonly<Record<string, string>>,
): boolean {
  if (status === 429) return true;
  if (repeatable) return status === 503 || isGatewayError(status);
  return status === 503 && headers["retry-after"] !== undefined;
}

/** Answers of what stands before the instance, which may have acted all the same; from 520 on those of a CDN. */
export function isGatewayError(status: number): boolean {
  return status === 502 || status === 504 || (status >= 520 && status <= 530);
}

/** Milliseconds that `Retry-After` asks for: seconds, also repeated (`2, 2`) or with a fraction, or a date. */
function retryAfter(text: string, now: number): number {
  const numbers = text.split(",").map((part) => part.trim());
  if (numbers.every((part) => /^\d+(?:\.\d+)?$/.test(part))) return Math.max(...numbers.map(Number)) * 1000;
  return Date.parse(text) - now;
}

/** Milliseconds that the server asked to wait; undefined where it said nothing usable. */
function asked(status: number, headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const after = headers["retry-after"]?.trim();
  if (after) {
    const wait = retryAfter(after, now);
    if (!Number.isNaN(wait)) return wait;
  }
  const reset = headers["ratelimit-reset"]?.trim();
  if (status !== 429 || !reset || !/^\d+$/.test(reset)) return undefined;
  const seconds = Number(reset);
  return seconds < smallestEpoch ? seconds * 1000 : seconds * 1000 - now;
}

/** Exponential, half of it random. `attempt` counts from 1: the one that just failed. */
export function backoff(attempt: number, clock: Clock): number {
  const full = Math.min(capMs, baseMs * 2 ** (attempt - 1));
  return full / 2 + (clock.random() * full) / 2;
}

/** Milliseconds to wait after a response; undefined where the wait asked for is absurd. */
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

/** What is told before a wait that people notice. */
export function announcement(what: string, waitMs: number, next: number, attempts: number): string {
  return `${what}; next attempt in ${Math.ceil(waitMs / 1000)} s (${next} of ${attempts})`;
}

/** Why a wait begins, in words. */
export function statusWords(status: number): string {
  return status === 429 ? "rate limited by the instance (429)" : `the instance answered ${status}`;
}

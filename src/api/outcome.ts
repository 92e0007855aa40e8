import { Failure } from "../base/errors.ts";

/** The outcome of a change, in the words of every error that follows it. */
export const wasMade = "the change was made";

/** Whether a request of this method can change something on the instance. */
export function isChange(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** The idempotent methods. */
export function isRepeatable(method: string): boolean {
  return ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].includes(method.toUpperCase());
}

/**
 * Whether a change with this failure may have been made anyway, because its answer was lost. Then check, if possible.
 */
export function mayHaveBeenMade(error: unknown): error is Failure {
  return error instanceof Failure && error.details.outcome === "unknown";
}

/**
 * Whether a change was answered like a second one, which finds the object as the first one has left it: a proxy
 * in front of the instance that gets no answer in time may send it again, and passes on the second answer. Then check.
 */
export function mayBeSecond(error: unknown): error is Failure {
  if (!(error instanceof Failure) || error.details.outcome !== undefined) return false;
  return [400, 404, 409, 422].includes(error.details.status ?? 0);
}

/** The failure of a change that may have been made nevertheless. */
export function inDoubt(failure: Failure): Failure {
  return failure.with({ outcome: "unknown", retryable: false });
}

/** What is known of a change that was sent again. */
export const earlierLost = "the answer to an earlier attempt was lost, and that attempt may have made the change";

/** What a check says that does not find a change which may still be in progress. */
export const notShownYet = "a check does not show the change, but the instance may still be making it";

/**
 * Whether an answer is that of a proxy in front of the instance, which may have executed the request anyway; statuses
 * from 520 on are those of a CDN. A 503 in JSON is the instance's own, and says that nothing was done. A cache answers
 * 503 with a page, and with `Retry-After` as well, if the instance took longer than the cache waits. 408, 460, and 499
 * are those of a proxy whose connection was given up.
 */
export function isGatewayError(status: number, headers: Readonly<Record<string, string>>): boolean {
  if (status === 503) return !/\bjson\b/i.test(headers["content-type"] ?? "");
  return [408, 460, 499].includes(status) || status === 502 || status === 504 || (status >= 520 && status <= 530);
}

/**
 * Whether the instance may still be at work on a change whose answer was lost: nothing came, or a proxy answered in its
 * place. A check that does not find it is then no proof that it was not made. Its own answer comes after the work.
 */
export function mayStillBeMade({ details: { status, answered } }: Failure): boolean {
  // Any 503, as one without headers: in JSON, it may be of an instance that is at work on an earlier attempt.
  return status === undefined ? answered !== true : isGatewayError(status, {});
}

/** The change was made, but its answer was broken or invalid: the error says so, and is not retryable. */
export function afterMade(error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.outcome === "unknown") return error;
  const outcome = { outcome: "made", retryable: false } as const;
  if (error.exit === "interrupted") return error.with({ ...outcome });
  const { reason = error.message, hint: _, ...details } = error.details;
  return new Failure(error.exit, `${wasMade}, but its answer could not be read`, { ...details, reason, ...outcome });
}

/**
 * The failure of a change that was answered with success, but not with an answer of the platform. Something in front of
 * the instance may have answered a DELETE or a PATCH in its place: a check tells whether they were made.
 *
 * @param uncount called with method and path if it is unknown: it was counted as made
 */
export function unread(error: unknown, method: string, uncount: (change: string) => void): unknown {
  if (!(error instanceof Failure) || error.exit === "interrupted") return afterMade(error);
  const { path, outcome } = error.details;
  if (outcome !== "unknown" && method !== "DELETE" && method !== "PATCH") return afterMade(error);
  uncount(`${method} ${path}`);
  if (outcome === "unknown") return error;
  return inDoubt(error);
}

/** Removes a change from those that are counted, once. */
export function removeLast(counted: string[], change: string): void {
  const place = counted.lastIndexOf(change);
  if (place >= 0) counted.splice(place, 1);
}

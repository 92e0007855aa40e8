import { Failure } from "../base/errors.ts";

/** The fate of a change, in the words of every error that leaves it open or comes after it. */
export const mayBeMade = "the change may have been made all the same";
export const wasMade = "the change was made";

/** Whether a request of this method can change something on the instance. */
export function isChange(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** Sending these twice does what sending them once does. */
export function isRepeatable(method: string): boolean {
  return ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].includes(method.toUpperCase());
}

/** Whether the change that failed so may have been made all the same: its answer got lost. Then look, where that tells. */
export function mayHaveBeenMade(error: unknown): error is Failure {
  return error instanceof Failure && error.details.outcome === "unknown";
}

/** What broke or was misread is the answer to a change that was made: the error says so, and is not retryable. */
export function afterMade(error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.outcome === "unknown") return error;
  const fate = { outcome: "made", retryable: false } as const;
  if (error.exit === "interrupted") return error.with({ ...fate });
  const { reason = error.message, hint: _, ...details } = error.details;
  return new Failure(error.exit, `${wasMade}, but its answer could not be read`, { ...details, reason, ...fate });
}

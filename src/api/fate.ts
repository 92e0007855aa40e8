import { Failure } from "../errors.ts";

/** Whether the change that failed so may have been made all the same: its answer got lost. Then look, where that tells. */
export function mayHaveBeenMade(error: unknown): error is Failure {
  return error instanceof Failure && error.details.outcome === "unknown";
}

import { Failure } from "../base/errors.ts";
import type { EndedRow } from "./tally.ts";

// What a later run may repeat of a change that an earlier one began.

/** How a change ended that must not be repeated: as a later run is to take it. */
export type Status = "done" | "skipped" | EndedRow["status"];

/**
 * What failed after some of its changes were made, or was stored as something else than was sent, is `made`: the same
 * again would make it twice.
 *
 * @param made the changes that were accepted, if they must not be repeated
 */
export function recordOf(status: Status, made: readonly string[] = []): Status {
  const isNothing = made.length === 0 || (status === "not_taken" && made.length === 1);
  return isNothing || status === "done" || status === "unknown" ? status : "made";
}

interface Began {
  /** The rows that were shown before. */
  readonly rows: readonly object[];
  /** The changes that were accepted. */
  readonly made: readonly string[];
  /** The answer of the change is bytes, not all of which could be shown. */
  readonly isAnswered: boolean;
}

/**
 * Ctrl-C in the middle of several changes: the first of them were made. A result that cannot be shown comes after the
 * change, and is no exit 2, which means that nothing was sent.
 */
export function madeInPart(error: unknown, { rows, made, isAnswered }: Began): unknown {
  if (!(error instanceof Failure) || error.details.outcome !== undefined) return error;
  if (error.exit === "interrupted" && rows.some(isTried)) return error.with({ outcome: "made" });
  if (made.length === 0 || (error.exit !== "usage" && !isAnswered)) return error;
  return error.with({
    ...(error.exit === "usage" && { exit: "refused" }),
    outcome: "made",
    outcomeText: `the change was made: ${made.join(", ")}`,
    retryable: false,
  });
}

/** Whether a row says of a change that it was made, or may have been. */
function isTried(row: object): boolean {
  return !("status" in row && row.status === "not_tried");
}

/** What to do with begun changes, once nothing else is left of a run. */
export const settle =
  "check each: what was not made is to be made by a command of its own; this run has nothing else to complete";

/** The reason for a change with a start entry in the journal and no end entry. */
export const startedBefore = "an earlier run started it and did not record its end: it may have been made";

export function openBefore(status: string | undefined): Failure {
  if (status === "made") {
    const message = "an earlier run made it, or a part of it, and did not confirm it as complete";
    return new Failure("notReady", message, { code: "made", outcome: "made", retryable: false });
  }
  return new Failure("notReady", startedBefore, { code: "unknown", outcome: "unknown", retryable: false });
}

export function unplaced(): Failure {
  const message = "the instance does not show its project or group: an earlier run may have done it";
  return new Failure("notReady", message, { code: "unknown", outcome: "unknown", retryable: false });
}

/** What is left to do is for the project or group that the name led to in an earlier run. */
export function hidden(): Failure {
  return new Failure(
    "notReady",
    "the instance does not show now whether its path is that of the recorded project or group",
    {
      code: "not_shown",
      nothing: "sent",
      retryable: true,
      hint: "if it was deleted, leave it out of the list",
    },
  );
}

export function isMissing(error: unknown): error is Failure {
  return error instanceof Failure && error.details.method === "DELETE" && error.details.status === 404;
}

/** A begun deletion whose 404 may come from a project or group that cannot be seen. */
export function unproven(error: Failure): Failure {
  const { reason = "not found" } = error.details;
  return error.with({ reason: `${startedBefore}; now: ${reason}`, outcome: "unknown", retryable: false });
}

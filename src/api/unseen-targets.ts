import { type Failure, isNotFound } from "../base/errors.ts";

// An allowlist shows its entries to who does not see their projects and groups (job-token-unseen-entries).

/** Why the removal of a group's entry cannot be undone. */
export const unseenGroup = "this token does not see the group, so it cannot add it again";

const unseenProject = "instances remove only entries of projects that this token can see";

/** Whether the removal of an entry that is still listed may have failed as this token does not see the project. */
export function mayBeUnseen(error: unknown): error is Failure {
  return isNotFound(error) && error.details.status === 404 && error.details.outcome === undefined;
}

/** The removal of an entry that is still listed, after a 404. */
export function unseenFailure(error: Failure): Failure {
  return error.with({ exit: "forbidden", reason: unseenProject, hint: "use the token of a user who sees the project" });
}

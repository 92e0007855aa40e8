import { mayBeSecond, mayHaveBeenMade } from "../../../api/outcome.ts";
import { type ExitName, Failure } from "../../../base/errors.ts";
import { commandLine } from "../../../base/shell-words.ts";
import { ClosedPipe } from "../../../host.ts";

interface Stopped {
  project: string;
  oldId: number;
  newId: number;
  /** The new DSN was delivered. */
  delivered: boolean;
  /** The request to delete the old key was sent. */
  deleting: boolean;
  dsnFile: string | undefined;
  check: string | undefined;
}

/** The code of a failure because the new key does not exist, or is off. */
export const unusable = "key_unusable";

/** The error of an incomplete rotation; the hint is how to complete or undo it. */
export function stopped(error: unknown, how: Stopped): Failure {
  const { project, oldId, newId, delivered, deleting } = how;
  if (error instanceof Failure && error.code === unusable) return useless(error, how);
  // Another user may have deleted it, too.
  const unsure = deleting && (!isRefusal(error) || mayBeSecond(error));
  const state = unsure
    ? `key ${newId} (new) works, and ${oldId} (old) may have been deleted`
    : `keys ${oldId} (old) and ${newId} (new) both work`;
  const remove = (keyId: number) =>
    `forgectl ${commandLine(["errors", "keys", "delete", String(keyId), "-p", project])}`;
  return wrapped(error, `the rotation is not finished: error tracking ${state}`, [
    ...(unsure
      ? [`${listing(project)}   # whether ${oldId} exists`]
      : [`${resumed(how)}   # to continue with key ${newId}`]),
    ...(delivered ? [] : [`${listing(project)} --reveal   # the DSN of ${newId}`]),
    `${remove(oldId)}   # once the new DSN is in use`,
    // If the old key is gone, that would leave none.
    ...(unsure ? [] : [`${remove(newId)}   # to undo the rotation instead`]),
  ]);
}

/** The error of a rotation whose new key was deleted or switched off by another user. */
function useless(error: Failure, how: Stopped): Failure {
  const { project, oldId, newId } = how;
  const state = `error tracking key ${oldId} (old) works, and ${newId} (new) does not`;
  return wrapped(error, `the rotation is not finished: ${state}`, [
    `${listing(project)}   # the state of ${newId}`,
    `${rotation(how, [])}   # to begin again`,
  ]);
}

/** The same rotation with the key that was made. */
function resumed(how: Stopped): string {
  return rotation(how, ["--new-key", String(how.newId)]);
}

function rotation({ project, oldId, dsnFile, check }: Stopped, more: readonly string[]): string {
  const target = dsnFile === undefined ? ["--reveal"] : ["--dsn-file", dsnFile, "--force"];
  const words = ["errors", "keys", "rotate", String(oldId), "-p", project, ...more, ...target];
  return `forgectl ${commandLine([...words, ...(check === undefined ? [] : ["--check", check])])}`;
}

/**
 * The error if the answer to the request for a new key was lost: the key may exist. A refusal is returned unchanged.
 */
export function uncertain(error: unknown, { project, oldId }: { project: string; oldId: number }): unknown {
  if (!(error instanceof Failure) || isRefusal(error)) return error;
  const isMade = error.details.outcome === "made";
  const state = `error tracking key ${oldId} works, and a new one ${isMade ? "exists" : "may exist"}`;
  return wrapped(error, `the rotation is not finished: ${state}`, [
    `${listing(project)}   # ${isMade ? "" : "whether it exists, and "}its ID`,
  ]);
}

export function listing(project: string): string {
  return `forgectl ${commandLine(["errors", "keys", "list", "-p", project])}`;
}

/** The instance refused, and no attempt before it may have been made: nothing changed. */
function isRefusal(error: unknown): boolean {
  if (mayHaveBeenMade(error)) return false;
  const status = error instanceof Failure ? (error.details.status ?? 0) : 0;
  return status >= 400 && status < 500;
}

function wrapped(error: unknown, message: string, commands: readonly string[]): Failure {
  const details = error instanceof Failure ? error.details : {};
  const why = error instanceof ClosedPipe ? "the new DSN was not read" : (error as Error).message;
  return new Failure(exitOf(error), message, {
    ...details,
    code: details.code ?? "rotation_stopped",
    reason: details.reason === undefined ? why : `${why}: ${details.reason}`,
    hint: commands.join("\n"),
    cause: error,
  });
}

function exitOf(error: unknown): ExitName {
  // A file that cannot be written is exit 2 only before anything was sent.
  if (error instanceof Failure) return error.exit === "usage" ? "refused" : error.exit;
  if (error instanceof ClosedPipe) return "interrupted";
  return "bug";
}

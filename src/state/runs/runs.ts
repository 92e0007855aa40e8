import { join } from "node:path";
import { Failure, FileError, UsageError } from "../../base/errors.ts";
import { oneByOne } from "../../base/one-by-one.ts";
import { heldBy, holdLock, isHeld } from "../../config/lock.ts";
import type { Context } from "../../context.ts";
import type { FileWriter } from "../../host.ts";
import { newRun } from "../../jobs/run-id.ts";
import type { Action, At, Kind, Values } from "../kind.ts";
import { createRecord } from "./record-file.ts";
import { RunLog } from "./run-log.ts";

/** The outcome of a change. */
export type Status =
  | "done"
  /** It was already as desired; nothing was sent for it. */
  | "unchanged"
  /** The instance stored another value than the one sent. */
  | "altered"
  /** The instance reported success, but the change was not made. */
  | "not_taken"
  /** The instance answered 4xx, and the object is as before. */
  | "refused"
  /** Nothing was sent for it, since something of its own was missing. */
  | "failed"
  /** The object had changed since the plan. */
  | "stale"
  /** It may have been made. */
  | "unknown"
  /** Its list or its scope could not be read. */
  | "unreadable"
  | "skipped"
  | "not_tried";

/** One change of a run, for a rollback. Secret fields are left out, and addresses with credentials. */
export interface RunEntry {
  readonly address: string;
  readonly at: At;
  readonly scope: string;
  /** The ID of the project or group; absent for the instance, and in older runs. */
  readonly scope_id?: number;
  readonly kind: string;
  readonly key: string;
  readonly id: number | null;
  readonly action: Action;
  readonly status: Status;
  readonly error: string | null;
  /** The managed fields before the change; null if it did not exist. */
  readonly before: Values | null;
  /** The fields after the change; null if it was removed. */
  readonly after: Values | null;
  /**
   * Of a cached object, the values before of what the instance, or another user, changed along, declared or not: for a
   * rollback they are a conflict.
   */
  readonly along?: Values | null;
  /** The values of these that were answered: for a minute, a read may still show those of before. */
  readonly along_after?: Values | null;
  /** It was sent again after a lost answer, so that the instance may still make it once more. */
  readonly open?: true;
  /** The fields that are sent; null for a removal, and absent in older runs. */
  readonly sent?: Values | null;
  /** Names of the secrets that were sent, or changed along: their previous values are unknown. */
  readonly secrets: readonly string[];
  /** Names of the fields that were secret because of what they refer to; absent in older runs. */
  readonly hidden?: readonly string[];
  /** When this was written; absent in older runs. */
  readonly time?: string;
  /** Of a cached object, the date of the copy that `after` is from, or `before` as long as there is none. */
  readonly version?: string | undefined;
  /** Of a cached object, when it was created: that of another instance at the same address has another time. */
  readonly made?: string | undefined;
}

/** What a run is that undoes another, before the ID of that one. */
export const rollbackOf = "rollback of ";

/** A recorded run of apply or rollback. */
export interface Run {
  readonly run: string;
  readonly instance: string;
  /** `apply`, or `rollback of <run>`. */
  readonly what: string;
  /** The only kind that a rollback restores; undefined is all. */
  readonly only?: string | undefined;
  readonly started: string;
  readonly ended: string | null;
  /** Everything that was planned was made, or was so already. */
  readonly complete: boolean;
  readonly entries: readonly RunEntry[];
  /** Numbers of the lines that are not what a run writes. */
  readonly damaged: readonly number[];
}

/** A run in progress: each change is recorded on disk before and after it is sent. */
export interface OpenRun {
  readonly id: string;
  /** Appends lines, and waits until they are on disk. */
  note(...lines: readonly object[]): Promise<void>;
  /** Writes the pre-image as a state file. */
  keep(preimage: string): Promise<void>;
  close(complete: boolean): Promise<void>;
}

export interface Beginning {
  /** `apply`, or `rollback of <run>`. */
  readonly what: string;
  /** The only kind that a rollback restores. */
  readonly only?: string | undefined;
  /** A file for a copy of the journal, which must not exist. */
  readonly record?: string | undefined;
}

/**
 * Starts a run; if it cannot be recorded, nothing may be sent. Only one at a time per instance and machine:
 * of this process the next one waits, that of another is refused (exit 6).
 */
export async function beginRun(context: Context, { what, only, record }: Beginning): Promise<OpenRun> {
  const { files } = context;
  const instance = context.config.baseUrl?.value ?? "";
  const folder = context.stateFolder("runs");
  await unwritable(folder, () => files.makeFolder(folder, { mode: 0o700 }));
  const lock = lockOf(context);
  const ended = await inTurn(lock);
  // After Ctrl-C none begins that was waiting.
  const hold = () => context.uninterrupted(() => holdLock(context, lock));
  const release = await unwritable(folder, hold).catch((error: unknown) => {
    ended();
    throw error;
  });
  if (release === undefined) {
    ended();
    throw inProgress(context);
  }
  const open: FileWriter[] = [];
  const close = async () => {
    try {
      for (const file of open) await file.close();
    } finally {
      await release();
      ended();
    }
  };
  try {
    const id = await unwritable(folder, () => newRun(context, folder));
    const own = join(folder, id);
    open.push(await files.createPrivate(join(own, "journal.ndjson")));
    if (record !== undefined) open.push(await createRecord(context, record));
    const log = new RunLog(open);
    const note = (...lines: readonly object[]) => log.note(lines);
    await note({ run: id, instance, what, only, started: context.now().toISOString() });
    return {
      id,
      note,
      keep: async (preimage) => {
        await files.write(join(own, "preimage.yaml"), preimage, { mode: 0o600 });
        await note({ preimage });
      },
      close: async (complete) => {
        try {
          await note({ ended: context.now().toISOString(), complete });
        } finally {
          await close();
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Acts while no run of this process is in progress on the instance. */
export function betweenRuns<T>(context: Context, act: () => Promise<T>): Promise<T> {
  return context.config.baseUrl === undefined ? act() : oneByOne(lockOf(context), act);
}

/** Waits for the other runs of this process, as `each` has for many projects; what it returns ends this one's turn. */
function inTurn(lock: string): Promise<() => void> {
  return new Promise((begin) => void oneByOne(lock, () => new Promise<void>(begin)));
}

/** The runs on an instance, one at a time, hold this lock. */
function lockOf(context: Context): string {
  const { host } = new URL(context.config.baseUrl?.value ?? "");
  return join(context.stateFolder("runs"), `${host.replace(/[^\w.-]/g, "_")}.lock`);
}

/** Throws (exit 6) while a run on the instance is in progress: what is recorded of it is not all. */
export async function refuseInProgress(context: Context): Promise<void> {
  const isKnown = context.config.baseUrl !== undefined;
  if (isKnown && (await isHeld(context, lockOf(context)))) throw inProgress(context);
}

function inProgress(context: Context): Failure {
  return new Failure("conflict", `another forgectl is changing ${context.config.baseUrl?.value} from this machine`, {
    code: "locked",
    reason: heldBy(lockOf(context)),
    hint: "wait for it to end, then try again",
    retryable: true,
  });
}

async function unwritable<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new UsageError(`the run cannot be recorded in ${folder}`, {
      code: "unwritable_state",
      reason: error.details.reason ?? error.message,
      hint: "make that folder writable, or name another with FORGECTL_STATE_DIR",
      nothing: "sent",
    });
  }
}

/** What dates a copy of a cached object. */
export function datesOf({ cached }: Kind, copy: Values | null | undefined): Pick<RunEntry, "version" | "made"> {
  const dates = { version: copy?.[cached?.version ?? ""], made: copy?.[cached?.made ?? ""] };
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => typeof date === "string"));
}

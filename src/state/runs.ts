import { join } from "node:path";
import { Failure, FileError, UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { holdLock } from "../config/lock.ts";
import type { Context } from "../context.ts";
import type { Action, At, Values } from "./kind.ts";

/** The outcome of a change. */
export type Status =
  | "done"
  /** The instance stored another value than the one sent. */
  | "altered"
  /** The instance reported success, but the change was not made. */
  | "not_taken"
  | "failed"
  /** The object had changed since the plan. */
  | "stale"
  | "unknown"
  | "skipped"
  | "not_tried";

/**
 * One change of a run, for a rollback. Secret fields are left out, and addresses with credentials.
 */
export interface RunEntry {
  readonly address: string;
  readonly at: At;
  readonly scope: string;
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
  /** Names of the secrets that were sent: their previous values are unknown. */
  readonly secrets: readonly string[];
  /** Names of the fields that were secret because of what they refer to; absent in older runs. */
  readonly hidden?: readonly string[];
}

/** A recorded run of apply or rollback. */
export interface Run {
  readonly run: string;
  readonly instance: string;
  /** `apply`, or `rollback of <run>`. */
  readonly what: string;
  readonly started: string;
  readonly ended: string | null;
  readonly entries: readonly RunEntry[];
}

/** A run in progress: each change is recorded on disk before and after it is sent. */
export interface OpenRun {
  readonly id: string;
  note(line: object): Promise<void>;
  /** Writes the pre-image as a state file. */
  keep(preimage: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a run; if it cannot be recorded, nothing may be sent. Only one at a time per instance and machine (exit 6).
 */
export async function beginRun(context: Context, what: string): Promise<OpenRun> {
  const { files } = context;
  const instance = context.config.baseUrl?.value ?? "";
  const folder = join(context.stateFolder, "runs");
  await unwritable(folder, () => files.makeFolder(folder, { mode: 0o700 }));
  const lock = join(folder, `${new URL(instance).host.replace(/[^\w.-]/g, "_")}.lock`);
  const release = await unwritable(folder, () => holdLock(context, lock));
  if (release === undefined) {
    throw new Failure("conflict", `another forgectl is changing ${instance} from this machine`, {
      code: "locked",
      hint: "wait for it to end, then try again",
      retryable: true,
    });
  }
  try {
    const id = runId(context.now());
    const own = join(folder, id);
    await unwritable(own, () => files.makeFolder(own, { mode: 0o700 }));
    const journal = await files.createPrivate(join(own, "journal.ndjson"));
    const note = async (line: object) => {
      await journal.write([new TextEncoder().encode(`${JSON.stringify(line)}\n`)]);
      await journal.sync();
    };
    await note({ run: id, instance, what, started: context.now().toISOString() });
    return {
      id,
      note,
      keep: (preimage) => files.write(join(own, "preimage.yaml"), preimage, { mode: 0o600 }),
      close: async () => {
        await note({ ended: context.now().toISOString() });
        await journal.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** `20261121T164502Z-7f3a`: its start time in seconds, and four random digits. */
function runId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  return `${stamp}-${crypto.randomUUID().slice(0, 4)}`;
}

async function unwritable<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new UsageError(`the run cannot be recorded in ${folder}`, {
      code: "unwritable_state",
      reason: error.details.reason ?? error.message,
      hint: "make that folder writable, or name another with FORGECTL_STATE_DIR; nothing was sent",
    });
  }
}

/** The runs of this machine, the newest first. */
export async function listRuns(context: Context): Promise<Run[]> {
  const folder = join(context.stateFolder, "runs");
  if ((await context.files.facts(folder))?.kind !== "folder") return [];
  const names = (await context.files.list(folder)).filter((name) => /^\d{8}T\d{6}Z-\w{4}$/.test(name));
  const runs = await Promise.all(names.map((name) => readRun(context, name)));
  // IDs of the same second are not ordered.
  return runs.filter((run) => run !== undefined).sort((a, b) => (a.started < b.started ? 1 : -1));
}

/** Reads a run. Changes that a killed run started without an end are `unknown`. */
export async function readRun(context: Context, id: string): Promise<Run | undefined> {
  const path = join(context.stateFolder, "runs", id, "journal.ndjson");
  if (!/^[\w-]+$/.test(id) || (await context.files.facts(path)) === undefined) return undefined;
  const lines = new TextDecoder()
    .decode(await context.files.read(path))
    .split("\n")
    .map(parse);
  const head = lines[0];
  if (typeof head?.run !== "string") return undefined;
  const entries: RunEntry[] = [];
  let ended: string | null = null;
  for (const line of lines.slice(1)) {
    if (typeof line?.ended === "string") ended = line.ended;
    if (isObject(line?.begin)) entries.push(line.begin as unknown as RunEntry);
    if (isObject(line?.end)) {
      // Settings may have two entries: those that can lock users out come last.
      const { address } = line.end;
      entries[entries.findLastIndex((each) => each.address === address)] = line.end as unknown as RunEntry;
    }
  }
  const { run, instance, what, started } = head as unknown as Run;
  return { run, instance, what, started, ended, entries };
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

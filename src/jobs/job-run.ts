import { join } from "node:path";
import { dayMs } from "../base/duration.ts";
import { FileError, reasonIn, UsageError } from "../base/errors.ts";
import { readObject } from "../base/read-value.ts";
import { commandLine } from "../base/shell-words.ts";
import { holdLock } from "../config/lock.ts";
import { readOwnText } from "../config/own-file.ts";
import type { Context } from "../context.ts";
import { type Journal, type JournalHead, openJournal } from "./journal.ts";
import { isRunId, newRun, runsIn, secondOf } from "./run-id.ts";

/** The recorded run of a job whose user named no journal: what was asked for, and the journal beside it. */
export interface JobRun {
  readonly id: string;
  readonly journal: string;
  /** Removes it: once all is done, nothing is left to resume. */
  remove(): Promise<void>;
}

/** How long an unfinished run can be resumed. */
const keptDays = 30;

/**
 * Records what a job was asked to do, so that `--resume` can complete it without the words or the file. Undefined, with
 * a warning, if the state folder cannot be written: the job goes ahead without a record.
 */
export async function beginJobRun(context: Context, asked: object): Promise<JobRun | undefined> {
  const folder = folderOf(context);
  try {
    await context.files.makeFolder(folder, { mode: 0o700 });
    await removeOld(context, folder);
    const text = JSON.stringify(asked);
    await warnOfCutOff(context, folder, text);
    const run = jobRun(context, await newRun(context, folder));
    await context.files.create(askedIn(context, run.id), text, { mode: 0o600 });
    return run;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    context.warn(`the run is not recorded, so it cannot be resumed: ${folder}: ${reasonIn(error)}`);
    return undefined;
  }
}

/**
 * A run of this machine, and what it was asked to do. A UsageError if there is none of that name, or its record is
 * damaged.
 */
export async function resumeJobRun<T extends object>(
  context: Context,
  id: string,
  isWhole: (asked: Record<string, unknown>) => boolean,
): Promise<{ run: JobRun; asked: T }> {
  const path = askedIn(context, id);
  if (!isRunId(id)) throw notResumed(id, "that is not the name of a run, such as 20261121T164502Z-7f3a");
  const isThere = (await runsIn(context.files, folderOf(context))).includes(id);
  const text = isThere ? await readOwnText(context.files, path, "the record of a run") : undefined;
  if (text === undefined) throw absent(context, id);
  const asked = readObject(text);
  if (asked !== undefined && isWhole(asked)) return { run: jobRun(context, id), asked: asked as T };
  throw notResumed(id, `${path} is damaged`);
}

/**
 * The journal of a run. A UsageError if another process has completed the run since its record was read, while a
 * question was open: its journal went with it, and a new one would have all of it done again.
 */
export async function openRunJournal(context: Context, run: JobRun, head: JournalHead): Promise<Journal> {
  const journal = await openJournal(context, run.journal, head);
  if ((await context.files.facts(askedIn(context, run.id))) !== undefined) return journal;
  await journal.close();
  if (!context.config.dryRun) await run.remove();
  throw absent(context, run.id);
}

function absent(context: Context, id: string): UsageError {
  return notResumed(
    id,
    `${folderOf(context)} has no such run of this user: all of it was done, or it is over 30 days old`,
  );
}

function notResumed(id: string, reason: string): UsageError {
  return new UsageError(`run ${id} cannot be resumed`, {
    code: "unknown_run",
    reason,
    hint: "see what it has done before you run its command again",
  });
}

function askedIn(context: Context, id: string): string {
  return join(folderOf(context), id, "asked.json");
}

function folderOf(context: Context): string {
  return context.stateFolder("jobs");
}

function jobRun(context: Context, id: string): JobRun {
  const own = join(folderOf(context), id);
  const remove = async () => {
    // First what makes it a run: where there is no journal, there must be no run.
    await context.files.remove(askedIn(context, id)).catch(unlessMissing);
    await context.files.removeFolder(own);
  };
  return { id, journal: join(own, "journal.ndjson"), remove };
}

/**
 * Warns, once, of a run of the same that was killed: what it made would be made again. It could not say how to complete
 * it, and its journal is still locked.
 */
async function warnOfCutOff(context: Context, folder: string, asked: string): Promise<void> {
  const { files } = context;
  for (const id of await runsIn(files, folder)) {
    const lock = `${jobRun(context, id).journal}.lock`;
    if ((await files.facts(lock)) === undefined) continue;
    const text = await readOwnText(files, join(folder, id, "asked.json"), "the record of a run").catch(() => undefined);
    if (text !== asked) continue;
    const { job } = readObject(asked) ?? {};
    const release = await holdLock(context, lock);
    await release?.();
    const how = release === undefined ? "still runs" : "was cut off";
    const line = commandLine(["forgectl", String(job), "--resume", id]);
    context.warn(`a run of the same ${how}, and this one starts over; to complete that one: ${line}`);
  }
}

/** Not the record of a job that still runs: the clock may be ahead, or may have been behind when it began. */
async function removeOld(context: Context, folder: string): Promise<void> {
  const { files, now } = context;
  const oldest = secondOf(new Date(now().getTime() - keptDays * dayMs));
  for (const name of await runsIn(files, folder)) {
    if (name >= oldest) continue;
    const release = await holdLock(context, `${jobRun(context, name).journal}.lock`);
    if (release !== undefined) await jobRun(context, name).remove();
  }
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof FileError && error.code === "ENOENT")) throw error;
}

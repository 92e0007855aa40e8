import { boolean, string } from "../../api/field.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { someOf } from "../../base/wording.ts";
import { requireBaseUrl } from "../../config/resolve.ts";
import type { Context } from "../../context.ts";
import { type Command, command } from "../../declare/command.ts";
import { planRollback } from "../../state/rollback/rollback.ts";
import { sinceLastWrite } from "../../state/rollback/since-run.ts";
import { mayHaveChanged } from "../../state/rollback/undo-check.ts";
import { readRecord } from "../../state/runs/record.ts";
import { refuseRecord } from "../../state/runs/record-file.ts";
import { listRuns } from "../../state/runs/recorded-runs.ts";
import { type Run, type RunEntry, refuseInProgress, rollbackOf } from "../../state/runs/runs.ts";
import type { View } from "../../terminal/view.ts";
import { AppliedChange, appliedColumns, applyView } from "./apply-view.ts";
import { recordFlag } from "./flags.ts";
import { settingsWaitFlags, settingsWaitSeconds } from "./settings-wait.ts";
import type { StateCommand } from "./verbs.ts";

/** `rollback [<run>]`: restores the state before a run. */
export function rollbackCommand({ group, kind, ...explained }: StateCommand): Command {
  const newest = kind === undefined ? "of this instance" : `that changed ${kind.name}`;
  const what = kind === undefined ? "changed settings" : "the settings";
  const placeholder = kind === undefined ? "run" : "pre-image";
  return command({
    name: "rollback",
    verb: "rollback",
    changes: () => true,
    // What the run created is removed.
    deletes: kind === undefined ? () => true : undefined,
    summary: "Undo the changes of an apply run",
    args: {
      run: string(`Run to undo, or its record; default the newest apply ${newest} that is not undone`, { placeholder }),
    },
    params: {
      ...(kind === undefined && recordFlag),
      overwrite: boolean("Also restore objects that were changed since the run"),
      ...settingsWaitFlags(what),
    },
    returns: AppliedChange,
    prints: "rows",
    ...explained,
    async run(context, input: unknown) {
      const { run, overwrite = false, record, ...waiting } = input as RollbackInput;
      const waitSeconds = settingsWaitSeconds(waiting);
      if (record !== undefined) await refuseRecord(context, record);
      return rollBack(context, run, { overwrite, path: [group, "rollback"], only: kind?.name, waitSeconds, record });
    },
  });
}

interface RollbackInput {
  run?: string;
  overwrite?: boolean;
  record?: string;
  wait?: boolean;
  wait_timeout?: number;
}

interface Back {
  readonly overwrite: boolean;
  /** The command that was typed. */
  readonly path: readonly string[];
  /** Only changes of this kind; undefined is all. */
  readonly only: string | undefined;
  readonly waitSeconds: number | undefined;
  /** A file for a record of the rollback. */
  readonly record: string | undefined;
}

const ofAnother =
  "what was changed after this run on another machine may not be seen yet, as settings are cached for a minute, and is " +
  "overwritten then";

const unseen = (fields: string) =>
  `whether another user has changed ${fields} since is not known: a variable or a file gave it, which no record has`;

const namesEarlier = "nothing of it is left to undo; an earlier run is undone by its name: forgectl state history";

/** Rolls back a run by its ID or its record, or the instance's newest apply that is not undone. */
async function rollBack(context: Context, id: string | undefined, back: Back): Promise<View> {
  const { overwrite, path, only, waitSeconds, record } = back;
  requireBaseUrl(context.config);
  const { runs, found } = await runToUndo(context, id, only);
  if (found === undefined) return { rows: [], columns: appliedColumns, finishes: true, until: nothingLeft(context) };
  if (id === undefined) context.notice(`rolls back run ${found.run}`);
  const isForeign = !runs.some(({ run }) => run === found.run);
  if (isForeign && sinceLastWrite(found, context.now()).mayHideLater) context.warn(ofAnother);
  const run = only === undefined ? found : { ...found, entries: found.entries.filter(({ kind }) => kind === only) };
  const words = [...path, id ?? run.run, ...(overwrite ? ["--overwrite"] : [])];
  const planned = await planRollback(context, run, { overwrite, earlier: rollbacksOf(run, runs), isForeign });
  const { plan, withoutSecrets, unset, unshown, uncompared, unreadable } = planned;
  if (id === undefined && plan.changes.length === 0 && unreadable.length === 0) context.notice(namesEarlier);
  const without = [...withoutSecrets, ...unset].map(
    ([what, addresses]) => `${addresses.join(", ")}: restored without ${what}`,
  );
  const lost = without.length === 0 ? undefined : without.join("; ");
  for (const [what, addresses] of unshown) context.warn(`${addresses.join(", ")}: not restored: ${what}`);
  for (const [fields, addresses] of uncompared) context.warn(`${someOf(addresses)}: ${unseen(fields)}`);
  return applyView(context, plan, {
    what: `${rollbackOf}${run.run}`,
    only,
    record,
    again: [...words, "--yes"],
    maxDelete: "all",
    allowLockout: true,
    waitSeconds,
    unread: unreadable.map(({ address, action, reason }) => ({ address, action, status: "unreadable", error: reason })),
    lost,
  });
}

/** The run, and all runs of this machine. */
async function runToUndo(context: Context, id: string | undefined, only: string | undefined) {
  const find = async () => {
    const runs = await listRuns(context);
    return { runs, found: id === undefined ? newestToUndo(context, runs, only) : await namedRun(context, runs, id) };
  };
  const seen = await find();
  if (seen.found?.ended !== null) return seen;
  // It was killed, or is in progress, or has ended since.
  await refuseInProgress(context);
  return find();
}

function nothingLeft(context: Context): (printed: Promise<void>) => Promise<void> {
  return async (printed) => {
    await printed;
    context.notice("nothing to roll back: this machine has no run on this instance that is not undone");
  };
}

async function namedRun(context: Context, runs: readonly Run[], id: string): Promise<Run> {
  const found = runs.find(({ run }) => run === id);
  if (found !== undefined) return found;
  if ((await context.files.facts(id)) !== undefined) {
    const recorded = await readRecord(context, id);
    if (recorded !== undefined) return recorded;
    throw new UsageError(`${id} is not the record of a run`, { hint: "forgectl state history" });
  }
  throw new Failure("notFound", `run ${id} does not exist on this machine, and there is no file of that name`, {
    hint: "forgectl state history",
  });
}

/** The newest apply that changed something and is not undone to its end; a rollback is undone only by its name. */
function newestToUndo(context: Context, runs: readonly Run[], only: string | undefined): Run | undefined {
  const here = runs.filter(({ instance }) => instance === context.config.baseUrl?.value);
  const isOwn = ({ kind }: RunEntry) => only === undefined || kind === only;
  const newest = here.find(
    (run) =>
      !run.what.startsWith(rollbackOf) &&
      (run.damaged.length > 0 || run.entries.some((entry) => isOwn(entry) && mayHaveChanged(entry))) &&
      !isUndone(run, here, only),
  );
  if (newest !== undefined && Date.parse(newest.started) - context.now().getTime() > minuteMs) {
    throw new UsageError(`which run is the newest is not known: ${newest.run} is of a time to come`, {
      reason: "the clock was ahead then, or is behind now",
      hint: "name the run to undo: forgectl state history",
    });
  }
  return newest;
}

const minuteMs = 60_000;

function rollbacksOf({ run }: Run, runs: readonly Run[]): Run[] {
  return runs.filter(({ what }) => what === `${rollbackOf}${run}`);
}

/** Whether a rollback of the run is complete, and was not undone itself. */
function isUndone(run: Run, runs: readonly Run[], only: string | undefined): boolean {
  return rollbacksOf(run, runs).some(
    (each) => each.complete && (each.only === undefined || each.only === only) && !isUndone(each, runs, only),
  );
}

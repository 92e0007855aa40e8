import { boolean, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/line.ts";
import type { Context } from "../../context.ts";
import { type Command, command } from "../../declare/command.ts";
import { planRollback, type Rollback } from "../../state/rollback.ts";
import { listRuns, type Run, readRun } from "../../state/runs.ts";
import type { View } from "../../terminal/view.ts";
import { waitFor } from "../../verbs/poll.ts";
import { AppliedChange, applyView } from "./apply-view.ts";
import { cacheSeconds, inForceFlags, secondsInForce } from "./in-force.ts";
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
    summary: "Undo the changes of an apply run",
    args: { run: string(`Run to undo; default the newest ${newest}`, { placeholder }) },
    params: { overwrite: boolean("Also restore objects that were changed since the run"), ...inForceFlags(what) },
    returns: AppliedChange,
    ...explained,
    run(context, { run, overwrite = false, ...waiting }) {
      const waitSeconds = secondsInForce(waiting);
      return rollBack(context, run, { overwrite, path: [group, "rollback"], only: kind?.name, waitSeconds });
    },
  });
}

interface Back {
  readonly overwrite: boolean;
  /** The command that was typed. */
  readonly path: readonly string[];
  /** Only changes of this kind; undefined is all. */
  readonly only: string | undefined;
  readonly waitSeconds: number | undefined;
}

/** Rolls back a run by its ID, or the instance's newest run with changes. */
async function rollBack(context: Context, id: string | undefined, back: Back): Promise<View> {
  const { overwrite, path, only, waitSeconds } = back;
  const found = await findRun(context, id, only);
  const again = [...path, found.run, ...(overwrite ? ["--overwrite"] : [])];
  const { plan, withoutSecrets, recreated } = await planOnceSeen(context, found, { ...back, again });
  const lost =
    withoutSecrets.length === 0
      ? undefined
      : `${withoutSecrets.join(", ")}: restored without the secrets; set them again`;
  for (const [reason, addresses] of recreated) context.warn(`${addresses.join(", ")}: ${reason}`);
  return applyView(context, plan, {
    what: `rollback of ${found.run}`,
    again: [...again, "--yes"],
    maxDelete: "all",
    allowLockout: true,
    waitSeconds,
    lost,
  });
}

/**
 * The plan of a rollback. Right after a run, an instance may still return cached settings from before the run, so that
 * there would seem to be nothing to do. With `--wait` this waits until the cache has expired; otherwise it is refused.
 */
async function planOnceSeen(
  context: Context,
  run: Run,
  { overwrite, waitSeconds, again }: Back & { again: readonly string[] },
): Promise<Rollback> {
  const expires = Date.parse(run.ended ?? run.started) + cacheSeconds * 1000;
  const isSeen = ({ unseen }: Rollback) => !unseen || context.now().getTime() >= expires;
  const first = await planRollback(context, run, overwrite);
  if (isSeen(first)) return first;
  const wait = commandLine([...again, "--wait"]);
  if (waitSeconds === undefined) {
    throw new Failure("notReady", `the instance shows the settings as they were before run ${run.run}`, {
      reason: "it caches settings, or they were restored since; nothing was sent",
      hint: `forgectl ${wait}`,
      retryable: true,
    });
  }
  return waitFor(context, {
    label: `waiting for settings of run ${run.run} to be in force`,
    limitSeconds: waitSeconds,
    resume: wait,
    check: async () => {
      const plan = await planRollback(context, run, overwrite);
      return isSeen(plan) ? { done: plan } : undefined;
    },
  });
}

async function findRun(context: Context, id: string | undefined, only: string | undefined): Promise<Run> {
  const chosen = (run: Run): Run =>
    only === undefined ? run : { ...run, entries: run.entries.filter(({ kind }) => kind === only) };
  if (id !== undefined) {
    const found = await readRun(context, id);
    if (found !== undefined) return chosen(found);
    throw new Failure("notFound", `run ${id} does not exist on this machine`, { hint: "forgectl state history" });
  }
  const runs = (await listRuns(context)).map(chosen);
  const newest = runs.find(({ instance, entries }) => instance === context.config.baseUrl?.value && entries.length > 0);
  if (newest !== undefined) return newest;
  throw new Failure("notFound", "this machine has no recorded run for this instance", {
    reason: `looked in ${context.stateFolder}`,
  });
}

import { boolean, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Command, command } from "../../declare/command.ts";
import { planRollback } from "../../state/rollback.ts";
import { listRuns, type Run, readRun } from "../../state/runs.ts";
import type { View } from "../../terminal/view.ts";
import { AppliedChange, applyView } from "./apply-view.ts";
import type { FrontEnd } from "./front.ts";

/** `rollback [<run>]`: back to what a run found. */
export function rollbackCommand({ group, kind, ...explained }: FrontEnd): Command {
  const newest = kind === undefined ? "of this instance" : `that changed ${kind.name}`;
  const placeholder = kind === undefined ? "run" : "pre-image";
  return command({
    name: "rollback",
    verb: "rollback",
    summary: "Undo the changes of an apply run",
    args: { run: string(`Run to undo; default the newest ${newest}`, { placeholder }) },
    params: { overwrite: boolean("Also restore objects that were changed since the run") },
    returns: AppliedChange,
    ...explained,
    run: (context, { run, overwrite = false }) =>
      rollBack(context, run, { overwrite, path: [group, "rollback"], only: kind?.name }),
  });
}

interface Back {
  readonly overwrite: boolean;
  /** The command that was typed. */
  readonly path: readonly string[];
  /** Only changes of this kind; undefined is all. */
  readonly only: string | undefined;
}

/** Goes back from a run by its ID, or from the newest of the instance that has something to go back from. */
async function rollBack(context: Context, id: string | undefined, { overwrite, path, only }: Back): Promise<View> {
  const found = await findRun(context, id, only);
  const { plan, withoutSecrets } = await planRollback(context, found, overwrite);
  const lost =
    withoutSecrets.length === 0 ? undefined : `${withoutSecrets.join(", ")}: back without the secrets; set them again`;
  return applyView(context, plan, {
    what: `rollback of ${found.run}`,
    again: [...path, found.run, ...(overwrite ? ["--overwrite"] : []), "--yes"],
    maxDelete: "all",
    allowLockout: true,
    waitSeconds: undefined,
    lost,
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

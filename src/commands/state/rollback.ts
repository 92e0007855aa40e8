import { boolean, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { planRollback } from "../../state/rollback.ts";
import { listRuns, type Run, readRun } from "../../state/runs.ts";
import type { View } from "../../terminal/view.ts";
import { AppliedChange, applyView } from "./apply-view.ts";

const run = string("Run to go back from; the newest of this instance unless given", { placeholder: "run" });

export const rollback = command({
  name: "rollback",
  summary: "Bring back what a run of apply changed",
  details:
    "Plans back to what the run found, asks, and applies it like any other plan: a run of its own. What the run created " +
    "is removed, what it removed comes back without its secrets. What has been changed since is refused (exit 6).",
  args: { run },
  params: { overwrite: boolean("Bring back also what is no longer as the run left it") },
  returns: AppliedChange,
  examples: [{ line: "state rollback --yes" }, { line: "state rollback 20261121T164502Z-7f3a --dry-run" }],
  related: ["state history", "state show", "state apply"],
  run: (context, { run: id, overwrite = false }) => rollBack(context, id, { overwrite, path: ["state", "rollback"] }),
});

interface Back {
  readonly overwrite: boolean;
  /** The command that was typed. */
  readonly path: readonly string[];
  /** Only changes of this kind; undefined is all. */
  readonly only?: string;
}

/** Goes back from a run by its ID, or from the newest of the instance that has something to go back from. */
export async function rollBack(
  context: Context,
  id: string | undefined,
  { overwrite, path, only }: Back,
): Promise<View> {
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
  throw new Failure("notFound", "no run of this instance is kept on this machine", {
    reason: `looked in ${context.stateFolder}`,
  });
}

import { setTimeout } from "node:timers/promises";
import { applyPlan, type Outcome } from "../../src/state/apply/apply.ts";
import { dumpState } from "../../src/state/export/dump.ts";
import { type Exported, exportScopes } from "../../src/state/export/export.ts";
import { declare } from "../../src/state/files/declaration.ts";
import { Findings } from "../../src/state/finding.ts";
import type { Scope } from "../../src/state/kind.ts";
import { isWrite, makePlan, type Plan } from "../../src/state/plan/plan.ts";
import { planRollback } from "../../src/state/rollback/rollback.ts";
import { listRuns } from "../../src/state/runs/recorded-runs.ts";
import { beginRun } from "../../src/state/runs/runs.ts";
import { parseTree } from "../../src/state/yaml/parse.ts";
import { contextFor } from "./context.ts";

/** The state engine in this process, without the command line: many rounds need no start of the program. */
export function engineFor(url: string, token: string, more: Omit<Parameters<typeof contextFor>[1], "token"> = {}) {
  const context = contextFor(url, { ...more, token });

  const plan = async (text: string, prune = true): Promise<Plan> => {
    const findings = new Findings();
    const files = [{ name: "state.yaml", folder: undefined, tree: await parseTree(text) }];
    const declaration = await declare(files, findings);
    if (findings.errors.length > 0) throw new Error(JSON.stringify(findings.errors));
    return makePlan(context, declaration, {
      prune,
      secrets: "auto",
      only: undefined,
      projects: undefined,
      groups: undefined,
    });
  };

  const carryOut = async ({ changes, readAtMs }: Plan, what = "apply"): Promise<Outcome[]> => {
    if (!changes.some(isWrite)) return [];
    const run = await beginRun(context, { what });
    const outcomes: Outcome[] = [];
    try {
      for await (const outcome of applyPlan(context, changes, run, { readAtMs, waitSeconds: undefined }))
        outcomes.push(outcome);
    } finally {
      await run.close(outcomes.every(({ status }) => status === "done"));
    }
    // The next command of a user starts later than the millisecond of the last entry: what is written in the same one
    // may be newer than its plan.
    await setTimeout(5);
    return outcomes;
  };

  return {
    context,
    plan,
    carryOut,
    apply: async (text: string) => carryOut(await plan(text)),
    async rollback(): Promise<Outcome[]> {
      const [newest] = await listRuns(context);
      if (newest === undefined) return [];
      const { plan: back } = await planRollback(context, newest, { overwrite: false, earlier: [] });
      return carryOut(back, "rollback");
    },
    async exported(scopes: readonly Scope[]): Promise<string> {
      const all: Exported[] = [];
      for await (const each of exportScopes(context, scopes)) all.push(each);
      return dumpState(url, all);
    },
  };
}

/** A change and its outcome in a few words, readable in a failed test. */
export function outcomeText({ change, status, error }: Outcome): string {
  return `${change.scope.name}#${change.kind.name}/${change.key} ${change.action} ${status}${error === null ? "" : `: ${error}`}`;
}

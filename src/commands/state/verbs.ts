import { project as projectField } from "../../api/endpoints/scope.ts";
import { boolean, required, string } from "../../api/field.ts";
import { Failure, missing, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Command, command, type Explained } from "../../declare/command.ts";
import { shardFlag, shardOf } from "../../jobs/shard.ts";
import type { SingleKind } from "../../state/files/declaration.ts";
import type { Kind } from "../../state/kind.ts";
import { makePlan, type PlanOptions } from "../../state/plan/plan.ts";
import { warnOfRefusal } from "../../state/plan/plan-refusal.ts";
import { PlanChange } from "../../state/plan/plan-row-view.ts";
import { refuseRecord } from "../../state/runs/record-file.ts";
import { checkOutputFile } from "../../verbs/output-file.ts";
import { readReports, reportFlag } from "../../verbs/report-flag.ts";
import { AppliedChange, applyView } from "./apply-view.ts";
import {
  applyFlags,
  type Chosen,
  fileFlags,
  filterFlags,
  loadDeclaration,
  planFlags,
  planOptions,
  recordFlag,
} from "./flags.ts";
import { planView } from "./plan-view.ts";
import { again } from "./repeat-line.ts";
import { type PlanReport, planForms, writePlanReports } from "./reports.ts";
import { settingsWaitFlags, settingsWaitSeconds } from "./settings-wait.ts";

// The commands of the state engine, for all kinds or for one. These are verbs: they make commands from data.

/** The group of a command of the state engine, and its kind. */
export interface StateCommand extends Explained {
  /** The group that the command is in. */
  group: string;
  /** The only kind it handles: its file is the section alone, or any state file that has it. All kinds if not given. */
  kind?: Kind;
}

interface Input {
  project?: string | readonly string[];
  file: readonly string[];
  prune?: boolean;
  secrets?: PlanOptions["secrets"];
  only?: readonly string[];
  group?: readonly string[];
  max_delete?: string;
  allow_lockout?: boolean;
}

/** Settings have no lists, and only they have secrets that cannot be read back. */
function flagsOf(kind: Kind) {
  return kind.at === "instance"
    ? { secrets: planFlags.secrets }
    : { project: required(projectField), prune: planFlags.prune };
}

export function singleKindOf(
  kind: Kind | undefined,
  { project }: Pick<Input, "project"> = {},
): { single?: SingleKind } {
  return kind === undefined ? {} : { single: singleOf(kind, project) };
}

function singleOf(kind: Kind, project: Input["project"]): SingleKind {
  return { kind, scope: { at: kind.at, name: String(project ?? "") } };
}

/** The filters; a command for a kind of projects has one project. */
function chosenBy(kind: Kind | undefined, { project, ...input }: Input): Chosen & Omit<Input, "project"> {
  return {
    ...input,
    ...(kind !== undefined && { only: [kind.name] }),
    ...(project !== undefined && { project: [project].flat() }),
  };
}

const exitCode = { exit_code: boolean("Exit 10 if something would change") };
const planned = {
  ...planFlags,
  ...filterFlags,
  save: string("Save the plan to this file, for apply --plan", {
    placeholder: "plan",
    completes: "file",
    writes: "whole",
  }),
  count_extra: boolean("Count extra entries as differences"),
  unmanaged: boolean("Also show settings, and groups and projects below the patterns, that no file names"),
  report: reportFlag(planForms),
  shard: shardFlag,
};

interface PlanInput extends Input {
  save?: string;
  count_extra?: boolean;
  exit_code?: boolean;
  report?: readonly string[];
  shard?: string;
  unmanaged?: boolean;
}

/** `plan -f <file>`: what would change, as a diff. */
export function planCommand({ group: _, kind, ...explained }: StateCommand): Command {
  return command({
    name: "plan",
    verb: "plan",
    summary: "Show what a file would change",
    params: { ...fileFlags, ...(kind === undefined ? planned : flagsOf(kind)), ...exitCode },
    returns: PlanChange,
    prints: "rows",
    markdown: kind === undefined,
    ...explained,
    async run(context, input: unknown) {
      const { save, exit_code = false, count_extra = false, report, shard: part, ...others } = input as PlanInput;
      const { unmanaged: asksUnmanaged = false, ...typed } = others;
      const shard = shardOf(context.env, part);
      if (shard !== undefined && save !== undefined) {
        throw new UsageError("--save cannot be combined with --shard", {
          reason: "the limits on what is removed count over the whole plan, so no part of it can be applied",
        });
      }
      const reports = await readReports(context, report, planForms);
      if (save !== undefined) await checkOutputFile(context, save, "--save");
      const declaration = await loadDeclaration(context, typed.file, singleKindOf(kind, typed));
      const options = { ...planOptions(chosenBy(kind, typed)), shard };
      const plan = await makePlan(context, declaration, options);
      // The limits count over the whole plan.
      if (shard === undefined) warnOfRefusal(context, plan);
      if (save !== undefined)
        await (await import("../../state/plan/plan-file.ts")).savePlan(context, save, plan, options);
      const unmanaged = asksUnmanaged
        ? await (await import("../../state/plan/unmanaged-objects.ts")).findUnmanaged(context, declaration, options)
        : [];
      return planView(context, plan, { unmanaged, exitCode: exit_code, countExtra: count_extra, reports });
    },
  });
}

function applyFlagsOf(kind: Kind | undefined) {
  if (kind === undefined) {
    return {
      file: { ...fileFlags.file, required: false },
      plan: string("Apply this saved plan instead of files", { placeholder: "plan", completes: "file" }),
      ...planFlags,
      ...recordFlag,
      report: reportFlag(planForms),
      ...applyFlags,
      ...filterFlags,
      ...settingsWaitFlags("changed settings"),
    };
  }
  return {
    ...fileFlags,
    ...flagsOf(kind),
    ...(kind.at === "instance" ? { allow_lockout: applyFlags.allow_lockout, ...settingsWaitFlags() } : applyFlags),
  };
}

/** What a file does not have goes with --prune; a link whose level changes is replaced. Settings stay. */
function deletionsOf(kind: Kind | undefined): Command["deletes"] {
  if (kind === undefined) return () => true;
  return kind.at === "instance" ? undefined : ({ prune }) => prune === true;
}

interface ApplyInput extends Omit<Input, "file"> {
  file?: readonly string[];
  plan?: string;
  record?: string;
  report?: readonly string[];
  wait?: boolean;
  wait_timeout?: number;
}

/** `apply -f <file>`: plans, asks, writes the differences, and checks again. */
export function applyCommand({ group, kind, ...explained }: StateCommand): Command {
  return command({
    name: "apply",
    verb: "apply",
    changes: () => true,
    deletes: deletionsOf(kind),
    ...(kind !== undefined && {
      idInFiles: async (context: Context, input: unknown) => {
        const { file = [], project } = input as ApplyInput;
        return (await import("./id-in-files.ts")).idInFiles(context, file, singleOf(kind, project));
      },
    }),
    summary: "Apply a file",
    params: applyFlagsOf(kind),
    returns: AppliedChange,
    prints: "rows",
    ...explained,
    async run(context, input: unknown) {
      const { plan: saved, record, report, wait, wait_timeout, ...typed } = input as ApplyInput;
      const { file, max_delete: maxDelete, allow_lockout: allowLockout = false } = typed;
      if (record !== undefined) await refuseRecord(context, record);
      const how = {
        maxDelete,
        allowLockout,
        record,
        reports: await readReports(context, report, planForms),
        what: kind === undefined ? "apply" : `${group} apply`,
        waitSeconds: settingsWaitSeconds({ wait, wait_timeout }),
      };
      if (saved !== undefined) {
        const folder = folderOf(typed);
        const { reviewedPlan } = await import("../../state/plan/reviewed-plan.ts");
        const { plan, already } = await reviewedPlan(context, saved, folder).catch(async (error: unknown) => {
          await reportStale(context, saved, how.reports, error);
          throw error;
        });
        const words = [group, "apply", "--plan", saved, ...(folder === undefined ? [] : ["-f", folder]), "--yes"];
        return applyView(context, plan, { ...how, already, again: words });
      }
      if (file === undefined) throw missing("-f, --file <file|folder|-> or --plan <plan>");
      const declaration = await loadDeclaration(context, file, singleKindOf(kind, typed));
      const { only, ...chosen } = chosenBy(kind, { ...typed, file });
      const plan = await makePlan(context, declaration, planOptions({ ...chosen, only }));
      const words = again([group, "apply"], { ...chosen, ...(kind === undefined && { only }) });
      return applyView(context, plan, { ...how, again: words });
    },
  });
}

/** Nothing of a stale plan was made. */
async function reportStale(context: Context, path: string, reports: readonly PlanReport[], error: unknown) {
  if (reports.length === 0 || !(error instanceof Failure) || error.exit !== "conflict") return;
  const { readSavedRows } = await import("../../state/plan/plan-file.ts");
  const planned = await readSavedRows(context, path);
  const open = planned.filter(({ action }) => action !== "extra").map((row) => ({ row, error: error.message }));
  await writePlanReports(context, reports, { planned, open });
}

/** A saved plan determines all changes; `-f` only says where the files are that it names. */
function folderOf({ file, only, project, group, prune, secrets = "auto" }: ApplyInput): string | undefined {
  const flags = [
    only && "--only",
    project && "-p",
    group && "-g",
    prune && "--prune",
    secrets !== "auto" && "--secrets",
  ];
  const given = flags.filter((flag) => typeof flag === "string");
  if (given.length > 0) {
    throw new UsageError(`--plan determines all changes: ${given.join(", ")} cannot be combined with it`);
  }
  const [folder, another] = file ?? [];
  if (another === undefined && folder !== "-") return folder;
  throw new UsageError("--plan takes one -f: the folder of the files that the plan names");
}

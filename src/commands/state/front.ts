import { project as projectField } from "../../api/endpoints/scope.ts";
import { boolean, integer, required } from "../../api/field.ts";
import { type Command, command, type Explained } from "../../declare/command.ts";
import type { Kind, Scope } from "../../state/kind.ts";
import { makePlan, type PlanOptions } from "../../state/plan.ts";
import { PlanChange } from "../../state/show.ts";
import { again } from "./again.ts";
import { AppliedChange, applyView } from "./apply-view.ts";
import { applyFlags, fileFlags, loadDeclaration, planFlags } from "./flags.ts";
import { planView } from "./plan-view.ts";

/** A front end of the state engine with one kind: its file is the section alone, or any state file that has it. */
interface FrontEnd extends Explained {
  /** The group that the command stands in. */
  group: string;
  kind: Kind;
}

const exitCode = { exit_code: boolean("Exit 10 where something would change") };

interface Input {
  project?: string;
  file: readonly string[];
  prune?: boolean;
  secrets?: PlanOptions["secrets"];
  max_delete?: string;
  allow_lockout?: boolean;
  exit_code?: boolean;
  wait?: boolean;
  wait_timeout?: number;
}

/** Settings have no lists, and only they have secrets that cannot be read back. */
function flagsOf({ at }: Kind) {
  return at === "instance"
    ? { secrets: planFlags.secrets }
    : { project: required(projectField), prune: planFlags.prune };
}

function scopeOf({ at }: Kind, { project = "" }: Input): Scope {
  return at === "instance" ? { at, name: "" } : { at, name: project };
}

function optionsOf({ kind }: FrontEnd, { project, prune = false, secrets = "auto" }: Input): PlanOptions {
  const projects = project === undefined ? undefined : [project];
  return { prune, secrets, only: [kind.name], projects, groups: undefined };
}

/** `plan -f <file>`: what would change, as a diff. */
export function planCommand({ group, kind, ...explained }: FrontEnd): Command {
  const front = { group, kind, ...explained };
  return command({
    name: "plan",
    verb: "plan",
    summary: "Show what a file would change",
    params: { ...fileFlags, ...flagsOf(kind), ...exitCode },
    returns: PlanChange,
    ...explained,
    async run(context, typed) {
      const input = typed as Input;
      const declaration = await loadDeclaration(context, input.file, { front: { kind, scope: scopeOf(kind, input) } });
      const plan = await makePlan(context, declaration, optionsOf(front, input));
      return planView(context, plan, { exitCode: input.exit_code ?? false, countExtra: false });
    },
  });
}

/** An instance caches its settings for so long (`3-settings-api: Limits`), and a little more. */
const cacheSeconds = 90;

/** `apply -f <file>`: plans, asks, writes what differs, and looks again. */
export function applyCommand({ group, kind, ...explained }: FrontEnd): Command {
  const front = { group, kind, ...explained };
  const waiting = {
    wait: boolean("Wait until the settings are in force: an instance caches them"),
    wait_timeout: integer("Seconds to wait at most", { placeholder: "seconds", min: 1, default: cacheSeconds }),
  };
  return command({
    name: "apply",
    verb: "apply",
    summary: "Make what is in force what a file says",
    params: {
      ...fileFlags,
      ...flagsOf(kind),
      ...(kind.form === "list" || kind.at === "project" ? { max_delete: applyFlags.max_delete } : {}),
      allow_lockout: applyFlags.allow_lockout,
      ...(kind.at === "instance" ? waiting : {}),
    },
    returns: AppliedChange,
    ...explained,
    async run(context, typed) {
      const input = typed as Input;
      const { max_delete: maxDelete, allow_lockout: allowLockout = false, wait = false, wait_timeout } = input;
      const declaration = await loadDeclaration(context, input.file, { front: { kind, scope: scopeOf(kind, input) } });
      const plan = await makePlan(context, declaration, optionsOf(front, input));
      const { project, ...rest } = input;
      return applyView(context, plan, {
        maxDelete,
        allowLockout,
        what: `${group} apply`,
        again: again([group, "apply"], { ...rest, ...(project !== undefined && { project: [project] }) }),
        waitSeconds: wait ? (wait_timeout ?? cacheSeconds) : undefined,
      });
    },
  });
}

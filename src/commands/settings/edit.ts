import { getSettings, updateSettings } from "../../api/endpoints/settings.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { canonical, sameWhole } from "../../state/fields/normal.ts";
import { declare } from "../../state/files/declaration.ts";
import { Findings } from "../../state/finding.ts";
import type { Section, Values } from "../../state/kind.ts";
import { settingField, settingsKind } from "../../state/kinds/settings.ts";
import { makePlan } from "../../state/plan/plan.ts";
import { parseTree } from "../../state/yaml/parse.ts";
import { TreeError } from "../../state/yaml/tree.ts";
import { oneLine } from "../../state/yaml/yaml-comment.ts";
import type { RowsView, View } from "../../terminal/view.ts";
import { editUntilValid, type Problem } from "../../verbs/edit-until-valid.ts";
import { canEdit } from "../../verbs/editor.ts";
import { AppliedChange, applyView } from "../state/apply-view.ts";
import { applyFlags } from "../state/flags.ts";
import { settingsWaitFlags, settingsWaitSeconds } from "../state/settings-wait.ts";
import { presentSettings } from "./present.ts";
import { settingsFile } from "./settings-file.ts";

const fileName = "settings.yaml";

export const editSettings = command({
  name: "edit",
  summary: "Edit the settings in an editor, and apply the changes",
  details:
    "Opens the current settings in $VISUAL, $EDITOR, or vi. Only your changes are applied, after a plan and a question; " +
    "errors reopen the editor, until the same text is saved again. A concurrent change of the same setting is a " +
    "conflict (exit 6), and your text is kept.",
  params: { allow_lockout: applyFlags.allow_lockout, ...settingsWaitFlags() },
  requests: [getSettings, updateSettings],
  returns: AppliedChange,
  prints: "rows",
  examples: [{ line: "settings edit" }],
  related: ["settings set", "settings apply", "settings rollback"],
  async run(context, { allow_lockout: allowLockout = false, ...waiting }): Promise<View> {
    const waitSeconds = settingsWaitSeconds(waiting);
    if (!canEdit(context)) {
      throw new UsageError("settings edit needs a terminal", { hint: "forgectl settings set, or settings apply -f" });
    }
    const { current: before } = await presentSettings(context);
    const initial = await settingsFile(before);
    const was = await valuesIn(initial);
    return editUntilValid(
      context,
      { name: fileName, initial, check: (text) => problemsIn(text, was) },
      async (text, path) =>
        applyEdited(context, await valuesIn(text), { before, was, path, allowLockout, waitSeconds }),
    );
  },
});

interface Editing {
  /** The instance's values when the editor was opened. */
  before: Values;
  /** The values in the unchanged text. */
  was: Values;
  /** The edited text's file, which stays if the change is not made. */
  path: string;
  allowLockout: boolean;
  waitSeconds: number | undefined;
}

async function problemsIn(text: string, was: Values): Promise<Problem[]> {
  const found = new Findings();
  const values = await valuesIn(text, found);
  const wrong = found.errors.map(({ line, path, message }) => ({ line, message: oneLine(`${path} ${message}`) }));
  return [...wrong, ...removedKeys(values, was)];
}

/** The keys of objects that are no longer there: what is not in the text is sent as the instance has it. */
function removedKeys(values: Values, was: Values): Problem[] {
  return Object.entries(was).flatMap(([name, before]) => {
    const now = values[name];
    if (!isObject(before) || !isObject(now)) return [];
    const removed = Object.keys(before).filter((key) => !Object.hasOwn(now, key));
    return removed.map((key) => ({ line: 1, message: oneLine(`${name}.${key} cannot be removed; change its value`) }));
  });
}

async function applyEdited(context: Context, now: Values, editing: Editing): Promise<RowsView> {
  const { before, was, path, ...guards } = editing;
  const names = Object.keys(now).filter((name) => canonical(now[name]) !== canonical(was[name]));
  const scope = { at: "instance", name: "" } as const;
  const origin = { file: fileName, line: 1 };
  const values = Object.fromEntries(names.map((name) => [name, now[name]]));
  const section: Section = { scope, kind: settingsKind, entries: [{ values, origin }], origin };
  // What was typed is sent, also where it cannot be compared.
  const options = { prune: false, secrets: "always", only: undefined, projects: undefined, groups: undefined } as const;
  const plan = await makePlan(context, { sections: [section], keep: new Map(), instances: [] }, options);
  const live = plan.changes.find(({ live: found }) => found !== undefined)?.live?.values ?? before;
  // Sent in any case, too, by the commands that use the text again.
  const secrets = names.some((name) => settingField(name).writeOnly) ? ["--secrets", "always"] : [];
  const moved = names.filter((name) => !sameWhole(settingField(name), live[name], before[name]));
  if (moved.length > 0) {
    throw new Failure("conflict", `${moved.join(", ")}: changed on the instance while you were editing`, {
      code: "stale",
      nothing: "sent",
      hint: `forgectl ${commandLine(["settings", "plan", "-f", path, ...secrets])}`,
    });
  }
  // Without --yes: what others have changed meanwhile would be set back, and is shown first.
  const again = ["settings", "apply", "-f", path, ...secrets, ...(guards.allowLockout ? ["--allow-lockout"] : [])];
  return applyView(context, plan, {
    maxDelete: undefined,
    what: "settings edit",
    again,
    ...guards,
  });
}

async function valuesIn(text: string, findings = new Findings()): Promise<Values> {
  try {
    const tree = await parseTree(text);
    const scope = { at: "instance", name: "" } as const;
    const { sections } = await declare([{ name: fileName, folder: undefined, tree }], findings, {
      single: { kind: settingsKind, scope },
    });
    return sections[0]?.entries[0]?.values ?? {};
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
    findings.error({ file: fileName, line: error.line }, "the file", error.message, error.hint);
    return {};
  }
}

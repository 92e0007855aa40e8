import { group } from "../../declare/command.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { applyCommand, planCommand } from "../state/front.ts";
import { audit } from "./audit.ts";
import { diff } from "./diff.ts";
import { editSettings } from "./edit.ts";
import { explain } from "./explain.ts";
import { exportFile } from "./export.ts";
import { rollback, schema, validate } from "./files.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { set } from "./set.ts";

const plan = planCommand({
  group: "settings",
  kind: settingsKind,
  details: "Reads the settings and compares those that the file names; sends GET only. The others are not touched.",
  examples: [
    { line: "settings plan -f settings.yaml" },
    { line: "settings plan -f settings.yaml --exit-code -o json", note: "a check for drift" },
  ],
  related: ["settings apply", "settings export", "state plan"],
});

const apply = applyCommand({
  group: "settings",
  kind: settingsKind,
  details:
    "Plans, asks, sends one request with what differs, and checks the answer. What was in force is kept for settings " +
    "rollback. Settings that can lock people out have the instance's host typed, or --yes.",
  examples: [{ line: "settings apply -f settings.yaml --dry-run" }, { line: "settings apply -f settings.yaml --yes" }],
  related: ["settings plan", "settings rollback", "settings edit"],
});

export const settings = group("settings", "Application settings of the instance", [
  list,
  get,
  set,
  explain,
  validate,
  exportFile,
  plan,
  apply,
  rollback,
  diff,
  audit,
  editSettings,
  schema,
]);

import { group } from "../../declare/command.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { settingsFileSchema } from "../../state/schema.ts";
import { print } from "../../verbs/print.ts";
import { applyCommand, planCommand } from "../state/front.ts";
import { rollbackCommand } from "../state/rollback.ts";
import { validateCommand } from "../state/validate.ts";
import { audit } from "./audit.ts";
import { diff } from "./diff.ts";
import { editSettings } from "./edit.ts";
import { explain } from "./explain.ts";
import { exportFile } from "./export.ts";
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

const validate = validateCommand({
  group: "settings",
  kind: settingsKind,
  summary: "Check a settings file without an instance",
  details: "Offline: unknown names, types, bounds, allowed values, and deprecations. An error is exit 2.",
  examples: [{ line: "settings validate -f settings.yaml" }],
  related: ["settings explain", "settings schema"],
});

const rollback = rollbackCommand({
  group: "settings",
  kind: settingsKind,
  summary: "Bring back the settings that a run changed",
  details: "Plans back to what the run found, asks, and applies it. What has been changed since is refused (exit 6).",
  examples: [{ line: "settings rollback --yes" }, { line: "settings rollback 20261121T164502Z-7f3a --dry-run" }],
  related: ["settings apply", "state history"],
});

const schema = print("schema", settingsFileSchema, {
  summary: "Print the JSON Schema of a settings file, for editors",
  examples: [{ line: "settings schema > settings.schema.json" }],
  related: ["settings validate", "state schema"],
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

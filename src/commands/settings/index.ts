import { sectionSchema } from "../../state/files/schema.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { print } from "../../verbs/print.ts";
import { rollbackCommand } from "../state/rollback.ts";
import { validateCommand } from "../state/validate.ts";
import { applyCommand, planCommand } from "../state/verbs.ts";
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
  details: "Reads the settings and compares those in the file; sends GET only. Other settings are left alone.",
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
    "Plans, asks, sends one request with the differences, and checks the answer. The previous values are recorded for settings " +
    "rollback. Settings that can lock users out require typing the instance's host, or --yes.",
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
  summary: "Restore the settings that a run changed",
  details:
    "Plans a return to the values before the run, asks, and applies it. Settings changed since are refused (exit 6).",
  examples: [{ line: "settings rollback --yes" }, { line: "settings rollback 20261121T164502Z-7f3a --dry-run" }],
  related: ["settings apply", "state history"],
});

const schema = print("schema", () => sectionSchema(settingsKind, "Settings of an instance"), {
  summary: "Print the JSON Schema of a settings file, for editors",
  examples: [{ line: "settings schema > settings.schema.json" }],
  related: ["settings validate", "state schema"],
});

export const settings = [
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
];

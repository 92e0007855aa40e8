import { boolean, string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { settingsFileSchema } from "../../state/schema.ts";
import { AppliedChange } from "../state/apply-view.ts";
import { fileFlags } from "../state/flags.ts";
import { rollBack } from "../state/rollback.ts";
import { Found, strictFlag, validateView } from "../state/validate.ts";

export const validate = command({
  name: "validate",
  summary: "Check a settings file without an instance",
  details: "Offline: unknown names, types, bounds, allowed values, and deprecations. An error is exit 2.",
  params: { ...fileFlags, ...strictFlag },
  returns: Found,
  examples: [{ line: "settings validate -f settings.yaml" }],
  related: ["settings explain", "settings schema"],
  run: (context, { file, strict = false }) =>
    validateView(context, file, { strict, front: { kind: settingsKind, scope: { at: "instance", name: "" } } }),
});

export const rollback = command({
  name: "rollback",
  summary: "Bring back the settings that a run changed",
  details: "Plans back to what the run found, asks, and applies it. What has been changed since is refused (exit 6).",
  args: {
    run: string("Run to go back from; the newest that changed settings unless given", { placeholder: "pre-image" }),
  },
  params: { overwrite: boolean("Bring back also what is no longer as the run left it") },
  returns: AppliedChange,
  examples: [{ line: "settings rollback --yes" }, { line: "settings rollback 20261121T164502Z-7f3a --dry-run" }],
  related: ["settings apply", "state history"],
  run: (context, { run, overwrite = false }) =>
    rollBack(context, run, { overwrite, path: ["settings", "rollback"], only: settingsKind.name }),
});

export const schema = command({
  name: "schema",
  summary: "Print the JSON Schema of a settings file, for editors",
  examples: [{ line: "settings schema > settings.schema.json" }],
  related: ["settings validate", "state schema"],
  run: async () => ({ value: settingsFileSchema() }),
});

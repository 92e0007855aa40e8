import { getSettings } from "../../api/endpoints/settings.ts";
import { boolean, entity, json, oneOf, string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { localList, localListFlags } from "../../declare/local-list.ts";
import { findSetting } from "../../settings/catalogue.ts";
import { differsFromDefault } from "../../settings/compare.ts";
import { shownValue } from "../../settings/secrets.ts";
import { recordFields } from "../../settings/validate.ts";

const SettingInForce = entity("SettingInForce", {
  name: string(),
  value: json("Secrets are hidden unless --reveal is given"),
  differs: oneOf(["yes", "no", "unknown"], "Whether it differs from the default; unknown if none is documented", {
    tones: { yes: "doubtful", no: "quiet", unknown: "quiet" },
  }),
  default: json("The documented default"),
  deprecated: boolean(),
  documented: boolean("Whether the API documents have it"),
});

export const list = command({
  name: "list",
  summary: "List the current settings",
  details:
    "Every setting of the instance, by name, and whether it differs from the documented default. " +
    "Secrets are hidden unless --reveal is given.",
  params: { ...localListFlags, reveal: boolean("Show secrets, and credentials in addresses") },
  requests: [getSettings],
  returns: SettingInForce,
  examples: [
    { line: "settings list" },
    {
      line: `settings list -o json --jq '.[] | select(.differs == "yes") | .name'`,
      note: "settings that differ from the default",
    },
    { line: "settings list --fields name,value,deprecated -o csv" },
  ],
  related: ["settings get", "settings explain"],
  async run(context, input) {
    const record = await context.api.call(getSettings, {});
    const settings = Object.entries(record)
      .filter(([name]) => !recordFields.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => describe(name, input.reveal ? value : shownValue(name, value), value));
    return {
      ...localList(settings, input),
      columns: ["name", "value", "differs"],
      reveal: true,
    };
  },
});

function describe(name: string, shown: unknown, value: unknown): object {
  const setting = findSetting(name);
  const differs = setting && differsFromDefault(setting, value);
  return {
    name,
    value: shown,
    differs: differs === undefined ? "unknown" : differs ? "yes" : "no",
    default: setting?.default ?? null,
    deprecated: setting?.deprecated !== undefined,
    documented: setting !== undefined,
  };
}

import { getSettings } from "../../api/endpoints/settings.ts";
import { boolean, entity, json, oneOf, string, uncut } from "../../api/field.ts";
import { compareTexts } from "../../base/compare-texts.ts";
import { command } from "../../declare/command.ts";
import { localList, localListFlags } from "../../declare/local-list.ts";
import { findSetting } from "../../settings/catalogue.ts";
import { differsFromDefault } from "../../settings/compare.ts";
import { shownValue } from "../../settings/secret-settings.ts";
import { recordFields } from "../../settings/validate.ts";

const SettingInForce = entity("SettingInForce", {
  name: uncut(),
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
    "Every setting that the instance returns, by name, with the documented default and whether it differs from " +
    "that. If no default is documented, this is unknown, and --changed leaves the setting out. Secrets are hidden " +
    "unless --reveal is given.",
  params: {
    search: string("Words that are all in the name or the description", { placeholder: "text" }),
    changed: boolean("Only what differs from the documented default"),
    ...localListFlags,
    reveal: boolean("Show secrets, and credentials in addresses"),
  },
  requests: [getSettings],
  returns: SettingInForce,
  prints: "rows",
  examples: [
    { line: "settings list" },
    { line: "settings list --changed", note: "settings that differ from the default" },
    { line: 'settings list --search "sign up"', note: "what is it called?" },
    { line: "settings list --fields name,value,deprecated -o csv" },
  ],
  related: ["settings get", "settings explain"],
  async run(context, input) {
    const words = wordsOf(input.search);
    const record = await context.api.call(getSettings, {});
    const settings = Object.entries(record)
      .filter(([name]) => !recordFields.includes(name) && mentions(name, words))
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([name, value]) => describe(name, input.reveal ? value : shownValue(name, value), value))
      .filter(({ differs }) => !input.changed || differs === "yes");
    return {
      ...localList(settings, input),
      columns: ["name", "value", "default", "differs"],
      reveal: true,
    };
  },
});

/** Underscores in names match typed spaces. */
function wordsOf(text = ""): string[] {
  return text.toLowerCase().split(/[\s_]+/);
}

/** Whether a setting's name and description together contain all words. */
function mentions(name: string, words: readonly string[]): boolean {
  const text = `${name} ${findSetting(name)?.description ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function describe(name: string, shown: unknown, value: unknown) {
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

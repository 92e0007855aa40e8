import { getSettings } from "../../api/endpoints/settings.ts";
import { boolean, entity, json, required, string, uncut } from "../../api/field.ts";
import { Failure, whenFound } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { isSecretSetting, shownValue } from "../../settings/secrets.ts";
import { settingField, settingsKind } from "../../state/kinds/settings.ts";
import { sameState } from "../../state/normal.ts";

const SettingDifference = entity("SettingDifference", {
  name: uncut(),
  a: json("Value of the first profile; null if not shown"),
  b: json("Value of the second profile"),
});

const profile = (which: string) =>
  required(string(`The ${which} profile`, { placeholder: `profile-${which[0]}`, completes: "profile" }));

export const diff = command({
  name: "diff",
  summary: "Compare the settings of two instances",
  details: "Prints the differing settings, by name. Secrets are never compared.",
  args: { a: { ...profile("first"), placeholder: "profile-a" }, b: { ...profile("second"), placeholder: "profile-b" } },
  params: { exit_code: boolean("Exit 10 if something differs") },
  requests: [getSettings],
  returns: SettingDifference,
  examples: [
    { line: "settings diff staging production" },
    { line: "settings diff staging production --exit-code -o json" },
  ],
  related: ["settings export", "profiles list"],
  async run(context, { a, b, exit_code: exitCode = false }) {
    const [first, second] = await Promise.all([settingsOf(context, a), settingsOf(context, b)]);
    const rows = [...new Set([...Object.keys(first), ...Object.keys(second)])]
      .sort()
      .filter((name) => settingsKind.fields[name]?.readOnly !== true && !isSecretSetting(name))
      .filter((name) => !sameState(settingField(name), first[name], second[name]))
      .map((name) => ({ name, a: shownValue(name, first[name] ?? null), b: shownValue(name, second[name] ?? null) }));
    return {
      rows,
      columns: ["name", "a", "b"],
      exitCode: whenFound(exitCode, () => rows.length > 0),
    };
  },
});

async function settingsOf(context: Context, name: string): Promise<Readonly<Record<string, unknown>>> {
  const api = context.connect(await context.config.forProfile(name));
  try {
    return await api.call(getSettings, {});
  } catch (error) {
    throw error instanceof Failure ? error.with({ message: `profile ${name}: ${error.message}` }) : error;
  }
}

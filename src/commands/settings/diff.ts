import { getSettings } from "../../api/endpoints/settings.ts";
import { array, boolean, entity, json, required, string, uncut } from "../../api/field.ts";
import { Failure, UsageError, whenFound } from "../../base/errors.ts";
import { ownValue } from "../../base/own-value.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { isSecretSetting, shownValue } from "../../settings/secret-settings.ts";
import { sameWhole } from "../../state/fields/normal.ts";
import { settingField, settingsKind } from "../../state/kinds/settings.ts";
import { onSameInstance } from "../../verbs/instance-flags.ts";

const SettingDifference = entity("SettingDifference", {
  name: uncut(),
  a: json("Value of the first profile; null if not shown"),
  b: json("Value of the second profile"),
});

const profile = (which: string) =>
  required(string(`The ${which} profile`, { placeholder: `profile-${which[0]}`, completes: "profile" }));

export const diff = command({
  name: "diff",
  summary: "Compare the settings of several instances",
  details:
    "Prints the settings that are not the same on all of them, by name. Secrets are never compared. The columns of two " +
    "profiles are a and b; those of more have the names of the profiles.",
  args: {
    a: { ...profile("first"), placeholder: "profile-a" },
    b: { ...profile("second"), placeholder: "profile-b" },
    more: array(string("", { placeholder: "profile", completes: "profile" }), "Further profiles"),
  },
  params: { exit_code: boolean("Exit 10 if something differs") },
  requests: [getSettings],
  returns: SettingDifference,
  prints: "rows",
  examples: [
    { line: "settings diff staging production" },
    { line: "settings diff staging production --exit-code -o json" },
    { line: "settings diff staging production training", note: "one column for each" },
  ],
  related: ["settings export", "profiles list"],
  async run(context, { a, b, more = [], exit_code: exitCode = false }) {
    const columns = columnsOf([a, b, ...more]);
    const found = await Promise.all([a, b, ...more].map((name) => settingsOf(context, name)));
    const [first = {}, ...others] = found;
    const rows = [...new Set(found.flatMap(Object.keys))]
      .sort()
      .filter((name) => ownValue(settingsKind.fields, name)?.readOnly !== true && !isSecretSetting(name))
      .filter((name) => others.some((each) => !sameWhole(settingField(name), first[name], each[name])))
      .map((name) => ({
        name,
        ...Object.fromEntries(columns.map((column, at) => [column, shownValue(name, found[at]?.[name] ?? null)])),
      }));
    return {
      rows,
      columns: ["name", ...columns],
      ...(more.length > 0 && { entity: differenceOf(columns) }),
      exitCode: whenFound(exitCode, () => rows.length > 0),
    };
  },
});

/** `a` and `b`, or the names of more than two profiles. */
function columnsOf(profiles: readonly string[]): readonly string[] {
  if (profiles.length === 2) return ["a", "b"];
  const repeated = profiles.find((name, at) => profiles.indexOf(name) !== at);
  if (repeated !== undefined) throw new UsageError(`profile ${repeated}: named twice`);
  if (!profiles.includes("name")) return profiles;
  throw new UsageError("profile name: among more than two, its column would be that of the settings", {
    hint: "compare it with one other profile",
  });
}

function differenceOf(columns: readonly string[]) {
  const values = columns.map((column) => [column, json(`Value of the profile ${column}; null if not shown`)] as const);
  return entity("SettingDifference", { name: uncut(), ...Object.fromEntries(values) });
}

async function settingsOf(context: Context, name: string): Promise<Readonly<Record<string, unknown>>> {
  let config: Context["config"] | undefined;
  try {
    config = await context.config.forProfile(name);
    return await context.connect(config).call(getSettings, {});
  } catch (error) {
    if (!(error instanceof Failure) || error.message.includes(`profile ${name}`)) throw error;
    const { hint } = error.details;
    const there = config && hint && onSameInstance(config, hint);
    throw error.with({ message: `profile ${name}: ${error.message}`, ...(there && { hint: there }) });
  }
}

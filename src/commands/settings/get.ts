import { getSettings } from "../../api/endpoints/settings.ts";
import { array, boolean, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";
import { commandLine } from "../../base/shell-words.ts";
import { command } from "../../declare/command.ts";
import { findSetting, nearestSetting } from "../../settings/catalogue.ts";
import { shownValue } from "../../settings/secret-settings.ts";
import { searchLine } from "./search-line.ts";

export const get = command({
  name: "get",
  summary: "Get the current settings",
  details:
    "Without a name, all of them. One name prints only its value, several print a record in the given order. Secrets are " +
    "hidden unless --reveal is given.",
  args: { names: array(string("", { placeholder: "name", completes: "setting" }), "Settings to show (default: all)") },
  params: { reveal: boolean("Show secrets, and credentials in addresses") },
  requests: [getSettings],
  examples: [
    { line: "settings get signup_enabled" },
    { line: "settings get max_login_attempts session_expire_delay -o json" },
    { line: "settings get -o yaml", note: "all of them" },
  ],
  related: ["settings list", "settings set", "settings explain"],
  async run(context, { names, reveal = false }) {
    const record: Readonly<Record<string, unknown>> = await context.api.call(getSettings, {});
    const wanted = names ?? Object.keys(record);
    const missing = wanted.filter((name) => !Object.hasOwn(record, name));
    if (missing.length > 0) throw missingSettings(missing, Object.keys(record));
    const show = (name: string) => (reveal ? record[name] : shownValue(name, record[name]));
    const [only] = wanted;
    if (names?.length === 1 && only !== undefined) return { value: show(only), reveal: true };
    const shown = Object.fromEntries(wanted.map((name) => [name, show(name)]));
    // The catalogue has already hidden the secrets.
    return { record: shown, reveal: true, ...(names !== undefined && { columns: [...new Set(names)] }) };
  },
});

function missingSettings(missing: readonly string[], there: readonly string[]): Failure {
  const [first = ""] = missing;
  const quoted = missing.map((name) => `"${name}"`).join(", ");
  const what =
    missing.length === 1 ? `the instance has no setting ${quoted}` : `the instance has no settings ${quoted}`;
  if (findSetting(first) !== undefined) {
    return new Failure("notFound", what, {
      reason: `${first} is documented, and missing in the instance's answer: its tier, its version, or write-only`,
      hint: `forgectl ${commandLine(["settings", "explain", first])}`,
    });
  }
  const near = nearest(first, there) ?? nearestSetting(first);
  const hint = near === undefined ? searchLine(first) : `did you mean ${near}?`;
  return new Failure("notFound", what, { hint });
}

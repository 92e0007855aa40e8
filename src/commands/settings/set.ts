import { getSettings, updateSettings } from "../../api/endpoints/settings.ts";
import { array, boolean, required, string } from "../../api/field.ts";
import { command } from "../../command/command.ts";
import { confirm } from "../../command/confirm.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { findSetting } from "../../settings/catalogue.ts";
import { sameValue } from "../../settings/compare.ts";
import { isSecretSetting, shownValue } from "../../settings/secrets.ts";
import { type Finding, validateSettings } from "../../settings/validate.ts";
import { isEmpty } from "../../settings/value.ts";
import { readAssignments } from "./assignments.ts";

type Values = Readonly<Record<string, unknown>>;

const assignment = string("", { placeholder: "name=value", completes: "setting" });

export const set = command({
  name: "set",
  summary: "Change settings of the instance",
  details:
    "Values are typed by what the API documents say; hashes and arrays are JSON (a plain list may also be a,b). " +
    "name=@file reads the value from a file, name=- from stdin; give secrets that way. Types, bounds, allowed values, " +
    "and what an enabled setting requires are checked before anything is sent. A setting that can lock people out " +
    "asks for its name to be typed, or --yes.",
  args: { assignments: required(array(assignment, "Setting and its value; name=@file and name=- read the value")) },
  params: { strict: boolean("Refuse a name that the API documents do not have, instead of warning") },
  requests: [getSettings, updateSettings],
  examples: [
    { line: "settings set signup_enabled=false" },
    { line: "settings set spamsvc_enabled=true spamsvc_api_key=@key.txt", note: "a secret, from a file" },
    { line: `settings set 'valid_runner_registrars=["group"]' --dry-run`, note: "the request, not sent" },
  ],
  related: ["settings explain", "settings get"],
  async run(context, { assignments, strict = false }) {
    const { values, findings } = await readAssignments(context, assignments);
    refuseErrors([...findings, ...validateSettings(values, { strict, alone: true })]);
    const current: Values = await context.api.call(getSettings, {});
    const found = [...findings, ...validateSettings(values, { strict, current })];
    refuseErrors(found);
    for (const warning of found) context.warn(sentence(warning));
    await confirmLockout(context, values, current);
    const sent = withRequired(context, values, current);
    const answer: Values = await context.api.call(updateSettings, bySecrecy(sent));
    return changed(context, values, answer);
  },
});

function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const fields = new Map<string, string[]>();
  for (const { setting, message, hint } of errors) {
    fields.set(setting, [...(fields.get(setting) ?? []), hint === undefined ? message : `${message}; ${hint}`]);
  }
  const documented = [...fields.keys()].find((name) => findSetting(name) !== undefined);
  throw new UsageError(`${errors.length === 1 ? "a problem" : `${errors.length} problems`} with the settings`, {
    code: "invalid_settings",
    reason: "nothing was changed",
    fields: Object.fromEntries(fields),
    ...(documented !== undefined && { hint: `forgectl settings explain ${documented}` }),
  });
}

function sentence({ setting, message, hint }: Finding): string {
  return `${setting} ${message}${hint === undefined ? "" : `; ${hint}`}`;
}

/** Asks where a setting that can lock people out is about to get another value. */
async function confirmLockout(context: Context, values: Values, current: Values): Promise<void> {
  const risky = Object.keys(values).filter(
    (name) => findSetting(name)?.lockout === true && !sameValue(values[name], current[name]),
  );
  const [only] = risky;
  if (only === undefined) return;
  const host = new URL(context.config.baseUrl?.value ?? "").host;
  const what = risky.map((name) => `${name} to ${JSON.stringify(shownValue(name, values[name]))}`).join(" and ");
  await confirm(context, {
    action: `set ${what} on ${host}, which can lock people out`,
    typed: risky.length === 1 ? only : host,
  });
}

/**
 * "Required by" may mean given in the same request, so what an enabled setting requires goes along as it is. Not a
 * secret: what is answered for one may be a mask.
 */
function withRequired(context: Context, values: Values, current: Values): Values {
  const required = Object.keys(values)
    .filter((name) => values[name] === true)
    .flatMap((name) => findSetting(name)?.requires ?? [])
    .filter((name) => !Object.hasOwn(values, name) && !isSecretSetting(name) && !isEmpty(current[name]));
  if (required.length === 0) return values;
  context.notice(`sent along as required, as they are: ${required.join(", ")}`);
  return { ...values, ...Object.fromEntries(required.map((name) => [name, current[name]])) };
}

function bySecrecy(values: Values): { settings: Values; secrets: Values } {
  const entries = Object.entries(values);
  return {
    settings: Object.fromEntries(entries.filter(([name]) => !isSecretSetting(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => isSecretSetting(name))),
  };
}

function changed(context: Context, values: Values, answer: Values) {
  const names = Object.keys(values);
  const now = names.map((name): [string, unknown] => {
    if (Object.hasOwn(answer, name)) return [name, shownValue(name, answer[name])];
    // A secret is taken and not answered; of another setting the silence says that it may have gone nowhere.
    if (isSecretSetting(name)) return [name, shownValue(name, values[name])];
    context.warn(`${name} is missing in the instance's answer: it may not have taken it`);
    return [name, null];
  });
  return {
    record: Object.fromEntries(now),
    columns: names,
    message: "settings are cached: a change may take up to 60 seconds to take effect",
  };
}

import { getSettings, updateSettings } from "../../api/endpoints/settings.ts";
import { array, boolean, required, string } from "../../api/field.ts";
import { mayHaveBeenMade } from "../../api/outcome.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { findSetting } from "../../settings/catalogue.ts";
import { changedAlong } from "../../settings/changed-along.ts";
import { sentAlong } from "../../settings/dependencies.ts";
import { effectsOf, lastingIn } from "../../settings/lasting.ts";
import { lockoutsOf } from "../../settings/lockout.ts";
import { typedAs } from "../../settings/parse.ts";
import { hiddenValue, isSecretSetting } from "../../settings/secret-settings.ts";
import { type Finding, validateSettings } from "../../settings/validate.ts";
import { settingField, settingsKind } from "../../state/kinds/settings.ts";
import { cacheSeconds } from "../../state/runs/recent-writes.ts";
import { betweenRuns } from "../../state/runs/runs.ts";
import { rememberSet } from "../../state/runs/set-settings.ts";
import { confirmSeen } from "../../verbs/confirm.ts";
import { inTurn } from "../../verbs/in-turn.ts";
import { waitFor } from "../../verbs/poll.ts";
import { settingsWaitFlags, settingsWaitSeconds } from "../state/settings-wait.ts";
import { assignmentsBack, givesId, readAssignments } from "./assignments.ts";
import { leftBy } from "./half-refused.ts";
import { type Present, presentSettings } from "./present.ts";
import { isSame, type Sent, sendSettings, withRequired } from "./sent-along.ts";
import { causeOf, notApplied } from "./write-check.ts";

type Values = Readonly<Record<string, unknown>>;

const assignment = string("", { placeholder: "name=value", completes: "setting-value" });

export const set = command({
  name: "set",
  summary: "Change settings of the instance",
  details:
    "Values have the documented types; hashes and arrays are JSON (a plain list may also be a,b). " +
    "name=@file reads the value from a file, name=- from stdin; give secrets that way. Types, bounds, allowed values, " +
    "and requirements of enabled settings are checked before anything is sent. Of a hash, the keys that are not given are " +
    "sent as they are, since instances replace the whole. A setting that can lock users out requires typing its name, " +
    "or --yes. A question comes before changes by which instances do what nothing takes back: approve all who wait, once " +
    "sign-ups need no approval; delete at once what deletion_adjourned_period put off, unconfirmed accounts, dormant " +
    "projects, or the accounts of access tokens that are no longer valid; revoke tokens that last longer than " +
    "max_personal_access_token_lifetime; deactivate dormant users.",
  args: { assignments: required(array(assignment, "Setting and its value; name=@file and name=- read the value")) },
  params: {
    strict: boolean("Refuse undocumented names, instead of warning"),
    ...settingsWaitFlags(),
  },
  requests: [getSettings, updateSettings],
  examples: [
    { line: "settings set signup_enabled=false" },
    { line: "settings set spamsvc_enabled=true spamsvc_api_key=@key.txt", note: "a secret, from a file" },
    { line: `settings set 'valid_runner_registrars=["group"]' --dry-run`, note: "the request, not sent" },
  ],
  fieldsOf: ({ assignments }) => (assignments as readonly string[]).map((each) => each.replace(/=.*/s, "").trim()),
  idsIn: ({ assignments }) => (assignments as readonly string[]).filter(givesId),
  undo: { line: "settings set {before.assignments...}" },
  related: ["settings explain", "settings get"],
  async run(context, { assignments, strict = false, ...waiting }) {
    const waitSeconds = settingsWaitSeconds(waiting);
    const { values: given, findings } = await readAssignments(context, assignments);
    refuseErrors([...findings, ...validateSettings(given, { strict, alone: true })]);
    const act = async () => {
      const present = await presentSettings(context);
      return { ...present, ...(await change(context, { given, findings, strict, present })) };
    };
    const made = await inTurn(context, "settings", () => betweenRuns(context, act));
    const { values, current, whole, unsure, answer, hasWaited, along } = made;
    if (waitSeconds !== undefined) await untilInForce(context, values, waitSeconds);
    const isSure = !hasWaited && !Object.keys(values).some((name) => unsure.includes(name));
    const isAlone = Object.keys(along).every((name) => settingField(name).counter);
    const isTakenBack = isSure && isAlone && lastingIn(values, current).length === 0;
    return {
      ...changed(values, answer, waitSeconds !== undefined),
      before: { assignments: isTakenBack ? assignmentsBack(whole, current) : undefined },
    };
  },
});

interface Asked {
  given: Values;
  findings: readonly Finding[];
  strict: boolean;
  present: Present;
}

/** Checks the values against the present ones, and sends them. */
async function change(context: Context, { given, findings, strict, present }: Asked) {
  const { current, recent } = present;
  const values = typedAs(current, given);
  const found = [...findings, ...validateSettings(values, { strict, current })];
  refuseErrors(found);
  for (const warning of found) context.warn(sentence(warning));
  const { whole, sent, afterWait: lookAtCompanions } = withRequired(context, values, present);
  await confirmEffects(context, values, current);
  let hasWaited = false;
  const afterWait = async () => {
    // What another has set in the meantime is not known, and not to be taken back.
    hasWaited = true;
    await lookAtCompanions();
  };
  const alongIn = (answered: Values) => changedAlong({ sent: Object.keys(sent), recent }, current, answered);
  const answer = await update(context, { values, current, sent, afterWait, alongIn });
  return { values, whole, answer, hasWaited, along: alongIn(answer)?.values ?? {} };
}

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
    nothing: "changed",
    fields: Object.fromEntries(fields),
    ...(documented !== undefined && { hint: `forgectl ${commandLine(["settings", "explain", documented])}` }),
  });
}

function sentence({ setting, message, hint }: Finding): string {
  return `${setting} ${message}${hint === undefined ? "" : `; ${hint}`}`;
}

/** Asks before a change that can lock users out, or by which an instance does what no change takes back. */
async function confirmEffects(context: Context, values: Values, current: Values): Promise<void> {
  const risky = lockoutsOf(values, current);
  const lasting = lastingIn(values, current);
  const remark = effectsOf(lasting);
  const asked = [...new Set([...risky, ...lasting.map(({ name }) => name)])];
  if (asked.length === 0) return;
  const host = new URL(context.config.baseUrl?.value ?? "").host;
  const what = asked.map((name) => `${name} to ${JSON.stringify(hiddenValue(name, values[name]))}`).join(" and ");
  const [only] = risky;
  const question = {
    action: `set ${what} on ${host}${risky.length > 0 ? ", which can lock users out" : ""}`,
    ...(risky.length > 0 && { typed: risky.length === 1 ? only : host }),
    ...(remark !== undefined && { remark }),
  };
  const names = [...Object.keys(values), ...Object.keys(sentAlong({ values, current }))];
  const partOf = (all: Values) => names.map((name) => all[name] ?? null);
  const look = async () => partOf((await presentSettings(context)).current);
  await confirmSeen(context, question, { seen: partOf(current), look, what: `${names.join(", ")} on ${host}` });
}

interface Update extends Omit<Sent, "whole"> {
  values: Values;
  current: Values;
  alongIn(answered: Values): ReturnType<typeof changedAlong>;
}

async function update(context: Context, { values, current, sent, afterWait, alongIn }: Update): Promise<Values> {
  const kind = settingsKind;
  let answer: Values;
  try {
    answer = await sendSettings(context, { sent, afterWait });
    await rememberSet(context, { kind, before: current, sent, after: answer }, cacheSeconds);
  } catch (error) {
    if (error instanceof Failure && error.details.outcome !== undefined && error.details.outcome !== "none") {
      const after = isObject(error.details.stored) ? error.details.stored : null;
      await rememberSet(context, { kind, before: current, sent, after }, cacheSeconds);
    }
    if (mayHaveBeenMade(error)) return verifiedValues(context, values, error);
    const left = await leftBy(context, error, values, current);
    if (left !== undefined) {
      await rememberSet(context, { kind, before: current, sent: left.sent, after: left.now }, cacheSeconds);
      throw left.failure;
    }
    if (!(error instanceof Failure && hasNoneOfThem(error))) throw error;
    const reason = `the instance has none of ${Object.keys(values).join(", ")}`;
    throw error.with({ reason });
  }
  const fields = notApplied(values, answer);
  const others = Object.keys(fields);
  const along = alongIn(answer);
  if (along !== undefined) context.warn(along.text);
  if (others.length === 0) return answer;
  const unchanged =
    others.length === Object.keys(values).length && others.every((name) => isSame(name, current, answer));
  const outcome = unchanged ? "not_taken" : "altered";
  throw new Failure("partial", `the instance did not apply ${others.join(", ")} as sent`, {
    code: outcome,
    reason: causeOf(others),
    fields,
    outcome,
    retryable: false,
    hint: `forgectl ${commandLine(["settings", "get", ...others])}`,
  });
}

/**
 * The settings after a lost answer; if they do not show the change, the outcome is unknown, since settings are cached.
 */
async function verifiedValues(context: Context, values: Values, lost: Failure): Promise<Values> {
  const names = Object.keys(values);
  const api = lost.exit === "interrupted" ? context.verifier : context.api;
  const present = await presentSettings(context, api).catch(() => undefined);
  const now = present?.current;
  const isOpen = (name: string) => isSecretSetting(name) || present?.unsure.includes(name) === true;
  const isMade = now !== undefined && !names.some(isOpen) && Object.keys(notApplied(values, now)).length === 0;
  if (!isMade) {
    const hint = `check in a minute, before you run it again: forgectl ${commandLine(["settings", "get", ...names])}`;
    throw new Failure(lost.exit, lost.message, { ...lost.details, hint });
  }
  context.api.noteMade(lost);
  context.notice("the answer was lost; a check shows that the change was made");
  return now;
}

/** Waits until the instance returns the values, except secrets, which it may return in any form. */
async function untilInForce(context: Context, values: Values, limitSeconds: number): Promise<void> {
  const answered = Object.fromEntries(Object.entries(values).filter(([name]) => !isSecretSetting(name)));
  await waitFor(context, {
    label: "waiting for settings to take effect",
    check: async () => {
      const now: Values = await context.api.call(getSettings, {});
      return Object.keys(notApplied(answered, now)).length === 0 ? { done: true } : undefined;
    },
    resume: `settings get ${Object.keys(answered).join(" ")}`,
    limitSeconds,
  });
}

/** If an instance has none of the settings sent, its error lists all that it has, some 20 KB. */
function hasNoneOfThem({ details }: Failure): boolean {
  return details.status === 400 && /at least one parameter must be provided/.test(details.reason ?? "");
}

function changed(values: Values, answer: Values, isInForce: boolean) {
  const names = Object.keys(values);
  // A secret need not be in the answer.
  const now = names.map((name) => [name, hiddenValue(name, Object.hasOwn(answer, name) ? answer[name] : values[name])]);
  return {
    record: Object.fromEntries(now),
    columns: names,
    ...(!isInForce && { message: "settings are cached: a change may take up to 60 seconds to take effect" }),
  };
}

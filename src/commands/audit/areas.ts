import { listHooks } from "../../api/endpoints/hooks.ts";
import { getJobTokenScope } from "../../api/endpoints/job-token.ts";
import { getSettings } from "../../api/endpoints/settings.ts";
import { shorter } from "../../api/shorter-lists.ts";
import { booleanIn } from "../../base/answered-value.ts";
import { dayMs } from "../../base/duration.ts";
import { reasonIn } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { judge } from "../../settings/judgment.ts";
import { hiddenValue } from "../../settings/secret-settings.ts";
import { instanceClock } from "../../verbs/instance-clock.ts";
import { wholeRows } from "../../verbs/whole-list.ts";
import { environmentsIn, type Lookups, weaknessNames } from "../envs/weaknesses.ts";
import { originOf } from "../hooks/origin.ts";
import { type AuditedHook, undeliveredOf, verdictsOn } from "../hooks/weaknesses.ts";
import { assignmentFor } from "../settings/assignments.ts";
import { requireAdministrator } from "../users/caller.ts";
import { allUsers, judgedReasons, type Person, type Reason } from "../users/report.ts";
import type { AuditBaseline } from "./baseline.ts";
import type { Area } from "./rules.ts";
import type { Unlisted } from "./scopes.ts";

// What each area of an audit reads, and how its rules judge it.

export interface Judgment {
  readonly rule: string;
  /** `acme/storefront`, `acme/storefront env production`, `acme hook 3`, `user alice`, `instance`. */
  readonly where: string;
  readonly verdict: "fail" | "pass" | "unset" | "unknown";
  /** What makes it a finding, besides the rule's own words. */
  readonly detail?: string;
  /** What distinguishes several judgments by the rule at the place. */
  readonly subject?: string | undefined;
  /** Why it is not known, if a request was refused. */
  readonly unread?: string;
  /** Why it is not known although everything could be read, if not just that the instance does not show it. */
  readonly doubt?: string;
  readonly since?: string | null;
  /** For the rule's `try`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Takes the judgments of an area, and what they are based on. */
interface Taker {
  emit(judgment: Judgment): void;
  /** What the rules read of one object, without secrets. */
  keep(read: Readonly<Record<string, unknown>>): void;
}

/** One thing to read: an area of the instance, of a group, or of a project. */
export interface Unit {
  readonly area: Area;
  /** Its path, or `instance`. */
  readonly scope: string;
  /** Part of every shard, since each lists what is to be read by itself. */
  readonly isOfAll?: true;
  inspect(context: Context, taker: Taker): Promise<void>;
}

export function settingsUnit({ settings }: AuditBaseline): Unit {
  return {
    area: "settings",
    scope: "instance",
    async inspect(context, { emit, keep }) {
      const values: Readonly<Record<string, unknown>> = { ...(await context.api.call(getSettings, {})) };
      const read: Record<string, unknown> = {};
      for (const rule of settings) {
        for (const name of [rule.setting, ...(rule.when === undefined ? [] : [rule.when.setting])]) {
          if (Object.hasOwn(values, name)) read[name] = hiddenValue(name, values[name]);
        }
        for (const { verdict, value, expected } of judge(rule, values, [], "")) {
          const detail = `${textOf(value)}, expected ${expected}`;
          emit({
            rule: `settings.${rule.setting}`,
            where: "instance",
            verdict: verdict as Judgment["verdict"],
            detail,
            values: { setting: rule.setting, assignment: assignmentFor(rule, values) },
          });
        }
      }
      keep(read);
    },
  };
}

/** @param isFound undefined if the instance does not show what decides */
function verdictOf(isFound: boolean | undefined): Judgment["verdict"] {
  if (isFound === undefined) return "unknown";
  return isFound ? "fail" : "pass";
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "not set";
  return JSON.stringify(value);
}

export function usersUnit({ dormantDays }: AuditBaseline): Unit {
  return {
    area: "users",
    scope: "instance",
    async inspect(context, { emit, keep }) {
      await requireAdministrator(context);
      const clock = instanceClock(context);
      for await (const person of allUsers(clock.api)) {
        keep(readOf(person));
        for (const each of judgedUser(person, clock.instance().getTime() - dormantDays * dayMs)) emit(each);
      }
    },
  };
}

function readOf(person: Person) {
  const { id, username, state, is_admin, two_factor_enabled, last_activity_on, last_sign_in_at, created_at } = person;
  return { id, username, state, is_admin, two_factor_enabled, last_activity_on, last_sign_in_at, created_at };
}

function judgedUser(person: Person, dormantBefore: number): Judgment[] {
  const { id, username, is_admin: isAdmin, created_at: created } = person;
  const reasons = judgedReasons(person, dormantBefore);
  const at = { where: `user ${username}`, values: { id } };
  const seen = person.last_activity_on ?? person.last_sign_in_at ?? created;
  const judged = (reason: Reason) => verdictOf(reasons[reason]);
  // One who may be an administrator may be the graver finding, which a minimum severity must not hide.
  const mayBeAdmin = booleanIn(isAdmin) === undefined && reasons.no_two_factor !== false;
  const factorRule = isAdmin === true ? "users.admin_no_two_factor" : "users.no_two_factor";
  return [
    { ...at, rule: factorRule, verdict: judged("no_two_factor") },
    ...(mayBeAdmin ? [{ ...at, rule: "users.admin_no_two_factor", verdict: "unknown" as const }] : []),
    { ...at, rule: "users.dormant", verdict: judged("dormant"), since: seen },
    { ...at, rule: "users.never_signed_in", verdict: judged("never_signed_in"), since: created },
  ];
}

export function jobTokenUnit(project: string): Unit {
  return {
    area: "job-token",
    scope: project,
    async inspect(context, { emit, keep }) {
      const { inbound_enabled: limited } = await context.api.call(getJobTokenScope, { project });
      keep({ inbound_enabled: limited });
      const isLimited = booleanIn(limited);
      const verdict = verdictOf(isLimited === undefined ? undefined : !isLimited);
      emit({ rule: "job-token.open", where: project, verdict, values: { project } });
    },
  };
}

export function environmentsUnit(project: string, lookups: Lookups): Unit {
  return {
    area: "envs",
    scope: project,
    async inspect(context, { emit, keep }) {
      for await (const { name, weaknesses, read } of environmentsIn(context, project, lookups)) {
        keep({ environment: name, ...read });
        const at = { where: `${project} env ${name}` };
        const values = { project, environment: name };
        for (const weakness of weaknessNames) {
          const rule = `envs.${weakness}`;
          const found = weaknesses.filter(({ row }) => row.finding === weakness);
          if (found.length === 0) emit({ ...at, rule, verdict: "pass" });
          for (const { row, rule: weak, subject, isUnread, isRefused } of found) {
            const detail = weak === undefined ? {} : { detail: row.detail };
            const unread = isRefused ? { unread: row.detail } : isUnread ? { doubt: row.detail } : {};
            const verdict = isUnread ? "unknown" : "fail";
            emit({ ...at, rule, verdict, subject, ...detail, ...unread, values: { ...values, ...weak } });
          }
        }
      }
    },
  };
}

export function hooksUnit(group: string, allowed: readonly string[] | undefined): Unit {
  return {
    area: "hooks",
    scope: group,
    async inspect(context, { emit, keep }) {
      for await (const row of wholeRows(context.api, listHooks, { group })) {
        const hook = row as AuditedHook;
        const undelivered = await undeliveredOf(context, group, hook);
        keep(readOfHook(hook, undelivered));
        const at = { where: `${group} hook ${hook.id}`, values: { group, hook: hook.id } };
        for (const { name, weak, detail, since } of verdictsOn(hook, undelivered, { allowed, now: context.now() })) {
          const unread = name === "failing" && weak === undefined ? { unread: detail } : {};
          emit({ ...at, rule: `hooks.${name}`, verdict: verdictOf(weak), detail, since, ...unread });
        }
      }
    },
  };
}

/** What is to be read below a group is known in part. */
export function unlistedUnits({ group, lists }: Unlisted): Unit[] {
  const areas: readonly Area[] = lists === "projects" ? ["job-token", "envs"] : ["hooks"];
  const inspect = async () => {
    throw shorter().with({ reason: `the ${lists} below it: ${reasonIn(shorter())}` });
  };
  return areas.map((area) => ({ area, scope: group, isOfAll: true, inspect }));
}

/** The address is left out but for its host: some receivers take a secret in it. */
function readOfHook(hook: AuditedHook, undelivered: object) {
  const { id, enable_ssl_verification, alert_status, disabled_until, token_present, signing_token_present } = hook;
  const { text: origin } = originOf(hook.url);
  return {
    ...{ hook: id, origin, enable_ssl_verification, alert_status, disabled_until },
    ...{ token_present, signing_token_present, undelivered },
  };
}

import { expectedText, type Rule as SettingRule, type Severity } from "../../settings/hardening.ts";
import { defaultDormantDays } from "../users/report.ts";

/** A rule of an audit: data, which `audit --rules` prints, and a baseline file changes. */
export interface AuditRule {
  /** `<area>.<name>`. */
  readonly id: string;
  readonly severity: Severity;
  readonly expect: string;
  /** The risk, as the finding says it. */
  readonly why: string;
  /**
   * The command that repairs or shows it, as src/base/template.ts fills it. Texts of others, as those of a baseline
   * file, are values of it, and no part of it.
   */
  readonly try: string;
  /** The same, where a value of `try` is missing. */
  readonly otherwise?: string;
}

export const areas = ["settings", "users", "job-token", "envs", "hooks"] as const;
export type Area = (typeof areas)[number];

/** A lapsed exemption is a finding by itself; it has the severity of its rule. */
export const lapsedRule = "baseline.lapsed";

const fixed: readonly AuditRule[] = [
  {
    id: "users.admin_no_two_factor",
    severity: "high",
    expect: "administrators have a second factor",
    why: "a password alone is enough to sign in as this administrator",
    try: "users get {id}",
  },
  {
    id: "users.no_two_factor",
    severity: "medium",
    expect: "users have a second factor",
    why: "a password alone is enough to sign in to this account",
    try: "users get {id}",
  },
  {
    id: "users.dormant",
    severity: "medium",
    expect: activeWithin(defaultDormantDays),
    why: "misuse of this account would go unnoticed",
    try: "users get {id}",
  },
  {
    id: "users.never_signed_in",
    severity: "low",
    expect: "users have signed in",
    why: "this account was created and never used",
    try: "users get {id}",
  },
  {
    id: "job-token.open",
    severity: "high",
    expect: "only projects on the allowlist have access",
    why: "jobs of every project of the instance have access",
    try: "job-token limit on -p {project}",
  },
  {
    id: "envs.no_approval",
    severity: "medium",
    expect: "a deployment needs an approval",
    why: "a deployment needs no second person",
    try: "envs update {environment} -p {project} --approval level:maintainer",
  },
  {
    id: "envs.developers_deploy",
    severity: "medium",
    expect: "developers may not deploy",
    why: "every developer of the project may deploy",
    try: "envs update {environment} -p {project} --set-allow {id}=level:maintainer",
  },
  {
    id: "envs.single_approver",
    severity: "low",
    expect: "more than one approval",
    why: "one person approves alone",
    try: "envs get {environment} -p {project}",
  },
  {
    id: "envs.blocked_user",
    severity: "medium",
    expect: "rules name active users",
    why: "a rule names a user who is blocked",
    try: "envs update {environment} -p {project} --remove-{removable} {id}",
    otherwise: "envs get {environment} -p {project}",
  },
  {
    id: "hooks.plain_http",
    severity: "high",
    expect: "https",
    why: "deliveries and their secrets are sent unencrypted",
    try: "hooks get {hook} -g {group}",
  },
  {
    id: "hooks.no_certificate_check",
    severity: "high",
    expect: "the receiver's certificate is checked",
    why: "an attacker on the way can pose as the receiver",
    try: "hooks update {hook} -g {group} --ssl-verification",
  },
  {
    id: "hooks.no_secret",
    severity: "medium",
    expect: "a secret token",
    why: "the receiver cannot tell deliveries from forgeries",
    try: "hooks update {hook} -g {group} --token-stdin",
  },
  {
    id: "hooks.failing",
    severity: "medium",
    expect: "no undelivered events",
    why: "the receiver misses events",
    try: "hooks redeliver {hook} -g {group}",
  },
  {
    id: "hooks.disabled",
    severity: "medium",
    expect: "enabled",
    why: "the platform has disabled the hook after failures",
    try: "hooks health -g {group}",
  },
  {
    id: "hooks.foreign_host",
    severity: "high",
    expect: "a host of --allowed-hosts, or of the baseline file",
    why: "deliveries are sent to a host that is not allowed",
    try: "hooks get {hook} -g {group}",
  },
];

/** All rules; those of settings as a baseline file has changed them. */
export function rulesWith(settings: readonly SettingRule[]): AuditRule[] {
  return [...settings.map(ofSetting), ...fixed];
}

export function activeWithin(days: number): string {
  return `active within ${days} days`;
}

function ofSetting(rule: SettingRule): AuditRule {
  const { setting, severity, why, expect, when } = rule;
  const condition = when === undefined ? "" : ` while ${when.setting} is ${when.is}`;
  return {
    id: `settings.${setting}`,
    severity,
    expect: `${expectedText(expect)}${condition}`,
    why,
    try: "settings set {assignment}",
    otherwise: "settings explain {setting}",
  };
}

export function areaOf(rule: string): string {
  return rule.slice(0, rule.indexOf("."));
}

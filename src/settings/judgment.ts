import type { Exemption } from "./baseline.ts";
import { type Expectation, expectedText, holds, type Rule } from "./hardening.ts";
import { hiddenValue } from "./secret-settings.ts";
import { wordForEmpty } from "./units.ts";
import { isEmpty } from "./value.ts";

/** A setting, judged by one rule. */
export interface Judged {
  readonly rule: Rule;
  readonly setting: string;
  /** For display: secrets are masked. */
  readonly value: unknown;
  readonly expected: string;
  readonly severity: string;
  readonly verdict: "pass" | "fail" | "unset" | "unknown" | "exempt";
  /** The danger of what failed, or why it is exempt; null of a pass. */
  readonly why: string | null;
}

/**
 * The judgment of a rule; none if the rule does not apply to these values. If the setting that decides about that is
 * missing or of another type, the verdict is unknown.
 */
export function judge(
  rule: Rule,
  values: Readonly<Record<string, unknown>>,
  exempt: readonly Exemption[],
  today: string,
): Judged[] {
  const { setting, expect, severity, why, when } = rule;
  const applies = when === undefined || values[when.setting] === when.is;
  if (!applies && typeof values[when.setting] === typeof when.is) return [];
  const row = {
    rule,
    setting,
    value: hiddenValue(setting, values[setting] ?? null),
    expected: expectedText(expect),
    severity,
  };
  // An expired exemption does not count.
  const exemption = exempt.find((each) => (each.setting === setting || each.setting === "*") && each.until >= today);
  if (exemption !== undefined)
    return [{ ...row, verdict: "exempt", why: `${exemption.reason} (until ${exemption.until})` }];
  if (!applies || !Object.hasOwn(values, setting)) return [{ ...row, verdict: "unknown", why: null }];
  const right = isAsExpected(rule, values[setting]);
  if (right === false) return [{ ...row, verdict: "fail", why }];
  return [{ ...row, verdict: right === undefined ? "unset" : "pass", why: null }];
}

/** Whether a value is as a rule expects it; undefined if there is none, and nothing else is meant by that. */
export function isAsExpected(rule: Rule, value: unknown): boolean | undefined {
  const expect = expectedOf(rule, value);
  const worded = (each: unknown) => (isEmpty(each) ? (wordForEmpty(rule.setting) ?? each) : each);
  const is = "is" in expect && { is: worded(expect.is) };
  const not = "not" in expect && { not: worded(expect.not) };
  return holds({ ...expect, ...is, ...not }, worded(value));
}

/** What is expected of a value: keys of a forbidden type are not too short; any other condition still holds for it. */
function expectedOf({ setting, expect }: Rule, value: unknown): Expectation {
  const isForbidden = value === -1 && setting.endsWith("_key_restriction");
  return isForbidden && (expect.atLeast ?? 0) > 0 ? { ...expect, atLeast: -1 } : expect;
}

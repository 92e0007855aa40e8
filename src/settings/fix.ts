import { sameValue } from "./compare.ts";
import type { Rule } from "./hardening.ts";
import { isAsExpected } from "./judgment.ts";
import { hiddenValue, isShownMasked } from "./secret-settings.ts";
import { validateSettings } from "./validate.ts";

/**
 * The value that satisfies a rule that has failed, and keeps what may stay of the present one; undefined if the
 * administrator must choose one.
 */
export function fixOf(rule: Rule, present: unknown): unknown {
  const value = proposed(rule, present);
  if (value === undefined) return undefined;
  // An empty value is not set, so that no other condition holds for it.
  const isRight = isAsExpected(rule, value) ?? "is" in rule.expect;
  return isRight && isTaken(rule.setting, value) ? value : undefined;
}

function proposed({ setting, expect, fix }: Rule, present: unknown): unknown {
  if ("is" in expect) return expect.is;
  if (expect.has !== undefined) return withItem(setting, present, expect.has);
  const value = fix ?? expect.atMost ?? expect.atLeast;
  const isUnset = present === null || present === undefined || present === "";
  // One of another type, as a number in quotes, may be as strict as the rule, or stricter.
  return isUnset || typeof present === typeof value ? value : undefined;
}

/** The list with one more item; what an instance hides of it would be lost. */
function withItem(setting: string, present: unknown, item: string): unknown {
  if (!Array.isArray(present) || present.some(isShownMasked)) return undefined;
  return sameValue(hiddenValue(setting, present), present) ? [...present, item] : undefined;
}

function isTaken(setting: string, value: unknown): boolean {
  const problems = validateSettings({ [setting]: value }, { strict: false, alone: true });
  return problems.every(({ severity }) => severity !== "error");
}

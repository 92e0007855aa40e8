import { rulesText, type Who } from "../../api/endpoints/who.ts";
import { noSubjects, unmetRules } from "../../api/rules.ts";
import { Failure } from "../../base/errors.ts";

/** The requested elements of a change, as sent. */
interface Asked {
  deploy_access_levels?: readonly object[] | undefined;
  approval_rules?: readonly object[] | undefined;
}

/** Whether an environment has the rules that a change requested. */
export function hasRules(environment: object, { deploy_access_levels = [], approval_rules = [] }: Asked): boolean {
  const { deploy_access_levels: levels, approval_rules: approvals } = environment as Record<string, unknown>;
  return unmetRules(deploy_access_levels, levels).length + unmetRules(approval_rules, approvals).length === 0;
}

/** Whether an environment has other rules than those that it was protected with. */
export function hasOtherRules(environment: object, { deploy_access_levels = [], approval_rules = [] }: Asked): boolean {
  const { deploy_access_levels: levels, approval_rules: approvals } = environment as Record<string, unknown>;
  const count = (rules: unknown) => (Array.isArray(rules) ? rules.length : 0);
  return count(levels) > deploy_access_levels.length || count(approvals) > approval_rules.length;
}

type Rule = Readonly<Record<string, unknown>>;

/** A rule of an environment by its ID; one that does not exist is a Failure, and nothing is sent. */
export function heldRule(rules: unknown, id: number, { what, where }: { what: string; where: string }): Rule {
  const all = (Array.isArray(rules) ? rules : []) as Rule[];
  const found = all.find((rule) => rule.id === id);
  if (found !== undefined) return found;
  const hasIds = all.length === 0 || all.some((rule) => rule.id !== undefined);
  throw new Failure("notFound", `${where} has no ${what} rule ${id}`, {
    reason: all.length === 0 ? `it has no ${what} rules` : `its ${what} rules: ${rulesText(all)}`,
    ...(!hasIds && { hint: "instances before release 15.4 show no rule IDs: unprotect it, and protect it again" }),
  });
}

/**
 * The change of a rule. What is left out would keep the old subject beside the new one, and lower the number of
 * required approvals to 1 (protected-rule-defaults).
 */
export function replacement(rule: Rule, change: Who & { id: number; required_approvals?: number }): object {
  const kept = typeof rule.required_approvals === "number" ? { required_approvals: rule.required_approvals } : {};
  return { ...noSubjects, ...kept, ...change };
}

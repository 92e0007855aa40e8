import { isObject } from "../../base/is-object.ts";

/** The requested elements of a change, as sent. */
export interface Asked {
  deploy_access_levels?: readonly object[] | undefined;
  approval_rules?: readonly object[] | undefined;
}

type Rule = Readonly<Record<string, unknown>>;

/**
 * Whether an environment has the rules that a change requested: new ones exist, changed ones match, removed ones are
 * gone.
 */
export function hasRules(environment: object, { deploy_access_levels = [], approval_rules = [] }: Asked): boolean {
  const { deploy_access_levels: levels, approval_rules: approvals } = environment as Record<string, unknown>;
  return rulesMatch(rulesIn(levels), deploy_access_levels) && rulesMatch(rulesIn(approvals), approval_rules);
}

function rulesMatch(rules: readonly Rule[], asked: readonly object[]): boolean {
  const changes = asked as readonly Rule[];
  const named = changes.filter(({ id }) => id !== undefined);
  const kept = named.every((change) => {
    const rule = rules.find(({ id }) => id === change.id);
    return change._destroy === true ? rule === undefined : rule !== undefined && fits(rule, change);
  });
  // Each new element needs a separate rule that no other element names.
  const free = rules.filter(({ id }) => !named.some((change) => change.id === id));
  for (const change of changes.filter(({ id }) => id === undefined)) {
    const at = free.findIndex((rule) => fits(rule, { group_inheritance_type: 0, ...change }));
    if (at === -1) return false;
    free.splice(at, 1);
  }
  return kept;
}

const kinds = ["user_id", "group_id", "access_level"];

/**
 * Compares only what was requested. A rule has one of the three kinds, and instances may return a level in addition.
 */
function fits(rule: Rule, { id: _, ...change }: Rule): boolean {
  const kind = kinds.find((each) => change[each] !== undefined);
  if (kind === "access_level" && (isGiven(rule.user_id) || isGiven(rule.group_id))) return false;
  return Object.entries(change).every(([name, value]) => (rule[name] ?? absent[name]) === value);
}

/** The values of fields that an instance leaves out. */
const absent: Rule = { group_inheritance_type: 0, required_approvals: 1 };

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function rulesIn(value: unknown): readonly Rule[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

import { whoText } from "../../api/endpoints/who.ts";

// The rules of an environment before a change, in the words of flags, for the line that undoes it.

type Rule = Parameters<typeof whoText>[0] & { id?: number };

interface Environment {
  deploy_access_levels?: readonly Rule[];
  approval_rules?: readonly Rule[];
  /** Without rules: the older form of approvals, which no flag sets. */
  required_approval_count?: number | null;
}

/** The flags of `envs protect` for an environment; undefined if they cannot express all of it. */
export function flagsOf(before: Environment): object | undefined {
  const { deploy_access_levels: levels = [], approval_rules: approvals = [] } = before;
  if (approvals.length === 0 && (before.required_approval_count ?? 0) > 0) return undefined;
  if (![...levels, ...approvals].every(hasSubject)) return undefined;
  return { allow: levels.map(whoText), approval: approvals.map(whoText) };
}

/** The flags of `envs update` that restore the rules; undefined if nothing changed, or no flags express all of it. */
export function flagsBack(before: Environment, result: unknown): object | undefined {
  const now = result as Environment;
  const deploy = back(before.deploy_access_levels, now.deploy_access_levels);
  const approval = back(before.approval_rules, now.approval_rules);
  if (deploy === undefined || approval === undefined) return undefined;
  const flags = {
    remove_allow: deploy.added,
    set_allow: deploy.changed,
    allow: deploy.removed,
    remove_approval: approval.added,
    set_approval: approval.changed,
    approval: approval.removed,
  };
  return Object.values(flags).some((each) => each.length > 0) ? flags : undefined;
}

/** Undefined if a rule has no ID, or a subject that no flag has. */
function back(before: readonly Rule[] = [], now: readonly Rule[] = []) {
  const all = [...before, ...now];
  if (!all.every((rule) => typeof rule.id === "number" && hasSubject(rule))) return undefined;
  const held = new Map(now.map((rule) => [rule.id, whoText(rule)]));
  const known = new Set(before.map(({ id }) => id));
  return {
    added: now.filter(({ id }) => !known.has(id)).map(({ id }) => id),
    changed: before
      .filter((rule) => held.has(rule.id) && held.get(rule.id) !== whoText(rule))
      .map((rule) => `${rule.id}=${whoText(rule)}`),
    removed: before.filter(({ id }) => !held.has(id)).map(whoText),
  };
}

function hasSubject({ user_id, group_id, access_level }: Rule): boolean {
  return [user_id, group_id, access_level].some((each) => typeof each === "number");
}

import { isObject } from "../base/is-object.ts";
import { ownValue } from "../base/own-value.ts";
import { subjects } from "./normal.ts";

type Rule = Readonly<Record<string, unknown>>;

/**
 * The elements of a change of rules that a list of rules does not show: a new one that does not exist, a changed one
 * that does not match, a removed one that still exists. Each with the rule that the list has in its place.
 */
export function unmetRules(asked: unknown, held: unknown): { asked: Rule; held: Rule | undefined }[] {
  const rules = rulesIn(held);
  const changes = rulesIn(asked);
  const named = changes.filter(({ id }) => id !== undefined);
  const unmet = named.flatMap((change) => {
    const rule = rules.find(({ id }) => id === change.id);
    const met = change._destroy === true ? rule === undefined : rule !== undefined && fits(rule, change);
    return met ? [] : [{ asked: change, held: rule }];
  });
  // Each new element needs a separate rule that no other element names.
  const free = rules.filter(({ id }) => !named.some((change) => change.id === id));
  for (const change of changes.filter(({ id }) => id === undefined)) {
    const at = free.findIndex((rule) => fits(rule, { group_inheritance_type: 0, ...change }));
    if (at === -1) unmet.push({ asked: change, held: undefined });
    else free.splice(at, 1);
  }
  return unmet;
}

/** The subjects of a rule in requests, each null: a subject that is left out stays beside the new one. */
export const noSubjects: Rule = { user_id: null, group_id: null, access_level: null };

/** The element that removes a rule: instances require its subject, although the documents name only its ID. */
export function removedRule(rule: Rule): Rule {
  const subject = Object.keys(noSubjects).find((name) => isGiven(rule[name]));
  return { id: rule.id, ...(subject !== undefined && { [subject]: rule[subject] }), _destroy: true };
}

const kinds = Object.keys(subjects);
const others = kinds.filter((kind) => kind !== "access_level" && kind !== "username");

/**
 * Compares only what was requested. A rule has one subject, and instances may return a level in addition to a user or a
 * group.
 */
function fits(rule: Rule, { id: _, _destroy: __, ...change }: Rule): boolean {
  const kind = kinds.find((each) => isGiven(change[each]));
  if (kind === "access_level" && others.some((name) => isGiven(rule[name]))) return false;
  return Object.entries(change).every(([name, value]) => {
    if (Object.hasOwn(subjects, name) && name !== kind) return true;
    // Instances answer with the ID of a user who was named.
    if (name === "username" && !isGiven(rule.username)) return isGiven(rule.user_id);
    return (rule[name] ?? ownValue(absent, name) ?? null) === (value ?? null);
  });
}

/** The values of fields that an instance leaves out. */
const absent: Rule = { group_inheritance_type: 0, required_approvals: 1 };

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function rulesIn(value: unknown): readonly Rule[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

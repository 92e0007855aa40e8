import { noSubjects, removedRule } from "../../api/rules.ts";
import { isObject } from "../../base/is-object.ts";
import { fieldOf, type Kind, type StateField, type Values } from "../kind.ts";
import { canonical, normalRule, subjectOf } from "./normal.ts";

/**
 * The elements of an update that produce the desired rules: an ID changes an existing rule, `_destroy`
 * removes it, and an element without an ID adds one.
 */
export function ruleElements(field: StateField, desired: unknown, live: unknown): Values[] {
  const left = new Set(asRules(live));
  const bySubject = new Map<string, Values[]>();
  // The first of several is taken first.
  for (const rule of asRules(live).toReversed()) {
    const subject = subjectOf(rule);
    const others = bySubject.get(subject);
    if (others === undefined) bySubject.set(subject, [rule]);
    else others.push(rule);
  }
  const elements: Values[] = [];
  for (const rule of asRules(desired)) {
    const held = bySubject.get(subjectOf(rule))?.pop();
    if (held !== undefined) left.delete(held);
    if (held === undefined) elements.push(rule);
    else if (canonical(normalRule(field, held)) !== canonical(normalRule(field, rule))) {
      elements.push({ id: held.id, ...noSubjects, ...defaults(field), ...rule });
    }
  }
  return [...elements, ...[...left].map(removedRule)];
}

/** Whether an update would have to name a rule by an ID that the instance does not show, as before release 15.4. */
export function lacksRuleIds(field: StateField, desired: unknown, live: unknown): boolean {
  return ruleElements(field, desired, live).some((element) => "id" in element && element.id === undefined);
}

/** Values that are left out would remain unchanged, so defaults are sent. */
function defaults({ item = {} }: StateField): Values {
  const entries = Object.entries(item).filter(([, each]) => each.absent !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, each.absent]));
}

/** Whether the rules and the keys in these values are objects: a plan and a record come from anywhere. */
export function haveObjects(kind: Kind, values: Values): boolean {
  return Object.entries(values).every(
    ([name, value]) => fieldOf(kind, name).item === undefined || !Array.isArray(value) || value.every(isObject),
  );
}

export function asRules(value: unknown): Values[] {
  return Array.isArray(value) ? (value as Values[]) : [];
}

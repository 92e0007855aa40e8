import {
  getProtectedEnvironment,
  listProtectedEnvironments,
  protectEnvironment,
  unprotectEnvironment,
  updateProtectedEnvironment,
} from "../../api/endpoints/protected-environments.ts";
import { deployLevels } from "../../api/endpoints/who.ts";
import { asRules, ruleElements } from "../fields/rule-elements.ts";
import type { Kind, StateFields } from "../kind.ts";

const who: StateFields = {
  user_id: { form: "id" },
  username: { form: "text", description: "Instead of user_id" },
  group_id: { form: "id" },
  access_level: { form: "level", levels: deployLevels },
  group_inheritance_type: { form: "integer", min: 0, max: 1, absent: 0, description: "1: inherited members too" },
  id: { form: "id", readOnly: true },
  access_level_description: { form: "text", readOnly: true },
};

const rules = {
  deploy_access_levels: { form: "rules", item: who, description: "Users, groups, and levels that may deploy" },
  approval_rules: {
    form: "rules",
    item: { ...who, required_approvals: { form: "integer", min: 0, absent: 1 } },
    description: "Users, groups, and levels that must approve, and how many approvals",
  },
} as const satisfies StateFields;

/** No request shows or restores them (approvals-end-with-rule). */
export const decisionsLost =
  "deployments that wait lose what was approved and rejected under an approval rule that is removed, even if it is added again";

/** Environments with restricted deployments (`1-project-api: Protected environment`). */
export const environmentsKind: Kind = {
  name: "protected_environments",
  at: "project",
  form: "list",
  summary: "Protected environments of a project",
  fields: {
    name: { form: "text", required: true },
    deploy_access_levels: rules.deploy_access_levels,
    approval_rules: rules.approval_rules,
    required_approval_count: { form: "integer", readOnly: "recorded" },
  },
  keys: [["name"]],
  read: {
    endpoint: listProtectedEnvironments,
    detail: { endpoint: getProtectedEnvironment, by: "name", for: "approval_rules" },
  },
  removal: "delete",
  needs: ["deploy_access_levels"],
  // The older form of approvals.
  unset: ({ approval_rules: rules, required_approval_count: count }) =>
    asRules(rules).length > 0 || !(Number(count) > 0)
      ? undefined
      : `required_approval_count: ${Number(count)}, which no request sets; require them by approval_rules`,
  needsCaller: true,
  besides: ({ action, desired, live, write }) => {
    const held = asRules(live?.values.approval_rules);
    if (action === "delete") return held.length > 0 ? decisionsLost : undefined;
    if (live === undefined || !write.includes("approval_rules")) return undefined;
    const elements = ruleElements(rules.approval_rules, desired?.values.approval_rules, held);
    return elements.some((each) => "_destroy" in each) ? decisionsLost : undefined;
  },
  steps: ({ scope, action, desired, live, write }) => {
    const input = { project: scope.name, name: live?.values.name ?? desired?.values.name };
    if (action === "delete") return [{ endpoint: unprotectEnvironment, input }];
    const values = desired?.values ?? {};
    if (action === "create") {
      return [{ endpoint: protectEnvironment, input: { ...input, ...values } }];
    }
    const changed = write.filter((name) => Object.hasOwn(rules, name));
    const elements = changed.map((name) => [
      name,
      ruleElements(rules[name as keyof typeof rules], values[name], live?.values[name]),
    ]);
    return [{ endpoint: updateProtectedEnvironment, input: { ...input, ...Object.fromEntries(elements) } }];
  },
  lockout: ({ desired, live, write }, caller) => {
    if (caller === undefined || !write.includes("deploy_access_levels")) return undefined;
    const names = (list: unknown) => asRules(list).some(({ user_id: user }) => user === caller.id);
    const others = asRules(desired?.values.deploy_access_levels).some(({ user_id: user }) => user === undefined);
    if (!names(live?.values.deploy_access_levels) || names(desired?.values.deploy_access_levels) || others)
      return undefined;
    return { reason: "the caller would lose access", certain: true };
  },
};

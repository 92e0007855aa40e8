import {
  branchLevels,
  listProtectedBranches,
  protectBranch,
  unprotectBranch,
  updateProtectedBranch,
} from "../../api/endpoints/protected-branches.ts";
import { asRules, ruleElements } from "../fields/rule-elements.ts";
import type { Kind, StateField, StateFields, Values } from "../kind.ts";

const who: StateFields = {
  user_id: { form: "id" },
  username: { form: "text", description: "Instead of user_id" },
  group_id: { form: "id" },
  deploy_key_id: { form: "id", description: "Of those who may push" },
  // Instances show a level beside it, which does not count (branch-custom-roles).
  member_role_id: { form: "id", description: "Custom role" },
  access_level: { form: "level", levels: branchLevels },
  id: { form: "id", readOnly: true },
  access_level_description: { form: "text", readOnly: true },
};

function rules(description: string, same: Pick<StateField, "none" | "usual">): StateField {
  return { form: "rules", item: who, ...same, description };
}

const noOne = { none: "level:0" };

const limits = {
  push: rules("Users, groups, keys, and levels that may push; none is no one", noOne),
  merge: rules("Users, groups, and levels that may merge; none is no one", noOne),
  // branch-unprotected-by-all
  unprotect: rules("Users, groups, and levels that may unprotect; none is every Maintainer", { usual: "level:40" }),
} as const;

const flags = {
  allow_force_push: { form: "boolean", absent: false, description: "Those who may push may force it" },
  code_owner_approval_required: { form: "boolean", absent: false, description: "Code owners must approve" },
} as const satisfies StateFields;

/**
 * Protected branches, with who may push, merge, and unprotect as sets. Below Premium an instance takes one level of
 * each when a branch is protected, and no change of them later.
 */
export const protectedBranchesKind: Kind = {
  name: "protected_branches",
  at: "project",
  form: "list",
  summary: "Protected branches of a project",
  beyond: true,
  fields: {
    name: { form: "text", required: true, description: "Branch, or a pattern of names with *" },
    push_access_levels: limits.push,
    merge_access_levels: limits.merge,
    unprotect_access_levels: limits.unprotect,
    ...flags,
    id: { form: "id", readOnly: true },
    inherited: { form: "boolean", readOnly: true },
  },
  writeNames: {
    allowed_to_push: "push_access_levels",
    allowed_to_merge: "merge_access_levels",
    allowed_to_unprotect: "unprotect_access_levels",
  },
  keys: [["name"]],
  // Those of a group hold for its projects, beside their own of the same name, and are not changed in one of them.
  read: { endpoint: listProtectedBranches, isElsewhere: ({ inherited }) => inherited === true },
  removal: "delete",
  // branch-removed-along
  unrestored:
    "its squash option, and its place in status checks and approval rules, are not known to the API: protected again, " +
    "it has none",
  steps: ({ scope, action, desired, live, write }) => {
    const input = { project: scope.name, name: live?.values.name ?? desired?.values.name };
    if (action === "delete") return [{ endpoint: unprotectBranch, input }];
    const values = desired?.values ?? {};
    const plain = Object.keys(flags).filter((name) => write.includes(name));
    const own = Object.fromEntries(plain.map((name) => [name, values[name]]));
    const chosen = (Object.keys(limits) as (keyof typeof limits)[]).filter((limit) => write.includes(listOf(limit)));
    if (action === "create") {
      const given = chosen.map((limit) => forNew(limit, asRules(values[listOf(limit)])));
      return [{ endpoint: protectBranch, input: Object.assign({ ...input, ...own }, ...given) as Values }];
    }
    const changed = chosen.map((limit) => {
      const name = listOf(limit);
      return [`allowed_to_${limit}`, ruleElements(limits[limit], values[name], live?.values[name])] as const;
    });
    return [{ endpoint: updateProtectedBranch, input: { ...input, ...own, ...Object.fromEntries(changed) } }];
  },
};

function listOf(limit: string): string {
  return `${limit}_access_levels`;
}

/**
 * One level is given by itself, which every tier takes. Without any, the instance chooses Maintainers, which for
 * unprotecting is the same as none.
 */
function forNew(limit: keyof typeof limits, list: readonly Values[]): Values {
  const [first, ...others] = list;
  if (first === undefined) return limit === "unprotect" ? {} : { [`${limit}_access_level`]: branchLevels.no_one };
  const isLevel = others.length === 0 && first.access_level !== undefined && first.access_level !== null;
  return isLevel ? { [`${limit}_access_level`]: first.access_level } : { [`allowed_to_${limit}`]: list };
}

import {
  getProtectedEnvironment,
  listProtectedEnvironments,
  unprotectEnvironment,
} from "../../api/endpoints/protected-environments.ts";

import { decisionsLost, environmentsKind } from "../../state/kinds/environments.ts";
import { remove } from "../../verbs/remove.ts";
import { get, list } from "../../verbs/verbs.ts";
import { applyCommand, planCommand } from "../state/verbs.ts";
import { audit } from "./audit.ts";
import { protect } from "./protect.ts";
import { flagsOf } from "./undo.ts";
import { update } from "./update.ts";

const plan = planCommand({
  group: "envs",
  kind: environmentsKind,
  details:
    "The file is a list of environments as envs list -o yaml prints it, or any state file that has the project. Rules " +
    "are compared by their subject; a user may be named by username. Sends GET only.",
  examples: [{ line: "envs plan -f environments.yaml -p acme/storefront" }],
  related: ["envs apply", "state plan"],
});

const apply = applyCommand({
  group: "envs",
  kind: environmentsKind,
  details:
    "Determines which rules to add, change, and remove, and sends one request for each environment that differs.",
  examples: [{ line: "envs apply -f environments.yaml -p acme/storefront --prune --yes" }],
  related: ["envs plan", "state rollback"],
});

export const envs = [
  list(
    "list",
    listProtectedEnvironments,
    ["name", "deploy_access_levels", "required_approval_count", "approval_rules"],
    {
      examples: [{ line: "envs list -p acme/storefront" }],
      related: ["envs get", "envs protect"],
    },
  ),
  get("get", getProtectedEnvironment, {
    examples: [{ line: "envs get production -p acme/storefront" }],
    related: ["envs list", "envs update"],
  }),
  protect,
  update,
  remove("unprotect", unprotectEnvironment, {
    noun: "the protection of environment",
    remark: decisionsLost,
    details: `On instances, ${decisionsLost}.`,
    shows: getProtectedEnvironment,
    examples: [{ line: "envs unprotect staging/eu -p acme/storefront --yes" }],
    undo: {
      line: "envs protect {name} -p {project} --allow={before.allow...} [--approval={before.approval...}]",
      before: getProtectedEnvironment,
      inWords: flagsOf,
      but: decisionsLost,
    },
    related: ["envs protect"],
  }),
  plan,
  apply,
  audit,
];

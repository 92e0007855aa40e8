import {
  getProtectedEnvironment,
  listProtectedEnvironments,
  unprotectEnvironment,
} from "../../api/endpoints/protected-environments.ts";
import { group } from "../../command/command.ts";
import { get, list, remove } from "../../command/verbs.ts";
import { protect } from "./protect.ts";
import { update } from "./update.ts";

export const envs = group("envs", "Protected environments of a project", [
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
    examples: [{ line: "envs unprotect staging/eu -p acme/storefront --yes" }],
    related: ["envs protect"],
  }),
]);

import * as environments from "../../../src/api/endpoints/protected-environments.ts";
import { call } from "../call.ts";

const project = "acme/storefront";

export const calls = [
  call(environments.protectEnvironment, {
    project,
    name: "review/app",
    deploy_access_levels: [{ group_id: 4, group_inheritance_type: 1 }],
    approval_rules: [{ access_level: 40, required_approvals: 2 }],
  }),
  call(environments.listProtectedEnvironments, { project }),
  call(environments.getProtectedEnvironment, { project, name: "review/app" }),
  call(environments.updateProtectedEnvironment, {
    project,
    name: "review/app",
    deploy_access_levels: [{ user_id: 4 }],
  }),
  call(environments.unprotectEnvironment, { project, name: "review/app" }),
];

import * as branches from "../../../src/api/endpoints/protected-branches.ts";
import { call } from "../call.ts";

const project = "acme/storefront";
const name = "hotfix/*";

export const calls = [
  call(branches.listProtectedBranches, { project }, { as: "reporter" }),
  call(branches.protectBranch, { project, name, push_access_level: 30, allowed_to_merge: [{ user_id: 4 }] }),
  call(branches.updateProtectedBranch, { project, name, allow_force_push: true, allowed_to_push: [{ group_id: 4 }] }),
  call(branches.unprotectBranch, { project, name }),
];

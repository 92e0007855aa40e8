import * as scope from "../../../src/api/endpoints/job-token.ts";
import { call } from "../call.ts";

const project = "acme/mobile/android-app";

export const calls = [
  call(scope.getJobTokenScope, { project }, { as: "maintainer" }),
  call(scope.limitJobTokenScope, { project, enabled: false }, { as: "maintainer" }),
  call(scope.allowProject, { project, target_project_id: 12 }),
  call(scope.listAllowedProjects, { project }),
  call(scope.disallowProject, { project, target_project_id: 12 }),
  call(scope.allowGroup, { project, target_group_id: 8 }),
  call(scope.listAllowedGroups, { project }),
  call(scope.disallowGroup, { project, target_group_id: 8 }),
];

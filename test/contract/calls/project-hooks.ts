import * as hooks from "../../../src/api/endpoints/project-hooks.ts";
import { call } from "../call.ts";

const project = "acme/website";
const url = "https://hooks.example.com/in";

// The ID is that of the first hook that is created in a new sandbox.
const hook_id = 5;

export const calls = [
  call(
    hooks.createProjectHook,
    { project, url, push_events: true, custom_headers: [{ key: "X-Team", value: "blue" }] },
    { as: "maintainer" },
  ),
  call(hooks.listProjectHooks, { project }, { as: "maintainer" }),
  call(hooks.getProjectHook, { project, hook_id }, { as: "maintainer" }),
  call(hooks.updateProjectHook, { project, hook_id, url, note_events: true }),
  call(hooks.removeProjectHookHeader, { project, hook_id, key: "X-Team" }),
];

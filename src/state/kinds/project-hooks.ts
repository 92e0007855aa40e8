import {
  createProjectHook,
  getProjectHook,
  listProjectHooks,
  removeProjectHookHeader,
  updateProjectHook,
} from "../../api/endpoints/project-hooks.ts";
import type { Kind } from "../kind.ts";
import { hookKind } from "./hooks.ts";

/** Project webhooks, which the service has like those of groups. */
export const projectHooksKind: Kind = hookKind(
  { name: "project_hooks", section: "hooks", at: "project", summary: "Webhooks of a project", beyond: true },
  {
    list: listProjectHooks,
    get: getProjectHook,
    create: createProjectHook,
    update: updateProjectHook,
    removeHeader: removeProjectHookHeader,
  },
);

import type { Group } from "../model.ts";
import { ok } from "../reply.ts";
import type { Area, Router } from "../router.ts";
import { briefProject, groupUrl } from "./place-view.ts";

/**
 * What the service has and the three API documents do not: the lookup of a project and of a group by ID or path. Tools
 * that turn a path into an ID need them.
 */
export const companionsArea: Area = {
  name: "companions",
  routes(router) {
    project(router);
    group(router);
  },
};

function project(router: Router): void {
  router.on("GET /projects/:id", { access: { project: "guest", public: true } }, (call) => {
    const { project, world, origin } = call;
    const { visibility, container_registry_access_level } = project;
    return ok({ ...briefProject(world, project, origin), visibility, container_registry_access_level });
  });
}

function group(router: Router): void {
  router.on("GET /groups/:id", { access: { group: "guest", public: true } }, ({ group, origin }) =>
    ok(groupView(group, origin)),
  );
}

function groupView(group: Group, origin: string): object {
  const { id, name, path, full_name, full_path, parent_id, description, visibility, created_at } = group;
  const web_url = groupUrl(group, origin);
  return { id, name, path, full_name, full_path, parent_id, description, visibility, created_at, web_url };
}

import { page, pageParams } from "../../server/pagination.ts";
import { required, string } from "../../server/params.ts";
import { notFound } from "../../server/problem.ts";
import { created, noContent, ok } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import type { Project } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { changeHook, newHook } from "./change.ts";
import { hookId, removeHeader, removeHook } from "./find.ts";
import { type GroupHook, groupHooks } from "./model.ts";
import { hookParams } from "./params.ts";
import { viewHook } from "./view.ts";

const access = { project: "maintainer" } as const;

/** Hooks of projects: the service has them like those of groups, the API documents do not mention them. */
export function projectHooks(router: Router): void {
  router.on("GET /projects/:id/hooks", { access, params: pageParams }, (call) => {
    const rows = call.world.store.table(groupHooks).where((hook) => hook.project_id === call.project.id);
    return page(call, rows, (hook) => {
      const { custom_headers: _, url_variables: __, ...listed } = viewHook(call.world, hook);
      return listed;
    });
  });
  router.on("GET /projects/:id/hooks/:hook_id", { access, params: hookId }, ({ world, project, params }) =>
    ok(viewHook(world, find(world, project, params.hook_id))),
  );
  router.on("POST /projects/:id/hooks", { access, params: hookParams }, ({ world, project, params }) =>
    created(viewHook(world, newHook(world, { group_id: 0, project_id: project.id }, params))),
  );
  const params = { ...hookParams, ...hookId };
  router.on("PUT /projects/:id/hooks/:hook_id", { access, params }, ({ world, project, params }) => {
    const { hook_id, ...values } = params;
    return ok(viewHook(world, changeHook(world, find(world, project, hook_id), values)));
  });
  const one = { access, params: { ...hookId, key: required(string()) } };
  router.on("DELETE /projects/:id/hooks/:hook_id/custom_headers/:key", one, ({ world, project, params }) => {
    removeHeader(world, find(world, project, params.hook_id), params.key);
    return noContent();
  });
  router.on("DELETE /projects/:id/hooks/:hook_id", { access, params: hookId }, ({ world, project, params }) => {
    removeHook(world, find(world, project, params.hook_id));
    return noContent();
  });
}

function find(world: World, project: Project, id: number): GroupHook {
  const hook = world.store.table(groupHooks).get(id);
  if (hook?.project_id !== project.id) throw notFound("Hook");
  return hook;
}

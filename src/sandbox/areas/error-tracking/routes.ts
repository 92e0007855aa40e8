import { randomBytes } from "node:crypto";
import { type Call, checkUnmodifiedSince } from "../../server/call.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { boolean, integer, required } from "../../server/params.ts";
import { notFound } from "../../server/problem.ts";
import { created, noContent, ok, type Reply } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import type { Timestamp } from "../../store/model.ts";
import { createRandom } from "../../store/random.ts";
import { collection, type Row } from "../../store/store.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";

/** Settings of a project with error tracking set up; the id is the project's. */
interface ErrorSettings extends Row {
  readonly active: boolean;
  readonly project_name: string | null;
  readonly tracker_external_url: string | null;
  readonly api_url: string | null;
  readonly integrated: boolean;
}

interface ClientKey extends Row {
  readonly project_id: number;
  readonly active: boolean;
  readonly public_key: string;
  readonly created_at: Timestamp;
}

const errorSettings = collection<ErrorSettings>("error_tracking_settings");
const clientKeys = collection<ClientKey>("error_tracking_client_keys");

const access = { project: "maintainer" } as const;

/** Error tracking: 1-project-api: Error tracking. */
export const errorTrackingArea: Area = {
  name: "error-tracking",
  seed,
  routes(router) {
    settings(router);
    keys(router);
  },
};

/** The storefront uses the integrated tracker, the gateway an external one; the others were never set up. */
function seed(world: World): void {
  const random = createRandom(1_618_033);
  const table = world.store.table(errorSettings);
  table.insert({ id: 7, active: true, integrated: true, ...nowhere });
  table.insert({
    id: 3,
    active: true,
    integrated: false,
    project_name: "gateway",
    tracker_external_url: "https://errors.acme.example/acme/gateway",
    api_url: "https://errors.acme.example/api/0/projects/acme/gateway/",
  });
  for (const days of [400, 90]) {
    world.store.table(clientKeys).insert({
      project_id: 7,
      active: true,
      public_key: `et_${random.hex(32)}`,
      created_at: daysAgo(world.now(), days),
    });
  }
}

const nowhere = { project_name: null, tracker_external_url: null, api_url: null };

function settings(router: Router): void {
  const path = "/projects/:id/error_tracking/settings" as const;
  router.on(`GET ${path}`, { access }, ({ world, project }) => ok(view(world, settingsOf(world, project.id))));
  const both = { active: required(boolean()), integrated: required(boolean()) };
  router.on(`PUT ${path}`, { access, params: both }, ({ world, project, params }) => {
    if (world.asDeployed && !integratedProjects.includes(project.id)) throw notFound();
    const table = world.store.table(errorSettings);
    const wanted = { ...(table.get(project.id) ?? nowhere), ...params, id: project.id };
    return refusal(world, wanted) ?? ok(view(world, table.insert(wanted)));
  });
  const some = { active: required(boolean()), integrated: boolean() };
  router.on(`PATCH ${path}`, { access, params: some }, ({ world, project, params }) => {
    const before = settingsOf(world, project.id);
    const change = { active: params.active, integrated: params.integrated ?? before.integrated };
    const refused = refusal(world, { ...before, ...change });
    return refused ?? ok(view(world, world.store.table(errorSettings).update(project.id, change)));
  });
}

/** PATCH is for "the already configured settings", so a project without settings returns none either. */
function settingsOf(world: World, projectId: number): ErrorSettings {
  const found = world.store.table(errorSettings).get(projectId);
  if (found === undefined) throw notFound("Error Tracking Setting");
  return found;
}

/** Projects with the integrated tracker on real instances, where this feature is off by default. */
const integratedProjects: readonly number[] = [7];

/** Real instances refuse settings with a 200 whose body says so. */
function refusal(world: World, { active, integrated, api_url }: ErrorSettings): Reply | undefined {
  if (!world.asDeployed || !active || integrated || api_url !== null) return undefined;
  const message =
    "Error tracking setting api url is a required field and Error tracking setting token is a required field";
  return ok({ status: "error", message, http_status: 422 });
}

function view(world: World, settings: ErrorSettings): Record<string, unknown> {
  const { active, project_name, tracker_external_url, api_url, integrated } = settings;
  const external = world.asDeployed ? "sentry_external_url" : "tracker_external_url";
  return { active, project_name, [external]: tracker_external_url, api_url, integrated };
}

/** Keys can be created before error tracking is set up. They are secrets, so scope `read_api` cannot read them. */
function keys(router: Router): void {
  const path = "/projects/:id/error_tracking/client_keys" as const;
  router.on(`GET ${path}`, { access, params: pageParams, scopes: [] }, (call) => {
    const rows = call.world.store.table(clientKeys).where((key) => key.project_id === call.project.id);
    return page(call, rows, (key) => viewKey(call, key));
  });
  router.on(`POST ${path}`, { access }, (call) => {
    const { world, project } = call;
    const key = world.store.table(clientKeys).insert({
      project_id: project.id,
      active: true,
      public_key: `et_${randomBytes(16).toString("hex")}`,
      created_at: world.timestamp(),
    });
    return created(viewKey(call, key));
  });
  const params = { key_id: required(integer()) };
  router.on(`DELETE ${path}/:key_id`, { access, params }, (call) => {
    const { world, project, params } = call;
    const key = world.store.table(clientKeys).get(params.key_id);
    if (key?.project_id !== project.id) throw notFound("Client Key");
    checkUnmodifiedSince(call, key.created_at);
    world.store.table(clientKeys).delete(key.id);
    return world.asDeployed ? ok(viewKey(call, key)) : noContent();
  });
}

type Viewing = Pick<Call, "world" | "origin">;

function viewKey(
  { world, origin }: Viewing,
  { id, active, public_key, project_id }: ClientKey,
): Record<string, unknown> {
  const collector = new URL(`/api/v4/error_tracking/collector/${project_id}`, origin);
  collector.username = public_key;
  return { id, active, public_key, [world.asDeployed ? "sentry_dsn" : "tracker_dsn"]: collector.href };
}

import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { settingOf } from "../areas/settings/routes.ts";
import { type Group, type Project, projects } from "../store/model.ts";
import type { World } from "../store/world.ts";
import {
  type Access,
  admitToGroup,
  admitToProject,
  authenticate,
  type Caller,
  findGroup,
  findProject,
} from "./access.ts";
import { fromPairs, readBody } from "./body.ts";
import type { Call } from "./call.ts";
import { cut } from "./cut-name.ts";
import { checkGranular } from "./granular.ts";
import { rawParams } from "./nested.ts";
import { type Params, readParams } from "./params.ts";
import { forbidden, methodNotAllowed, notFound, Problem, unauthorized } from "./problem.ts";
import { json, type Reply } from "./reply.ts";
import { respond } from "./respond.ts";
import { type Area, type Route, type RouteOptions, Router } from "./router.ts";

type Bindings = { Bindings: HttpBindings };

/** A request that is not yet matched to a route. */
interface Incoming {
  readonly message: IncomingMessage;
  readonly method: string;
  readonly url: URL;
  /** Path as sent, before any decoding. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
}

/** Combines the areas into one application. Unexpected errors become a 500 and a line in the log. */
export function createApp(world: World, areas: readonly Area[]): Hono<Bindings> {
  const router = new Router();
  for (const area of areas) area.routes(router);
  const app = new Hono<Bindings>({ strict: false });
  const methods = new Set<string>();
  for (const route of router.routes()) {
    methods.add(route.method);
    const answer = serve(world, areas, route);
    app.on(route.method, route.path, async (c) => respond(c.req, await answer(toIncoming(c), c.req.param())));
  }
  app.notFound((c) => {
    const allowed = [...methods].filter((method) => app.router.match(method, c.req.path)[0].length > 0);
    return respond(c.req, problemReply(refuse(allowed)));
  });
  app.onError((error, c) => {
    if (error instanceof Problem) return respond(c.req, problemReply(error));
    world.log(`internal error: ${error.stack ?? error.message}`);
    return respond(c.req, json(500, { message: "500 Internal Server Error" }));
  });
  return app;
}

function toIncoming(c: Context<Bindings>): Incoming {
  return {
    message: c.env.incoming,
    method: c.req.method,
    url: new URL(c.req.url),
    path: (c.env.incoming.url ?? "/").split("?")[0] ?? "/",
    header: (name) => c.req.header(name),
  };
}

function problemReply(problem: Problem): Reply {
  return json(problem.status, problem.body, problem.headers);
}

function refuse(allowed: readonly string[]): Problem {
  if (allowed.length === 0) return new Problem(404, { error: "404 Not Found" });
  return methodNotAllowed(allowed.includes("GET") ? [...allowed, "HEAD"] : allowed);
}

type Matched = (incoming: Incoming, pathParams: Record<string, string>) => Promise<Reply>;

/** Checks a request's access, reads its parameters, and calls the handler. */
function serve(world: World, areas: readonly Area[], route: Route): Matched {
  const { options, handler } = route;
  const { params = {}, access = { user: true } } = options;
  return async (incoming, given) => {
    const { url, header } = incoming;
    const reads = incoming.method === "GET" || incoming.method === "HEAD";
    const caller: Caller =
      "open" in access
        ? { user: undefined, token: undefined }
        : authenticate(world, { header, query: url.searchParams }, reads, { ...options, public: "public" in access });
    checkInstance(world, options);
    const pathParams = world.asDeployed ? cut(given, options) : given;
    if (world.asDeployed) checkDeployed(world, options, { caller, pathParams });
    const admitted = admitAsServed({ route, world, areas, access, caller, incoming, pathParams });
    const body = await readBody(incoming.message, options.upload ? () => world.store.blobs.folder() : undefined);
    try {
      const raw = Object.assign(rawParams(), fromPairs(url.searchParams), body.values, pathParams);
      const call = {
        world,
        method: incoming.method,
        origin: url.origin,
        path: incoming.path,
        query: url.searchParams,
        header,
        params: readParams(params, raw),
        raw,
        ...caller,
        ...admitted,
      };
      return await handler(call as unknown as Call<Params, Access>);
    } finally {
      await body.discard();
    }
  };
}

/** A route that this tier or hosting does not have answers like an unknown route. */
function checkInstance(world: World, options: RouteOptions): void {
  if (options.tier !== undefined && !world.has(options.tier)) throw notFound();
  if (options.hosting !== undefined && world.hosting !== options.hosting) throw notFound();
}

/** Checks that real instances run first. */
function checkDeployed(
  world: World,
  { deployed = {} }: RouteOptions,
  { caller, pathParams }: { readonly caller: Caller; readonly pathParams: Readonly<Record<string, string>> },
): void {
  if (deployed.authenticates && caller.user === undefined) throw unauthorized();
  if (deployed.dotless && Object.values(pathParams).some((value) => value.includes("."))) {
    throw new Problem(404, { error: "404 Not Found" });
  }
  if (deployed.numericId && !/^\d+$/.test(pathParams.id ?? "")) throw new Problem(400, { error: "id is invalid" });
  const { needsSetting } = deployed;
  // On the hosted offering, settings cannot be read or changed, and these features are on.
  if (needsSetting !== undefined && world.hosting !== "hosted" && settingOf(world, needsSetting) !== true) {
    throw notFound();
  }
}

/**
 * Checks access: the place first, then what a fine-grained token may do, then the role. The error is less specific
 * where real instances' is.
 */
function admitAsServed(admission: Admission): ReturnType<typeof admit> {
  const { caller, route } = admission;
  try {
    const admitted = admit(admission);
    checkGranular(caller.token, route.method, route.path);
    return admitted;
  } catch (error) {
    if (error instanceof Problem && error.status === 403) checkGranular(caller.token, route.method, route.path);
    const hides = admission.world.asDeployed && admission.route.options.deployed?.refusesWith401 === true;
    throw hides && error instanceof Problem && error.status >= 400 ? unauthorized() : error;
  }
}

interface Admission {
  readonly route: Route;
  readonly world: World;
  readonly areas: readonly Area[];
  readonly access: Access;
  readonly caller: Caller;
  readonly incoming: Incoming;
  readonly pathParams: Record<string, string>;
}

/** Enforces the access that the route declares. */
function admit(admission: Admission): { project: Project | undefined; group: Group | undefined; level: number } {
  const { world, access, caller } = admission;
  const nothing = { project: undefined, group: undefined, level: caller.user?.admin ? 60 : 0 };
  if ("open" in access || "anonymous" in access) return nothing;
  if ("project" in access) {
    const project = findProject(world, idIn(admission), (moved) => relocate(admission, moved));
    const level = admitToProject(world, project, { caller, least: access.project, public: access.public === true });
    if (project !== undefined) checkJobTokenReach(admission, project);
    return { ...nothing, project, level };
  }
  if ("group" in access) {
    const group = findGroup(world, idIn(admission));
    const level = admitToGroup(world, group, { caller, least: access.group, public: access.public === true });
    return { ...nothing, group, level };
  }
  if (caller.user === undefined) throw unauthorized();
  if ("administrator" in access && !caller.user.admin) throw forbidden();
  return nothing;
}

/** The project or group that a path names; the documents' name for the parameter varies. */
function idIn({ pathParams }: Admission): string {
  return pathParams.id ?? pathParams.project_id ?? pathParams.groups_id ?? "";
}

function relocate({ incoming, pathParams }: Admission, project: Project): string {
  const old = idIn({ pathParams } as Admission);
  const path = incoming.path
    .split("/")
    .map((segment) => (safeDecode(segment) === old ? String(project.id) : segment))
    .join("/");
  return `${incoming.url.origin}${path}${incoming.url.search}`;
}

function safeDecode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A job token gives access to its own project, and to others if an area allows it (1-project-api: Job token scope). */
function checkJobTokenReach(admission: Admission, project: Project): void {
  const { world, areas, caller } = admission;
  const from = caller.token?.kind === "job" ? caller.token.project_id : null;
  if (from === null || from === project.id) return;
  if (world.asDeployed) checkOwnJobToken(admission);
  if (!areas.some((area) => area.jobTokenReaches?.(world, from, project.id))) {
    if (!world.asDeployed) {
      throw forbidden("The job token of this project is not allowed to access the target project.");
    }
    const path = world.store.table(projects).get(from)?.path_with_namespace;
    const to = project.path_with_namespace;
    throw forbidden(`Authentication by CI/CD job token not allowed from ${path} to ${to}.`);
  }
  if (world.asDeployed) checkJobPermission(admission, from, project);
}

function checkOwnJobToken({ route }: Admission): void {
  if (route.options.deployed?.ownJobToken !== true) return;
  throw forbidden(
    "This project's CI/CD job token cannot be used to authenticate with the container registry of a different project.",
  );
}

/** An entry of the allowlist may be limited to some permissions, which no request shows. */
function checkJobPermission({ route, world, areas }: Admission, from: number, project: Project): void {
  const required = route.options.deployed?.jobPermission;
  const held = areas.flatMap((area) => area.jobTokenPermissions?.(world, from, project.id) ?? []);
  const isLimited = areas.some((area) => area.jobTokenPermissions?.(world, from, project.id) !== undefined);
  if (required === undefined || !isLimited || held.includes(required)) return;
  throw forbidden(
    `Insufficient permissions to access this resource in project ${project.path}. ` +
      `The following token permission is required: ${required}.`,
  );
}

import type { Activity, World } from "../store/world.ts";
import type { Access, TokenRules } from "./access.ts";
import type { Call } from "./call.ts";
import type { Hosting, Tier } from "./options.ts";
import type { Params } from "./params.ts";
import type { Reply } from "./reply.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How real instances differ from the documents before the handler runs. */
interface DeployedRoute {
  /** Path parameters may not contain a dot, even encoded: the rest is parsed as a format, and the answer is a 404. */
  readonly dotless?: true;
  /** The path parameter of which only what is before the dot is read, as the rest is a format; two dots are a 404. */
  readonly cuts?: string;
  /** A missing permission and a missing project or group are both a 401. */
  readonly refusesWith401?: true;
  /** `:id` must be a number: a path is a 400. */
  readonly numericId?: true;
  /** The setting that must be on: otherwise the route is a 404. */
  readonly needsSetting?: string;
  /** Without a user, it is a 401; other routes answer as if the caller were anybody. */
  readonly authenticates?: true;
  /** A job token works only for the project of its job. */
  readonly ownJobToken?: true;
  /** The permission that a job token of another project requires. */
  readonly jobPermission?: string;
}

/** A route's declarations, enforced before the handler runs. */
export interface RouteOptions<P extends Params = Params, A extends Access = Access> extends TokenRules {
  /** The required access; the default is any signed-in user. */
  readonly access?: A;
  /** Parameters from path, query, and body; the handler gets only these. */
  readonly params?: P;
  /** The lowest tier; below it the route is a 404. */
  readonly tier?: Tier;
  /** The only kind of hosting; on the other one the route is a 404. */
  readonly hosting?: Hosting;
  /** Files of a multipart form are received; see `file()`. */
  readonly upload?: boolean;
  /** Differences of real instances; see `--as-deployed`. */
  readonly deployed?: DeployedRoute;
  /** The path starts at the root of the server instead of `/api/v4`. */
  readonly root?: boolean;
}

export type Handler<P extends Params, A extends Access> = (call: Call<P, A>) => Reply | Promise<Reply>;

export interface Route {
  readonly method: Method;
  /** In the router's syntax: `:name` is one segment, `:name{.+}` several. */
  readonly path: string;
  readonly options: RouteOptions;
  readonly handler: Handler<Params, Access>;
}

/** Collects the routes of the areas. */
export class Router {
  readonly #routes: Route[] = [];

  /**
   * Adds a route such as `GET /projects/:id/jobs/:job_id/artifacts/*artifact_path`: `:name` is one encoded segment,
   * `*name` one or more. The order does not matter: if two routes match, the more literal one answers.
   */
  on<P extends Params = Record<never, never>, A extends Access = { readonly user: true }>(
    route: `${Method} /${string}`,
    options: RouteOptions<P, A>,
    handler: Handler<P, A>,
  ): void {
    const space = route.indexOf(" ");
    const path = route.slice(space + 1).replace(/\*(\w+)/g, ":$1{.+}");
    this.#routes.push({
      method: route.slice(0, space) as Method,
      path: options.root ? path : `/api/v4${path}`,
      options,
      handler: handler as unknown as Handler<Params, Access>,
    });
  }

  /** All routes, the more literal ones first. */
  routes(): Route[] {
    const ranked = this.#routes.map((route) => ({ route, rank: rank(route.path) }));
    return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ route }) => route);
  }
}

/** One character per segment, so that literals sort before parameters, and these before a rest parameter. */
function rank(path: string): string {
  return path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? (segment.endsWith("{.+}") ? "2" : "1") : "0"))
    .join("");
}

/** A part of the API: its demo data and its routes. */
export interface Area {
  readonly name: string;
  /** Fills its collections with demo data. Runs once per store: not if the data file already has them. */
  readonly seed?: (world: World) => void;
  readonly routes: (router: Router) => void;
  /** Whether a job token of one project may be used on another: one area that returns true is enough. */
  readonly jobTokenReaches?: (world: World, fromProjectId: number, toProjectId: number) => boolean;
  /** What a job token of one project may do in another; undefined for everything. */
  readonly jobTokenPermissions?: (world: World, from: number, to: number) => readonly string[] | undefined;
  /** Called for every event in any area while the sandbox runs. */
  readonly onEvent?: (world: World, event: Activity) => void;
}

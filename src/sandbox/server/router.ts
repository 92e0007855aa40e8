import type { Happening, World } from "../store/world.ts";
import type { Access, TokenRules } from "./access.ts";
import type { Call } from "./call.ts";
import type { Hosting, Tier } from "./options.ts";
import type { Params } from "./params.ts";
import type { Reply } from "./reply.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Where real instances differ from the documents before a route's own work begins. */
interface DeployedRoute {
  /** No name in the path may hold a dot, encoded or not: what follows it is taken for a format, and the route is a 404. */
  readonly dotless?: true;
  /** A missing right and a missing place are both a 401. */
  readonly refusesWith401?: true;
  /** `:id` is a number: a path is a 400. */
  readonly numericId?: true;
  /** The setting that must be on: without it the route is a 404. */
  readonly needsSetting?: string;
}

/** What a route declares; the core holds requests to it before the handler runs. */
export interface RouteOptions<P extends Params = Params, A extends Access = Access> extends TokenRules {
  /** Who may; the default is anyone signed in. */
  readonly access?: A;
  /** Parameters from path, query, and body alike; the handler gets these and no others. */
  readonly params?: P;
  /** The least tier; below it the route is a 404. */
  readonly tier?: Tier;
  /** The only kind of hosting; on the other one the route is a 404. */
  readonly hosting?: Hosting;
  /** Files of a multipart form are received; see `file()`. */
  readonly upload?: boolean;
  /** How instances as they are deployed serve it otherwise; see `--as-deployed`. */
  readonly deployed?: DeployedRoute;
  /** The path starts at the root of the server and not below `/api/v4`. */
  readonly root?: boolean;
}

export type Handler<P extends Params, A extends Access> = (call: Call<P, A>) => Reply | Promise<Reply>;

export interface Route {
  readonly method: Method;
  /** In the router's words: `:name` is one segment, `:name{.+}` several. */
  readonly path: string;
  readonly options: RouteOptions;
  readonly handler: Handler<Params, Access>;
}

/** Collects the routes of the areas. */
export class Router {
  readonly #routes: Route[] = [];

  /**
   * Adds a route such as `GET /projects/:id/jobs/:job_id/artifacts/*artifact_path`: `:name` is one encoded segment,
   * `*name` one or more. The order of adding does not matter: where two routes fit, the more literal one answers.
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
    return [...this.#routes].sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1));
  }
}

/** One character a segment, so that literal segments sort before parameters and these before the rest of a path. */
function rank(path: string): string {
  return path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? (segment.endsWith("{.+}") ? "2" : "1") : "0"))
    .join("");
}

/** A part of the API: what it puts into a fresh store, and its routes. */
export interface Area {
  readonly name: string;
  /** Fills its collections with demo data. Runs once for a store: not when the data file already holds them. */
  readonly seed?: (world: World) => void;
  readonly routes: (router: Router) => void;
  /** Whether a job token of one project may be used on another: any area that says yes is enough. */
  readonly jobTokenReaches?: (world: World, fromProjectId: number, toProjectId: number) => boolean;
  /** Told of everything that happens in any area, once the sandbox runs. */
  readonly hears?: (world: World, happening: Happening) => void;
}

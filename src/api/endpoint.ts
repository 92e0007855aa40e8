import type { Entity, Field, Fields, FieldType, Row, Values } from "./field.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
type Role = "guest" | "planner" | "reporter" | "developer" | "maintainer" | "owner" | "administrator";

/** Who may call an endpoint, and where it exists. Feeds help, docs, and the hint of a 403 or 404. */
export interface Access {
  role?: Role;
  tier?: "premium" | "ultimate";
  hosting?: "hosted" | "self-managed";
  /** A CI job token is accepted. */
  jobToken?: boolean;
  /** What a 404 may mean besides, such as an ID that is easily taken for another. */
  notFound?: string;
  /** What a status says here where the instance gives no reason of its own: `{ 400: "no provider is set up" }`. */
  means?: Readonly<Record<number, string>>;
}

/** Where a path starts: under `/api/v4`, at the instance's root, or at the container registry's own address. */
export type Base = "api" | "instance" | "registry";

type Returns = Entity | "nothing" | "bytes" | "json" | HeaderEntity;

/** The response's vendor headers (`X-Service-Blob-Id`) read into an entity's fields (`blob_id`). */
interface HeaderEntity<S extends Fields = Fields> {
  readonly headers: Entity<S>;
}

type OutputOf<T> =
  T extends Entity<infer S>
    ? Row<S>
    : T extends HeaderEntity<infer S>
      ? Row<S>
      : T extends "nothing"
        ? undefined
        : T extends "bytes"
          ? AsyncIterable<Uint8Array>
          : unknown;

/** The names in a route: `:id` is one encoded segment, `*path` several. */
type RouteNames<R extends string> = R extends `${infer Head}/${infer Tail}`
  ? RouteNames<Head> | RouteNames<Tail>
  : R extends `:${infer Name}` | `*${infer Name}`
    ? Name
    : never;

type InputOf<R extends string, P extends Fields> = { [K in RouteNames<R> & keyof P]: FieldType<P[K]> } & Values<
  Omit<P, RouteNames<R>>
>;

/** One operation of the API, as data. `I` and `O` are what a caller gives and gets. */
export interface Endpoint<I = never, O = unknown, S extends Fields = Fields> {
  readonly route: string;
  readonly method: Method;
  /** The route's path, with its `:name` and `*name` places. */
  readonly path: string;
  readonly summary: string;
  readonly params: Fields;
  readonly returns: Returns;
  /** The answer is a list in pages; how it goes on is read from each page's headers. */
  readonly page: "offset" | undefined;
  readonly encoding: "json" | "form" | "multipart";
  readonly base: Base;
  readonly access: Access;
  /** Sending it twice does more than sending it once, whatever its method: a PUT that adds. */
  readonly once: boolean;
  /** The service has it and the API documents do not: an instance may lack it. */
  readonly beyond: boolean;
  /** On real instances no value in the path may hold a dot: a group's path or a username is turned into its ID first. */
  readonly dotless: boolean;
  /** On real instances the project in the path must be its number: a path is turned into it first. */
  readonly numeric: boolean;
  /** Only types. */
  readonly input?: (input: I) => void;
  readonly output?: O;
  readonly shape?: S;
}

export type AnyEndpoint = Endpoint<never, unknown>;
export type ListEndpoint<I, S extends Fields> = Endpoint<I, Row<S>[], S>;

interface Definition<R extends string, P extends Fields, T extends Returns> {
  route: R;
  /** An imperative without a full stop: "List a project's registry repositories". Error messages are made of it. */
  summary: string;
  params: P & { readonly [K in RouteNames<R>]: Field };
  returns: T;
  page?: "offset";
  encoding?: "form" | "multipart";
  base?: Exclude<Base, "api">;
  access: Access;
  once?: true;
  beyond?: true;
  dotless?: true;
  numeric?: true;
}

type ShapeOf<T> = T extends Entity<infer S> ? S : Fields;

/** Declares an endpoint. A name in the route that is missing from `params` is a type error. */
export function endpoint<const R extends `${Method} /${string}`, P extends Fields, const T extends Returns>(
  definition: Definition<R, P, T> & { page: "offset" },
): Endpoint<InputOf<R, P>, OutputOf<T>[], ShapeOf<T>>;
export function endpoint<const R extends `${Method} /${string}`, P extends Fields, const T extends Returns>(
  definition: Definition<R, P, T>,
): Endpoint<InputOf<R, P>, OutputOf<T>, ShapeOf<T>>;
export function endpoint(definition: Definition<string, Fields, Returns>): Endpoint {
  const separator = definition.route.indexOf(" ");
  return {
    encoding: "json",
    base: "api",
    page: undefined,
    once: false,
    beyond: false,
    dotless: false,
    numeric: false,
    ...definition,
    method: definition.route.slice(0, separator) as Method,
    path: definition.route.slice(separator + 1),
  };
}

/** The entity whose fields an answer holds, if it is documented. */
export function entityOf(endpoint: AnyEndpoint): Entity | undefined {
  if (typeof endpoint.returns === "string") return undefined;
  return "headers" in endpoint.returns ? endpoint.returns.headers : endpoint.returns;
}

/** The names in an endpoint's path, in order. */
export function pathNames(endpoint: AnyEndpoint): string[] {
  return [...endpoint.path.matchAll(/[:*]([a-z_]+)/g)].map((match) => match[1] ?? "");
}

/** Whether a call can change something on the instance. */
export function changes(endpoint: AnyEndpoint): boolean {
  return endpoint.method !== "GET" && endpoint.method !== "HEAD";
}

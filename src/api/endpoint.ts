import type { Answer, Entity, Field, Fields, FieldType, Row, Values } from "./field.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
type Role = "guest" | "planner" | "reporter" | "developer" | "maintainer" | "owner" | "administrator";

/** Who may call an endpoint, and where it exists. Feeds help, docs, and the hint of a 403 or 404. */
export interface Access {
  role?: Role;
  tier?: "premium" | "ultimate";
  hosting?: "hosted" | "self-managed";
  /** The release that introduced it: `17.3`. */
  since?: string;
  /** The scopes of an access token that suffice, if the documents name them. */
  scopes?: readonly string[];
  /** A CI job token is accepted. */
  jobToken?: boolean;
  /** Further causes of a 404, such as an ID that is easily confused with another. */
  notFound?: string;
  /** Further causes of a 403 that gives no reason, such as a protected object. */
  forbidden?: string;
  /** The meaning of a status if the instance gives no reason: `{ 400: "no provider is set up" }`. */
  means?: Readonly<Record<number, string>>;
  /** Refusals that are answered with a general status: what their text says, and the status that means it. */
  refusals?: readonly { readonly says: RegExp; readonly as: number }[];
}

/** The base of a path: `/api/v4`, the instance's root, or the container registry's address. */
export type Base = "api" | "instance" | "registry";

/** `status`: `{"message":"202 Accepted"}` or so, or nothing. */
type Returns = Entity | "nothing" | "status" | "bytes" | "json" | HeaderEntity;

/** The response's vendor headers (`X-Service-Blob-Id`) read into an entity's fields (`blob_id`). */
interface HeaderEntity<S extends Fields = Fields> {
  readonly headers: Entity<S>;
}

type OutputOf<R, T> =
  T extends Entity<infer S>
    ? R extends `${"GET" | "HEAD"} ${string}`
      ? Row<S>
      : Answer<S>
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

interface ReadBy {
  readonly endpoint: AnyEndpoint;
  readonly places?: Readonly<Record<string, string>>;
  /** What only a refusal says: then there is nothing to read. */
  readonly unless?: readonly [name: string, value: string];
}

/**
 * How to see whether a name is cut, and what to do in place of the change: what shows the object of the name before
 * the dot, or lists it; with `key`, what shows this object, and the field that has its name; with `within`, what it is
 * a part of, or the list that has that.
 */
interface CutNames {
  readonly showing: AnyEndpoint;
  readonly key?: string;
  /** The field with the parts. */
  readonly within?: string;
  readonly instead: string;
}

/** Instances accept one order by cursor: by ID in either direction, or by name in ascending order. */
export type Cursor = "id" | "name";

/** One operation of the API, as data. `I` is its input, `O` its result. */
export interface Endpoint<I = never, O = unknown, S extends Fields = Fields> {
  readonly route: string;
  readonly method: Method;
  /** The route's path, with its `:name` and `*name` places. */
  readonly path: string;
  readonly summary: string;
  /** A change with two directions: the flag that selects one, and a summary of each for errors. */
  readonly directions: { readonly by: string; readonly on: string; readonly off: string } | undefined;
  readonly params: Fields;
  readonly returns: Returns;
  /** The answer is a paginated list; each page's headers say how it continues. */
  readonly page: "offset" | undefined;
  /** What instances order the list by if it is read by cursor, as it must be past their last numbered page. */
  readonly cursor: Cursor | undefined;
  /**
   * Real instances count this list up to this number of rows only, and take that for its end: what is behind it is on
   * further pages, of which none announces the next.
   */
  readonly countedTo: number | undefined;
  /**
   * Real instances page this list first, and then take out of the page what this token may not see: a page may be
   * short, or empty, though others follow.
   */
  readonly hidesRows: boolean;
  readonly encoding: "json" | "form" | "multipart";
  readonly base: Base;
  readonly access: Access;
  /** Not idempotent, whatever its method: a PUT that adds. */
  readonly once: boolean;
  /** A parameter with which an instance refuses a second request like the first: then it may be sent again. */
  readonly guard: string | undefined;
  /** Undocumented: an instance may lack it. */
  readonly beyond: boolean;
  /** Real instances accept no dot in the path: a group's path or a username is replaced by its ID first. */
  readonly dotless: boolean;
  /** Real instances accept only a numeric project ID: a path is replaced by it first. */
  readonly numeric: boolean;
  /** What real instances store before they validate the rest: it stays if they refuse the request. */
  readonly storedFirst: readonly string[];
  /** Some releases cut the last name in the path at a dot: see `refuseCut`. */
  readonly cutNames: CutNames | undefined;
  /**
   * Returns the object that a change without an answer of its own changed, to compare it with what was sent. `places`:
   * which of the sent values is in its path by then.
   */
  readonly readBy: ReadBy | undefined;
  /** Exists only as a type. */
  readonly input?: (input: I) => void;
  readonly output?: O;
  readonly shape?: S;
}

export type AnyEndpoint = Endpoint<never, unknown>;
export type ListEndpoint<I, S extends Fields> = Endpoint<I, Row<S>[], S>;

interface Definition<R extends string, P extends Fields, T extends Returns> {
  route: R;
  /** An imperative without a full stop: "List a project's registry repositories". Error messages use it. */
  summary: string;
  directions?: { by: keyof P & string; on: string; off: string };
  params: P & { readonly [K in RouteNames<R>]: Field };
  returns: T;
  page?: "offset";
  cursor?: Cursor;
  countedTo?: number;
  hidesRows?: true;
  encoding?: "form" | "multipart";
  base?: Exclude<Base, "api">;
  access: Access;
  once?: true;
  guard?: keyof P & string;
  beyond?: true;
  dotless?: true;
  numeric?: true;
  storedFirst?: readonly string[];
  cutNames?: CutNames;
  readBy?: ReadBy;
}

type ShapeOf<T> = T extends Entity<infer S> ? S : Fields;

/** Declares an endpoint. A name in the route that is missing from `params` is a type error. */
export function endpoint<const R extends `${Method} /${string}`, P extends Fields, const T extends Returns>(
  definition: Definition<R, P, T> & { page: "offset" },
): Endpoint<InputOf<R, P>, OutputOf<R, T>[], ShapeOf<T>>;
export function endpoint<const R extends `${Method} /${string}`, P extends Fields, const T extends Returns>(
  definition: Definition<R, P, T>,
): Endpoint<InputOf<R, P>, OutputOf<R, T>, ShapeOf<T>>;
export function endpoint(definition: Definition<string, Fields, Returns>): Endpoint {
  const separator = definition.route.indexOf(" ");
  return {
    encoding: "json",
    base: "api",
    page: undefined,
    cursor: undefined,
    countedTo: undefined,
    hidesRows: false,
    once: false,
    guard: undefined,
    beyond: false,
    dotless: false,
    numeric: false,
    storedFirst: [],
    cutNames: undefined,
    directions: undefined,
    readBy: undefined,
    ...definition,
    method: definition.route.slice(0, separator) as Method,
    path: definition.route.slice(separator + 1),
  };
}

/** The entity of the answer, if documented. */
export function entityOf(endpoint: AnyEndpoint): Entity | undefined {
  if (typeof endpoint.returns === "string") return undefined;
  return "headers" in endpoint.returns ? endpoint.returns.headers : endpoint.returns;
}

/** The names in an endpoint's path, in order. */
export function pathNames(endpoint: AnyEndpoint): string[] {
  return [...endpoint.path.matchAll(/[:*]([a-z_]+)/g)].map((match) => match[1] ?? "");
}

/** Whether a call deletes something. */
export function isDeletion({ method }: AnyEndpoint): boolean {
  return method === "DELETE";
}

/** Whether a call can change something on the instance. */
export function changes(endpoint: AnyEndpoint): boolean {
  return endpoint.method !== "GET" && endpoint.method !== "HEAD";
}

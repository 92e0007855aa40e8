import type { Group, Project, Timestamp, Token, User } from "../store/model.ts";
import type { World } from "../store/world.ts";
import type { Access } from "./access.ts";
import type { Params, Values } from "./params.ts";
import { preconditionFailed } from "./problem.ts";

/** A request as passed to a handler: access checked, parameters read. */
export interface Call<P extends Params = Params, A extends Access = Access> {
  readonly world: World;
  /** Also `HEAD`, which the GET route answers. */
  readonly method: string;
  /** The address that the client used, such as `http://127.0.0.1:40123`: links in answers start with it. */
  readonly origin: string;
  /** Path as sent, encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly params: Values<P>;
  /** All parameters, for the few routes with arbitrary parameter names. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly user: A extends { anonymous: true } | { open: true } | { public: true } ? User | undefined : User;
  readonly token: Token | undefined;
  readonly project: A extends { project: string } ? Project : undefined;
  readonly group: A extends { group: string } ? Group : undefined;
  /** The caller's level in the project or group: 10 guest to 50 owner, 60 administrator, 0 none. */
  readonly level: number;
}

/**
 * Throws 412 if the resource changed after the time in `If-Unmodified-Since` (1-project-api: Errors). To be called by
 * deletes. HTTP dates have whole seconds, so fractions are ignored.
 */
export function checkUnmodifiedSince(call: Pick<Call, "header">, changedAt: Timestamp): void {
  const since = Date.parse(call.header("if-unmodified-since") ?? "");
  if (!Number.isNaN(since) && Math.floor(Date.parse(changedAt) / 1000) * 1000 > since) throw preconditionFailed();
}

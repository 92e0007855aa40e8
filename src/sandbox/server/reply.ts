import type { Readable } from "node:stream";

/** An answer before it is written: a stream is opened only if its bytes are needed, so not for HEAD. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | (() => Readable);
}

type Headers = Readonly<Record<string, string>>;

/** JSON with status 200. */
export function ok(body: unknown, headers: Headers = {}): Reply {
  return json(200, body, headers);
}

/** JSON with status 201. */
export function created(body: unknown): Reply {
  return json(201, body);
}

/** 202: the work is scheduled (1-project-api: Common conventions). */
export function accepted(body: unknown = { message: "202 Accepted" }): Reply {
  return json(202, body);
}

/** 204. */
export function noContent(): Reply {
  return { status: 204, headers: {} };
}

export function json(status: number, body: unknown, headers: Headers = {}): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Reply } from "./reply.ts";

interface Asked {
  readonly method: string;
  header(name: string): string | undefined;
}

/** Makes a reply into a response: length, validator, and for HEAD everything but the body. */
export function respond(asked: Asked, reply: Reply): Response {
  const { status, body } = reply;
  if (body === undefined) return new Response(null, { status, headers: { ...reply.headers } });
  const isHead = asked.method === "HEAD";
  if (typeof body !== "string") {
    const init = { status, headers: { ...reply.headers } };
    return isHead ? new Response(null, init) : streamed(body(), init);
  }
  const headers: Record<string, string> = { ...reply.headers, "content-length": String(Buffer.byteLength(body)) };
  if (status === 200 && (isHead || asked.method === "GET")) {
    headers.etag ??= `W/"${createHash("sha1").update(body).digest("hex").slice(0, 32)}"`;
    if (asked.header("if-none-match") === headers.etag) {
      return new Response(null, { status: 304, headers: { etag: headers.etag } });
    }
  }
  return new Response(isHead ? null : body, { status, headers });
}

/** A response that reads its body from a stream as the client takes it. */
export function streamed(body: Readable, init: Pick<Response, "status" | "headers"> | ResponseInit): Response {
  return new Response(Readable.toWeb(body) as ConstructorParameters<typeof Response>[0], init as ResponseInit);
}

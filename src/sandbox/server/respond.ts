import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Reply } from "./reply.ts";

interface Asked {
  readonly method: string;
  header(name: string): string | undefined;
}

/** Converts a reply to a response with length and validator; for HEAD, without the body. */
export function respond(asked: Asked, reply: Reply): Response {
  const { status, body } = reply;
  const sent = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, headerText(value)]));
  if (body === undefined) return new Response(null, { status, headers: sent });
  const isHead = asked.method === "HEAD";
  if (typeof body !== "string") {
    const init = { status, headers: sent };
    return isHead ? new Response(null, init) : streamed(body(), init);
  }
  const headers: Record<string, string> = { ...sent, "content-length": String(Buffer.byteLength(body)) };
  if (status === 200 && (isHead || asked.method === "GET")) {
    headers.etag ??= `W/"${createHash("sha1").update(body).digest("hex").slice(0, 32)}"`;
    if (asked.header("if-none-match") === headers.etag) {
      return new Response(null, { status: 304, headers: { etag: headers.etag } });
    }
  }
  return new Response(isHead ? null : body, { status, headers });
}

/** Headers are single-line bytes, but text from a client that is returned in one may be anything. */
function headerText(value: string): string {
  const bytes = /[^\0-\xff]/.test(value) ? Buffer.from(value).toString("latin1") : value;
  return bytes.replace(/[\0\r\n]/g, " ");
}

/** A response that reads its body from a stream as fast as the client does. */
export function streamed(body: Readable, init: Pick<Response, "status" | "headers"> | ResponseInit): Response {
  return new Response(Readable.toWeb(body) as ConstructorParameters<typeof Response>[0], init as ResponseInit);
}

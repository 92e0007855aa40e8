import { UsageError } from "../../base/errors.ts";
import { isRepeatable } from "../outcome.ts";
import type { Hop } from "./attempt.ts";
import type { Transport, TransportOptions, WireRequest, WireResponse } from "./message.ts";
import { follow } from "./redirect.ts";
import { responseFrom } from "./response.ts";
import { limitOf, subjectOf } from "./send-with-retries.ts";
import { openSession, type Session } from "./session.ts";

/** Creates the transport; nothing is sent yet. */
export async function createTransport(options: TransportOptions): Promise<Transport> {
  const session = await openSession(options);
  return {
    send: (request) => send(session, request),
    probe: async (url) => (await import("./probe.ts")).probe(session, new URL(url)),
    async close() {
      session.end();
      await session.network.close();
    },
  };
}

async function send(session: Session, request: WireRequest): Promise<WireResponse> {
  const hop = hopOf(session, request);
  const reply = await follow(session, hop);
  const raw = hop.headers["accept-encoding"] === "identity";
  return responseFrom(reply, subjectOf(session, { ...hop, url: reply.url }), { raw, limit: limitOf(session) });
}

function hopOf({ options, redactor }: Session, request: WireRequest): Hop {
  if (!URL.canParse(request.url)) throw new UsageError(`not an address: ${redactor.url(request.url)}`);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  for (const name of request.secretHeaders) redactor.add(headers[name.toLowerCase()]?.replace(/^(Bearer|Basic) /i, ""));
  headers["user-agent"] ??= options.userAgent;
  // A range refers to the stored bytes.
  if (headers.range === undefined) headers["accept-encoding"] ??= "gzip";
  return {
    method: request.method.toUpperCase(),
    url: new URL(request.url),
    headers,
    secretHeaders: request.secretHeaders,
    root: request.root ?? "",
    body: request.body,
    repeatable: isRepeatable(request.method) && request.once !== true,
    whole: request.whole ?? false,
    addressName: request.addressName,
    afterWait: request.afterWait,
    onRepeated: request.onRepeated,
  };
}

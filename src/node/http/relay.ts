import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Http, HttpAnswer } from "../../local-http.ts";
import { pairsOf, passedOn } from "./headers.ts";

/** See `Http.relay`. Hop-by-hop headers are not forwarded, in either direction. */
export async function relay(...[url, request, { timeoutMs, maxBytes, signal }]: Parameters<Http["relay"]>) {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const incoming = await send(url, request, AbortSignal.any([signal, timeout]));
    return await read(incoming, maxBytes);
  } catch (error) {
    if (timeout.aborted) throw new Error(`no answer within ${timeoutMs / 1000} s`);
    const { message, code } = error as NodeJS.ErrnoException;
    throw new Error(message || code || "no connection");
  }
}

function send(
  url: URL,
  { method, headers, body }: Parameters<Http["relay"]>[1],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const own = ["Host", url.host, "Content-Length", String(body.length), "Connection", "close"];
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = { method, headers: [...passedOn(headers).flat(), ...own], agent: false as const, signal };
    const sent = request(url, options, resolve).on("error", reject);
    // Without a listener Node drops such a connection, and the request neither is answered nor fails.
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      reject(new Error("the answer has the status 101"));
    });
    sent.end(body);
  });
}

async function read(incoming: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const status = incoming.statusCode ?? 0;
  if (status < 200) throw new Error(`the answer has the status ${status}`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return {
    status,
    headers: passedOn(pairsOf(incoming.rawHeaders)),
    body: Buffer.concat(chunks),
  };
}

import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "./ending.ts";

/** How an answer is lost: the request was executed in any case. A cache in front answers 503 in its place. */
type Loss = "reset" | "504" | "truncated" | "cache's 503";

/** How a request is refused, with `Retry-After`: the instance never receives it. */
type Refusal = "429" | "503";

interface LossyOptions {
  how: Loss | Refusal;
  /** The first affected one of the matching requests, from 1. */
  nth?: number;
  /** How many are affected; by default 1. */
  times?: number;
  /** Which requests count; by default changes. */
  of?: (method: string, path: string) => boolean;
}

interface LossyProxy {
  /** Address in place of the target's. */
  readonly url: string;
  /** `POST /path` of the affected requests. */
  readonly lost: string[];
}

const isChange = (method: string) => method !== "GET" && method !== "HEAD";

/**
 * A proxy before `target` that forwards everything, and loses some answers, or refuses some requests; it is closed
 * after the file's tests.
 */
export async function lossyProxy(target: string, options: LossyOptions): Promise<LossyProxy> {
  const { how, nth = 1, times = 1, of = isChange } = options;
  const lost: string[] = [];
  let counted = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = "", headers, url = "" } = incoming;
    const matches = of(method, url) && ++counted >= nth && counted < nth + times;
    if (matches) lost.push(`${method} ${url}`);
    if (matches && (how === "429" || how === "503")) {
      incoming.resume();
      const headers = { "content-type": "application/json", "retry-after": "0.05" };
      return void outgoing.writeHead(Number(how), headers).end('{"message":"Retry later"}');
    }
    const onward = request(new URL(url, target), { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (matches) return lose(how as Loss, outgoing, answer.statusCode ?? 0, body);
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      return outgoing.end(body);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost };
}

function lose(how: Loss, outgoing: ServerResponse, status: number, body: Buffer): unknown {
  if (how === "504")
    return outgoing.writeHead(504, { "content-type": "text/html" }).end("<html>Gateway Time-out</html>");
  if (how === "cache's 503") {
    const headers = { "content-type": "text/html; charset=utf-8", "retry-after": "0.05" };
    return outgoing.writeHead(503, headers).end("<!DOCTYPE html><title>503 Backend fetch failed</title>");
  }
  if (how === "reset") return outgoing.socket?.resetAndDestroy();
  // Half of it is sent, or for an empty one only the announced length.
  outgoing.writeHead(status, { "content-type": "application/json", "content-length": String(body.length + 1) });
  return outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.socket?.destroySoon());
}

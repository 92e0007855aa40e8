import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "./ending.ts";
import { type Session, session } from "./session.ts";

/** A test's answer to a request; `origin` is the server's own. */
export type Answer = (request: IncomingMessage, response: ServerResponse, origin: string) => void;

/** A session that is signed in to a server with these answers, below /forge; `seen` is `GET /path` of each request. */
export async function signedIn(answer: Answer): Promise<Session & { seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response, `http://${request.headers.host}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forge`;
  return { ...session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" }), seen };
}

/** The same JSON to every request. */
export const json =
  (status: number, text: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);

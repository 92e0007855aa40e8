import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A status and a JSON body; or the body alone, with 200. */
type Answer =
  | { readonly status: number; readonly body: unknown }
  | readonly unknown[]
  | Readonly<Record<string, unknown>>;

/**
 * An instance that has only these answers, each for requests of its method and path below /api/v4 that have all of its
 * parameters: `GET /groups/acme?page=1`. The first one that fits counts; 404 to everything else. `seen` are the
 * requests in their order.
 */
export async function smallInstance(answers: Readonly<Record<string, Answer>>) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const asked = `${request.method} ${(request.url ?? "").replace("/api/v4", "")}`;
    seen.push(asked);
    request.resume();
    const [, found = { status: 404, body: { message: "404 Not found" } }] =
      Object.entries(answers).find(([key]) => fits(asked, key)) ?? [];
    const { status, body } = "status" in found && "body" in found ? found : { status: 200, body: found };
    response.writeHead(Number(status), { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Whether a request `GET /groups/acme?page=1` has the place and all parameters of a key. */
export function fits(asked: string, key: string): boolean {
  const [[place, given], [ownPlace, own]] = [asked.split("?"), key.split("?")] as const;
  const params = new URLSearchParams(given);
  return place === ownPlace && [...new URLSearchParams(own)].every(([name, value]) => params.get(name) === value);
}

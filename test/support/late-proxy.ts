import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { atEnd } from "./ending.ts";

/** When the instance makes a change whose answer a gateway no longer waited for. */
type When = { readonly afterMs: number } | "before the next change" | "never";

/** How the first change is not answered. */
type How = "504" | "reset";

/** A gateway before `target` that does not answer the first change; the instance makes it later. */
export async function lateProxy(target: string, when: When, how: How = "504") {
  const changes: string[] = [];
  let later: (() => Promise<unknown>) | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const { method = "", url = "", headers } = incoming;
    const forward = async () => {
      const onward = request(new URL(url, target), { method, headers });
      onward.end(body);
      const [answer] = (await once(onward, "response")) as [IncomingMessage];
      return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: await buffer(answer) };
    };
    if (method !== "GET" && method !== "HEAD" && changes.push(`${method} ${url}`) === 1) {
      if (when === "before the next change") later = forward;
      else if (when !== "never") setTimeout(forward, when.afterMs);
      if (how === "reset") return void incoming.socket.resetAndDestroy();
      return void outgoing.writeHead(504, { "content-type": "text/html" }).end("<html>Gateway Time-out</html>");
    }
    if (method !== "GET") await later?.();
    later = method === "GET" ? later : undefined;
    const { status, headers: sent, bytes } = await forward();
    return void outgoing.writeHead(status, sent).end(bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, changes };
}

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { atEnd } from "./ending.ts";

type Store = Sandbox["store"];

interface LagOptions {
  /** How many reads after each change show the state before it. */
  reads: number;
  /** In place of the answer to a change, after the sandbox has made it. */
  answers?: ((outgoing: ServerResponse) => void) | undefined;
}

type Restore = () => void;

interface Sent {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * An instance that answers reads from a copy of its database, which lags: a proxy before a sandbox that shows the first
 * reads after each change the state before it. One request is made after the other. Contents of files do not lag.
 */
export async function laggingProxy(sandbox: Sandbox, { reads, answers }: LagOptions) {
  let restore = () => {};
  let left = 0;
  const answered = async (sent: Sent, outgoing: ServerResponse) => {
    const isChange = sent.method !== "GET" && sent.method !== "HEAD";
    const before = stateOf(sandbox.store);
    if (!isChange && left > 0) restore();
    const [status, headers, bytes] = await passedOn(sandbox.url, sent);
    if (!isChange && left-- > 0) before();
    if (isChange && status < 300) {
      restore = left > 0 ? restore : before;
      left = reads;
      if (answers !== undefined) return answers(outgoing);
    }
    return outgoing.writeHead(status, headers).end(bytes);
  };
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer(async (incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    const body = await buffer(incoming);
    last = last.then(() => answered({ method, url, headers, body }, outgoing)).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next reads show this state, as another copy would that lags more. */
    fallBehind: (state: Restore) => {
      restore = state;
      left = reads;
    },
  };
}

/** Saves tables and values; the returned function restores them. */
export function stateOf(store: Store): Restore {
  const tables = [...store.tables()].map(([name, table]) => ({ name, ...table.dump() }));
  const values = [...store.values()];
  return () => {
    for (const table of store.tables().values()) table.restore(1, []);
    for (const { name, nextId, rows } of tables) store.table({ name }).restore(nextId, rows);
    const held = store.values() as Map<string, unknown>;
    held.clear();
    for (const [name, value] of values) held.set(name, value);
  };
}

async function passedOn(target: string, { method, url, headers, body }: Sent) {
  const onward = request(new URL(url, target), { method, headers });
  onward.end(body);
  const [answer] = (await once(onward, "response")) as [IncomingMessage];
  return [answer.statusCode ?? 0, answer.headers, await buffer(answer)] as const;
}

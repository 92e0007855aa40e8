import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "./ending.ts";

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  /** Address without a path. */
  readonly url: string;
  readonly received: Received[];
  /** The answer from now on; `hang` never answers. */
  answer: { status: number; body?: string; headers?: Record<string, string> } | "hang";
  /** Waits until this many requests arrived, and returns them. */
  wait(count: number): Promise<Received[]>;
}

/** An HTTP server that records requests; it is closed after the file's tests. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const { answer } = receiver;
    if (answer === "hang") return;
    response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: { status: 200, body: "thanks", headers: { "X-Receiver": "test" } },
    async wait(count) {
      const end = Date.now() + 5000;
      while (received.length < count) {
        if (Date.now() > end) throw new Error(`${received.length} of ${count} deliveries came`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return received;
    },
  };
  return receiver;
}

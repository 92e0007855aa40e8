import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { HttpAnswer, RequestHead, ServerLimits } from "../../src/local-http.ts";
import { serve } from "../../src/node/http/server.ts";
import { post } from "../support/listening.ts";

// The server of hooks listen with misbehaving clients: slow, numerous, large, or disconnecting ones.

const usual: ServerLimits = {
  bodyBytes: 1000,
  heldBytes: 2500,
  connections: 8,
  headMs: 300,
  arrivalMs: 300,
  idleMs: 2000,
};

/** A server that records requests; with `hold` they are not answered until it is called. */
async function receiving(limits: Partial<ServerLimits> = {}, admit: (head: RequestHead) => number = () => 200) {
  const served: string[] = [];
  const lost: string[] = [];
  let gate: Promise<void> | undefined;
  const answer = (status: number): HttpAnswer => ({ status, headers: [], body: new Uint8Array() });
  const listening = await serve(
    0,
    { ...usual, ...limits },
    {
      admit: (head) => (admit(head) === 200 ? undefined : answer(admit(head))),
      async serve({ body }) {
        served.push(Buffer.from(body).toString());
        await gate;
        return answer(200);
      },
      lost: (_, status, reason) => void lost.push(`${status} ${reason}`),
    },
  );
  onTestFinished(() => listening.close());
  return {
    ...listening,
    url: `http://127.0.0.1:${listening.port}`,
    served,
    lost,
    hold() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
  };
}

/** A raw connection. */
async function dial(port: number): Promise<{ socket: Socket; text(): string; closed: Promise<void> }> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  await new Promise((resolve) => socket.once("connect", resolve));
  return { socket, text: () => text, closed };
}

const head = (more: string) => `POST / HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

test("slow headers and slow bodies time out, and other requests are served meanwhile", async () => {
  const server = await receiving();
  const slowHead = await dial(server.port);
  slowHead.socket.write("POST / HTTP/1.1\r\nHost: local");
  const slowBody = await dial(server.port);
  slowBody.socket.write(head("Content-Length: 10\r\n").concat("slow"));
  expect((await post(server.url, { body: "quick" })).status).toBe(200);
  await Promise.all([slowHead.closed, slowBody.closed]);
  expect(server.served).toEqual(["quick"]);
  expect(server.lost).toEqual(["400 the request was aborted, or took too long"]);
});

test("a body that is too large is 413 after it arrives, in any encoding; an endless one is cut off", async () => {
  const server = await receiving();
  const large = "x".repeat(1001);
  expect((await post(server.url, { body: large })).status).toBe(413);
  expect((await post(server.url, { body: large, headers: { "Transfer-Encoding": "chunked" } })).status).toBe(413);
  expect((await post(server.url, { body: "x".repeat(1000) })).status).toBe(200);
  const endless = await dial(server.port);
  endless.socket.write(head("Content-Length: 1000000\r\n"));
  endless.socket.write("x".repeat(5000));
  await endless.closed;
  expect(endless.text()).toMatch(/^HTTP\/1\.1 413 /);
  expect(server.served).toHaveLength(1);
  expect(server.lost).toHaveLength(3);
});

test("all bodies together are limited: 503 for the next, until one is answered", async () => {
  const server = await receiving({ arrivalMs: 5000, headMs: 5000 });
  const open = server.hold();
  const body = "x".repeat(1000);
  const first = [post(server.url, { body }), post(server.url, { body })];
  await expect.poll(() => server.served.length).toBe(2);
  expect((await post(server.url, { body })).status).toBe(503);
  open();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await post(server.url, { body })).status).toBe(200);
});

test("a request refused by its headers is read and discarded", async () => {
  const server = await receiving({}, () => 401);
  expect((await post(server.url, { body: "x".repeat(1000) })).status).toBe(401);
  expect((await post(server.url, { body: "x".repeat(1500) })).status).toBe(401);
  expect([server.served, server.lost]).toEqual([[], []]);
});

test("idle connections, however many, keep no delivery away: the oldest is closed for a new one", async () => {
  const server = await receiving({ connections: 2, arrivalMs: 60_000, headMs: 60_000, idleMs: 60_000 });
  const idle = [await dial(server.port), await dial(server.port), await dial(server.port)];
  for (let count = 0; count < 3; count++) expect((await post(server.url)).status).toBe(200);
  await Promise.all(idle.slice(0, 2).map(({ closed }) => closed));
});

test("nor do refused requests whose bodies never end", async () => {
  const limits = { connections: 2, arrivalMs: 60_000, headMs: 60_000, idleMs: 60_000 };
  const refused = new Set<string>();
  const server = await receiving(limits, ({ headers }) => {
    const [, number] = headers.find(([name]) => name === "X-Wrong") ?? [];
    if (number === undefined) return 200;
    refused.add(number);
    return 401;
  });
  for (let count = 1; count <= 5; count++) {
    const slow = await dial(server.port);
    slow.socket.write(head(`X-Wrong: ${count}\r\nContent-Length: 10\r\n`).concat("slow"));
    await expect.poll(() => refused.size).toBe(count);
  }
  for (let count = 0; count < 3; count++) expect((await post(server.url)).status).toBe(200);
});

test("a connection over the limit is closed if every other one has a request in progress", async () => {
  let heads = 0;
  const limits = { connections: 2, arrivalMs: 60_000, headMs: 60_000, idleMs: 60_000 };
  const server = await receiving(limits, () => {
    heads += 1;
    return 200;
  });
  const busy = [await dial(server.port), await dial(server.port)];
  for (const { socket } of busy) socket.write(head("Content-Length: 10\r\n").concat("slow"));
  await expect.poll(() => heads).toBe(2);
  await expect(post(server.url)).rejects.toThrow(/ECONNRESET|hang up/);
  for (const { socket } of busy) socket.end("er now");
  await expect.poll(() => server.served).toEqual(["slower now", "slower now"]);
});

test("a head that does not arrive in time ends its connection", async () => {
  const server = await receiving({ headMs: 300, arrivalMs: 60_000, idleMs: 60_000 });
  const slow = await dial(server.port);
  slow.socket.write("POST / HTTP/1.1\r\nHost:");
  await slow.closed;
});

test("a client that disconnects midway is not a delivery, and does no harm", async () => {
  const server = await receiving();
  const gone = await dial(server.port);
  gone.socket.write(head("Content-Length: 10\r\n").concat("slow"));
  gone.socket.destroy();
  await expect.poll(() => server.lost).toEqual(["400 the request was aborted, or took too long"]);
  expect((await post(server.url, { body: "next" })).status).toBe(200);
  expect(server.served).toEqual(["next"]);
});

test("a request that is not HTTP is 400; two lengths are refused, not guessed", async () => {
  const server = await receiving();
  for (const text of ["hello\r\n\r\n", head("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n").concat("abc")]) {
    const { socket, text: answered, closed } = await dial(server.port);
    socket.write(text);
    await closed;
    expect(answered()).toMatch(/^HTTP\/1\.1 400 /);
  }
  expect(server.served).toEqual([]);
});

test("closing answers requests in progress, and accepts no new ones", async () => {
  const server = await receiving();
  const open = server.hold();
  const last = post(server.url, { body: "last" });
  await expect.poll(() => server.served).toEqual(["last"]);
  const closing = server.close();
  await expect(post(server.url)).rejects.toThrow("ECONNREFUSED");
  open();
  expect((await last).status).toBe(200);
  await closing;
});

import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Network } from "../../../src/api/transport/network.ts";
import { client, freePort, serveRaw } from "../../faults/support.ts";

/** Connections with a clock that the test moves. */
function network() {
  const timers = new Map<() => void, number>();
  let ends = 0;
  const clock = {
    elapsedMs: () => 0,
    after(ms: number, act: () => void) {
      timers.set(act, ms);
      return () => void timers.delete(act);
    },
  };
  const onEnd = () => {
    ends += 1;
  };
  const own = new Network({ connections: 1, timeoutMs: 500, clock, secureContext: undefined, onEnd });
  onTestFinished(() => own.close());
  const seen: Socket[] = [];
  const open = (port: number, protocol = "http:") => {
    const endpoint = { protocol, host: `127.0.0.1:${port}`, hostname: "127.0.0.1", port: String(port) };
    return own.probe(endpoint, undefined, (socket) => seen.push(socket));
  };
  return { own, open, seen, timers, ends: () => ends };
}

describe("a connection that is opened", () => {
  test("is no longer timed once it is open, and says when the other side ends it", async () => {
    const server = await serveRaw(() => undefined);
    const { open, seen, timers, ends } = network();
    const socket = await open(server.port);
    expect([timers.size, seen.length, ends()]).toEqual([0, 1, 0]);
    await expect.poll(() => server.sockets.size).toBe(1);
    for (const each of server.sockets) each.end();
    socket.resume();
    await expect.poll(ends).toBe(1);
  });

  test("for too long has timed out, and is closed", async () => {
    const server = await serveRaw(() => undefined);
    const { open, seen, timers } = network();
    const opening = open(server.port, "https:");
    await expect.poll(() => [server.sockets.size, timers.size]).toEqual([1, 1]);
    const [[timeOut, ms] = expect.unreachable()] = timers;
    expect(ms).toBe(500);
    timeOut();
    await expect(opening).rejects.toMatchObject({ stage: "connect", timedOut: true });
    expect([seen.every(({ destroyed }) => destroyed), timers.size]).toEqual([true, 0]);
  });

  test("and refused is broken, and no longer timed", async () => {
    const { open, timers } = network();
    await expect(open(await freePort())).rejects.toMatchObject({
      stage: "connect",
      timedOut: false,
      cause: { code: "ECONNREFUSED" },
    });
    expect(timers.size).toBe(0);
  });
});

test("an origin has one pool, and another origin another", async () => {
  const { own } = network();
  const pool = await own.pool("http://127.0.0.1:1", undefined);
  expect(await own.pool("http://127.0.0.1:1", undefined)).toBe(pool);
  expect(await own.pool("http://127.0.0.1:2", undefined)).not.toBe(pool);
});

test("a body that ends with its connection is not complete if that is reset", async () => {
  const server = await serveRaw((socket) => socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello"));
  const { send } = await client();
  const answer = await send("GET", `${server.url}/x`);
  const read = async () => {
    for await (const _ of answer.body) for (const socket of server.sockets) socket.resetAndDestroy();
  };
  const failure = await read().catch((error: unknown) => error);
  expect(failure).toMatchObject({ exit: "network", details: { cause: { code: "ECONNRESET" } } });
});

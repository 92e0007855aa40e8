import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { attempt, chooseProxy, type Hop } from "../../../src/api/transport/attempt.ts";
import { Broken, ProxyFailure } from "../../../src/api/transport/broken-exchange.ts";
import type { Exchange } from "../../../src/api/transport/exchange.ts";
import type { TransportOptions } from "../../../src/api/transport/message.ts";
import { openSession } from "../../../src/api/transport/session.ts";
import { Failure } from "../../../src/base/errors.ts";
import { after } from "../../../src/node/timers.ts";
import { startProxy } from "../../faults/proxy.ts";
import { freePort, serve, serveRaw } from "../../faults/support.ts";

/** A session of its own, as a transport has one, and what it traces. */
async function session(more: Partial<TransportOptions> = {}) {
  const interrupt = new AbortController();
  const trace: string[] = [];
  const opened = await openSession({
    timeoutMs: 20_000,
    retries: 0,
    connections: 2,
    userAgent: "forgectl/test",
    env: {},
    signal: interrupt.signal,
    now: Date.now,
    elapsedMs: () => 5,
    sleep: () => Promise.resolve(),
    after,
    random: Math.random,
    trace: (line) => trace.push(line),
    ...more,
  });
  onTestFinished(async () => {
    opened.end();
    await opened.network.close();
  });
  return { opened, interrupt, trace };
}

function hop(url: string, more: Partial<Hop> = {}): Hop {
  const base = { method: "GET", headers: { accept: "text/plain" }, secretHeaders: [], root: "", body: undefined };
  return { ...base, url: new URL(url), repeatable: true, whole: false, ...more };
}

/** What becomes of the exchanges of a session: a list that grows. */
function progressOf({ active }: Awaited<ReturnType<typeof openSession>>): string[] {
  const known: string[] = [];
  const [add, remove] = [active.add.bind(active), active.delete.bind(active)];
  Object.assign(active, {
    add(exchange: Exchange) {
      known.push("added");
      return add(exchange);
    },
    delete(exchange: Exchange) {
      known.push("deleted");
      return remove(exchange);
    },
  });
  return known;
}

const bodyOf = (text: string) => ({
  size: Buffer.byteLength(text),
  async *stream() {
    yield Buffer.from(text);
  },
});

const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a request that is sent once", () => {
  test("has its path and query, its headers, and no length without a body", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    const { opened } = await session();
    const reply = await attempt(opened, hop(`${server.url}/a/b?c=d#e`));
    expect([reply.status, reply.url.pathname]).toEqual([200, "/a/b"]);
    const [seen] = server.seen;
    expect([seen?.method, seen?.url, seen?.headers.accept]).toEqual(["GET", "/a/b?c=d", "text/plain"]);
    expect(seen?.headers).not.toHaveProperty("content-length");
  });

  test.each([
    ["GET", undefined, undefined],
    ["HEAD", undefined, undefined],
    ["DELETE", undefined, undefined],
    ["POST", undefined, "0"],
    ["PUT", undefined, "0"],
    ["PATCH", undefined, "0"],
    ["POST", "", "0"],
    ["POST", "äb", "3"],
    ["DELETE", "ab", "2"],
  ])("%s of %j has the length %s", async (method, text, length) => {
    const server = await serve((request, response) => {
      request.on("end", () => response.end());
      request.resume();
    });
    const { opened } = await session();
    await attempt(opened, hop(server.url, { method, body: text === undefined ? undefined : bodyOf(text) }));
    expect([server.seen[0]?.headers["content-length"], server.seen[0]?.body]).toEqual([length, text ?? ""]);
  });

  test("is in progress until its answer has been read, and then no longer", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    const { opened } = await session();
    const known = progressOf(opened);
    const { exchange } = await attempt(opened, hop(server.url));
    expect(known[0]).toBe("added");
    await exchange.discard();
    expect(known).toEqual(["added", "deleted"]);
  });

  test("is traced with its time, its body, and the length of its answer", async () => {
    const server = await serve((_request, response) => response.writeHead(201, { "content-length": "2" }).end("ok"));
    const { opened, trace } = await session();
    await attempt(opened, hop(`${server.url}/x`, { method: "PUT", body: bodyOf("abc") }));
    expect(trace).toEqual([
      `--> PUT ${server.url}/x`,
      "    accept: text/plain",
      "    a body of 3 bytes",
      "<-- 201 in 0 ms (2 B)",
    ]);
  });

  test("need not be traced", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    const { opened } = await session();
    const { trace: _, ...options } = opened.options;
    expect((await attempt({ ...opened, options }, hop(server.url))).status).toBe(200);
  });

  test.each([
    ["no length", {}],
    ["a length that is no number", { "transfer-encoding": "chunked", "x-length": "2" }],
  ])("with an answer that has %s is traced without one", async (_law, headers) => {
    const server = await serve((_request, response) => response.writeHead(200, headers).end("ok"));
    const { opened, trace } = await session();
    await attempt(opened, hop(server.url));
    expect(trace.at(-1)).toBe("<-- 200 in 0 ms");
  });
});

describe("a request without an answer", () => {
  test("is broken at the connection, and traced", async () => {
    const { opened, trace } = await session();
    const error = await thrown(attempt(opened, hop(`http://127.0.0.1:${await freePort()}/x`)));
    expect(error).toMatchObject({ stage: "connect" });
    expect((error as Broken).cause).not.toBeInstanceOf(ProxyFailure);
    expect(trace.at(-1)).toBe("<-- no answer after 0 ms");
  });

  test("after an interrupt is interrupted, and what was begun of it is said", async () => {
    const { opened, interrupt } = await session();
    const server = await serveRaw(() => interrupt.abort());
    const error = await thrown(attempt(opened, hop(`${server.url}/x`, { method: "PUT", body: bodyOf("abc") })));
    expect(error).toMatchObject({ exit: "interrupted", details: { outcome: "unknown" } });
  });

  test("before which there was an interrupt is not sent", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    const { opened, interrupt } = await session();
    const known = progressOf(opened);
    interrupt.abort();
    const error = await thrown(attempt(opened, hop(`${server.url}/x`, { method: "PUT" })));
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ exit: "interrupted", details: { method: "PUT", path: "/x" } });
    expect((error as Failure).details).not.toHaveProperty("outcome");
    expect([server.seen, server.connections]).toEqual([[], 0]);
    expect([known[0], known.at(-1)]).toEqual(["added", "deleted"]);
  });
});

describe("through a proxy", () => {
  const secret = "cHJveHk6cDRzcw==";

  test("plain http has the whole address, its host, and the proxy's credentials", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    const proxy = await startProxy();
    const { opened, trace } = await session({ proxy: `http://proxy:p4ss@${proxy.address}` });
    const reply = await attempt(opened, hop(`${server.url}/x?y=z`));
    expect(reply.status).toBe(200);
    const host = new URL(server.url).host;
    expect(proxy.seen).toMatchObject([
      { line: `GET ${server.url}/x?y=z`, authorization: `Basic ${secret}`, headers: { host, accept: "text/plain" } },
    ]);
    expect(trace.slice(0, 2)).toEqual([`--> GET ${server.url}/x?y=z`, `    through the proxy http://${proxy.address}`]);
    expect(trace.join()).not.toMatch(new RegExp(`p4ss|${secret}`));
  });

  test("without credentials there are none", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    const proxy = await startProxy();
    const { opened } = await session({ proxy: proxy.address });
    await attempt(opened, hop(server.url));
    expect(proxy.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test("that cannot be reached the failure is the proxy's", async () => {
    const gone = `127.0.0.1:${await freePort()}`;
    const { opened } = await session({ proxy: gone });
    for (const url of ["http://forge.example.com/x", "https://forge.example.com/x"]) {
      const error = await thrown(attempt(opened, hop(url)));
      expect(error).toMatchObject({ stage: "connect", cause: { proxy: `http://${gone}` } });
      expect((error as Broken).cause).toBeInstanceOf(ProxyFailure);
    }
  });

  test("whose tunnel leads to an instance that is not trusted, the failure is that one's", async () => {
    const pem = (name: string) => readFileSync(new URL(`../../faults/fixtures/${name}`, import.meta.url), "utf8");
    const server = await serve((_request, response) => response.end("ok"), {
      cert: pem("server.pem"),
      key: pem("server.key"),
    });
    const proxy = await startProxy();
    const { opened } = await session({ proxy: proxy.address });
    const error = await thrown(attempt(opened, hop(server.url)));
    expect(proxy.seen.map(({ line }) => line)).toEqual([`CONNECT localhost:${server.port}`]);
    expect(error).toMatchObject({ stage: "connect" });
    expect((error as Broken).cause).not.toBeInstanceOf(ProxyFailure);
  });

  test("that ends a connection, the failure is not its own", async () => {
    const server = await serveRaw((socket) => socket.destroy());
    const { opened } = await session({ proxy: server.url });
    const error = await thrown(attempt(opened, hop("http://forge.example.com/x")));
    expect(error).toBeInstanceOf(Broken);
    expect((error as Broken).cause).not.toBeInstanceOf(ProxyFailure);
    expect((error as Broken).stage).not.toBe("connect");
  });
});

describe("the proxy of an address", () => {
  const url = new URL("http://forge.example.com");

  test("may be that of the options, or of the environment; its secrets are known from then on", async () => {
    const { opened } = await session({ proxy: "http://proxy:p4ss-of-it@proxy.example:3128" });
    expect(opened.mayProxy).toBe(true);
    expect((await chooseProxy(opened, url))?.origin).toBe("http://proxy.example:3128");
    expect(opened.redactor.text("a p4ss-of-it b")).toBe("a [redacted] b");
    expect(await chooseProxy((await session()).opened, url)).toBeUndefined();
  });

  test.each([
    [{}, false],
    [{ NO_PROXY: "*" }, false],
    [{ https_proxy: "", HTTP_PROXY: "" }, false],
    [{ https_proxy: "a" }, true],
    [{ HTTPS_PROXY: "a" }, true],
    [{ http_proxy: "a" }, true],
    [{ HTTP_PROXY: "a" }, true],
    [{ all_proxy: "a" }, true],
    [{ ALL_PROXY: "a" }, true],
  ])("with %j one may be needed: %s", async (env, needed) => {
    expect((await session({ env })).opened.mayProxy).toBe(needed);
  });
});

describe("a session", () => {
  test("ends with an interrupt, or by itself, and then what is in progress is interrupted", async () => {
    for (const end of ["interrupt", "itself"]) {
      const { opened, interrupt } = await session();
      const server = await serveRaw(() => (end === "itself" ? opened.end() : interrupt.abort()));
      expect(opened.life.aborted).toBe(false);
      expect(await thrown(attempt(opened, hop(server.url)))).toMatchObject({ exit: "interrupted" });
      expect(opened.life.aborted).toBe(true);
    }
  });

  test("that begins after an interrupt has ended", async () => {
    const interrupt = new AbortController();
    interrupt.abort();
    expect((await session({ signal: interrupt.signal })).opened.life.aborted).toBe(true);
  });

  test("that has ended no longer listens for an interrupt", async () => {
    const { signal } = new AbortController();
    const listeners = { added: 0, removed: 0 };
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (name: "abort", listener: () => void) => {
        listeners.added += 1;
        add(name, listener);
      },
      removeEventListener: (name: "abort", listener: () => void) => {
        listeners.removed += 1;
        remove(name, listener);
      },
    });
    const { opened } = await session({ signal });
    opened.end();
    expect(listeners).toEqual({ added: 1, removed: 1 });
  });

  test("with certificates that cannot be used is a mistake of the configuration", async () => {
    for (const more of [{ ca: "no" }, { cert: "no" }, { key: "no" }])
      expect(await thrown(session(more))).toMatchObject({ name: "UsageError" });
  });
});

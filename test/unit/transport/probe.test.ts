import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTransport } from "../../../src/api/transport/index.ts";
import type { TransportOptions } from "../../../src/api/transport/message.ts";
import { after } from "../../../src/node/timers.ts";
import { startProxy } from "../../faults/proxy.ts";
import { freePort, serve } from "../../faults/support.ts";

const pem = (name: string) => readFileSync(new URL(`../../faults/fixtures/${name}`, import.meta.url), "utf8");
const certificate = (name: string) => ({ cert: pem(`${name}.pem`), key: pem(`${name}.key`) });
const ca = pem("ca.pem");
const secure = (name: string, more: object = {}) =>
  serve((_request, response) => response.end(), { ...certificate(name), ...more });

/** What a transport with these options finds at an address; each look at its clock is 5 ms after the one before. */
async function probed(url: string, more: Partial<TransportOptions> = {}) {
  let now = 0;
  const transport = await createTransport({
    timeoutMs: 20_000,
    retries: 0,
    connections: 1,
    userAgent: "forgectl/test",
    env: {},
    signal: new AbortController().signal,
    now: Date.now,
    elapsedMs: () => (now += 5),
    sleep: () => Promise.resolve(),
    after,
    random: Math.random,
    ...more,
  });
  onTestFinished(() => transport.close());
  return transport.probe(url);
}

describe("a connection that is opened to look at it", () => {
  test("over plain http has a peer, a time, and no certificate; nothing is sent", async () => {
    const server = await serve((_request, response) => response.end());
    expect(await probed(`${server.url}/x`)).toEqual({
      peer: `127.0.0.1:${server.port}`,
      openedMs: 5,
      certificate: undefined,
      failure: undefined,
    });
    expect(server.seen).toEqual([]);
  });

  test("to an address of IPv6 has it in brackets", async () => {
    const server = createServer().listen(0, "::1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect((await probed(`http://[::1]:${port}`)).peer).toBe(`[::1]:${port}`);
  });

  test("that is refused has no peer, and says why", async () => {
    const port = await freePort();
    const { peer, failure, openedMs } = await probed(`http://127.0.0.1:${port}`);
    expect([peer, openedMs, failure?.message]).toEqual([undefined, 0, `127.0.0.1:${port} refused the connection`]);
    expect(failure?.details.method).toBe("GET");
  });

  test("that takes too long has timed out", async () => {
    let timeOut: (() => void) | undefined;
    // What the client sends after it is connected.
    const silent = createServer((socket) => socket.once("data", () => timeOut?.())).listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const { peer, failure } = await probed(`https://127.0.0.1:${port}`, {
      after: (_ms, act) => {
        timeOut = act;
        return () => undefined;
      },
    });
    expect([peer, failure?.exit]).toEqual([`127.0.0.1:${port}`, "network"]);
    expect(failure?.message).toMatch(/^no connection to \S+ within 20 s$/);
  });
});

describe("a certificate", () => {
  const until = new Date("2125-01-01T00:00:00Z");
  const described = { subject: "localhost", issuer: "Test authority", until };

  test.each(["TLSv1.2", "TLSv1.3"] as const)("that is trusted is described, with %s", async (protocol) => {
    const server = await secure("server", { minVersion: protocol, maxVersion: protocol });
    const { peer, certificate, failure } = await probed(server.url, { ca });
    expect([peer, failure]).toEqual([`127.0.0.1:${server.port}`, undefined]);
    expect(certificate).toEqual({ ...described, protocol });
    expect(server.seen).toEqual([]);
  });

  test.each([
    ["is not trusted", "server", {}, /is not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/],
    ["has expired", "expired", { ca }, /has expired/],
    ["is another host's", "elsewhere", { ca }, /for another host name/],
  ])("that %s is described too, with the error that requests would get", async (_, name, options, message) => {
    const server = await secure(name);
    const { peer, certificate, failure } = await probed(server.url, options);
    expect([peer, certificate?.issuer]).toEqual([`127.0.0.1:${server.port}`, "Test authority"]);
    expect(failure?.message).toMatch(message);
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("that the client lacks is noticed, with %s", async (version) => {
    const server = await secure("server", { requestCert: true, ca, minVersion: version, maxVersion: version });
    const forever = (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const without = await probed(server.url, { ca, sleep: forever });
    expect(without.failure?.exit).toBe("network");
    const own = await probed(server.url, { ca, sleep: forever, ...certificate("client") });
    expect([own.failure, own.certificate?.protocol]).toEqual([undefined, version]);
  });

  test("is not there where something else than TLS answers", async () => {
    const server = await serve((_request, response) => response.end());
    const { peer, certificate, failure } = await probed(`https://127.0.0.1:${server.port}`);
    expect([peer, certificate, failure?.exit]).toEqual([`127.0.0.1:${server.port}`, undefined, "network"]);
  });
});

describe("through a proxy", () => {
  test("https has a tunnel: the connection is the proxy's, the certificate the instance's", async () => {
    const [proxy, server] = [await startProxy(), await secure("server")];
    const seen = await probed(server.url, { ca, proxy: `http://${proxy.address}` });
    expect([seen.peer, seen.certificate?.subject, seen.failure]).toEqual([proxy.address, "localhost", undefined]);
    expect(proxy.seen.map(({ line }) => line)).toEqual([`CONNECT localhost:${server.port}`]);
    const untrusted = await probed(server.url, { env: { https_proxy: `http://${proxy.address}` } });
    expect(untrusted.failure?.message).toContain("is not trusted");
  });

  test("that refuses the tunnel there is no connection", async () => {
    const [proxy, server] = [await startProxy(407), await secure("server")];
    const { peer, certificate, failure } = await probed(server.url, { ca, proxy: `http://${proxy.address}` });
    expect([peer, certificate]).toEqual([undefined, undefined]);
    expect(failure?.message).toContain(proxy.address);
    expect(failure?.message).toContain("407");
  });

  test.each(["http_proxy", "HTTP_PROXY", "all_proxy"])(
    "plain http, with %s, looks at the proxy itself",
    async (name) => {
      const proxy = await startProxy();
      const seen = await probed("http://forge.example", { env: { [name]: `http://${proxy.address}` } });
      expect(seen).toMatchObject({ peer: proxy.address, certificate: undefined, failure: undefined });
      expect(proxy.seen).toEqual([]);
    },
  );

  test("that cannot be reached, the proxy is named and not the instance", async () => {
    const proxy = `http://127.0.0.1:${await freePort()}`;
    for (const url of ["http://forge.example", "https://forge.example"]) {
      const { peer, failure } = await probed(url, { proxy });
      expect([peer, failure?.exit]).toEqual([undefined, "network"]);
      expect(failure?.message).toContain(proxy.replace("http://", ""));
    }
  });
});

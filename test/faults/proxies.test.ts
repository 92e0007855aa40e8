import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startProxy } from "./proxy.ts";
import { client, failureOf, freePort, serve, serveRaw, textOf, withToken } from "./support.ts";

const pem = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
const ca = pem("ca.pem");
const tls = { cert: pem("server.pem"), key: pem("server.key") };

describe("through a proxy", () => {
  test("https is tunneled, with the custom CA; the proxy sees neither token nor path", async () => {
    const server = await serve((_request, response) => response.end("through"), tls);
    const proxy = await startProxy();
    const { send, trace } = await client({ ca, proxy: `http://jo:pass%20word@${proxy.address}` });
    for (const path of ["/a", "/b"]) {
      expect(await textOf(await send("GET", server.url + path, withToken))).toBe("through");
    }
    const basic = Buffer.from("jo:pass word").toString("base64");
    expect(proxy.seen.map((one) => [one.line, one.authorization])).toEqual([
      [`CONNECT localhost:${server.port}`, `Basic ${basic}`],
    ]);
    expect(JSON.stringify(proxy.seen)).not.toContain("s3cret-token");
    expect(server.lines()).toEqual(["GET /a", "GET /b"]);
    expect(server.seen[0]?.headers["proxy-authorization"]).toBeUndefined();
    expect(trace).toContain(`    through the proxy http://${proxy.address}`);
    expect(trace.join("\n")).not.toMatch(/pass.word|cGFzcyB3b3Jk/);
  });

  test("plain http through an unreachable proxy names the proxy, not the instance", async () => {
    const port = await freePort();
    const { send } = await client({ proxy: `http://127.0.0.1:${port}`, retries: 0 });
    const failure = await failureOf(send("GET", "http://instance.test/a"));
    expect(failure.exit).toBe("network");
    expect(failure.message).toBe(
      `the proxy http://127.0.0.1:${port} could not be used to reach instance.test (ECONNREFUSED)`,
    );
  });

  test("plain http is not tunneled", async () => {
    const server = await serve((_request, response) => response.end("through"));
    const proxy = await startProxy();
    const { send } = await client({ env: { HTTP_PROXY: `jo:pw@${proxy.address}` } });
    const response = await send("GET", `http://instance.test:${server.port}/a`, withToken);
    expect([await textOf(response), response.url]).toEqual(["through", `http://instance.test:${server.port}/a`]);
    expect(proxy.seen.map((one) => one.line)).toEqual([`GET http://instance.test:${server.port}/a`]);
    expect(server.seen[0]?.headers).toMatchObject({ host: `instance.test:${server.port}` });
    expect(server.seen[0]?.headers["proxy-authorization"]).toBeUndefined();
  });

  test("plain http through an https proxy, whose certificate must be its own and not the instance's", async () => {
    const proxy = await serve((_request, response) => response.end("through"), tls);
    const { send } = await client({ ca, proxy: proxy.url });
    expect(await textOf(await send("GET", "http://instance.test/a", withToken))).toBe("through");
    expect(proxy.lines()).toEqual(["GET http://instance.test/a"]);
    const other = await serve(() => undefined, { cert: pem("elsewhere.pem"), key: pem("elsewhere.key") });
    const { send: sendByOther } = await client({ ca, proxy: other.url, retries: 0 });
    const failure = await failureOf(sendByOther("GET", "http://elsewhere.test/a", withToken));
    expect(failure.message).toContain("could not be used to reach elsewhere.test (ERR_TLS_CERT_ALTNAME_INVALID)");
    expect(other.seen).toEqual([]);
  });

  test("an address without a scheme, and the one for all schemes", async () => {
    const server = await serve((_request, response) => response.end("through"), tls);
    const proxy = await startProxy();
    const { send } = await client({ ca, env: { all_proxy: proxy.address } });
    // The certificate is for localhost: only the request to the proxy matters.
    const failure = await failureOf(send("GET", `https://instance.test:${server.port}/a`));
    expect(failure.message).toContain("is for another host name");
    expect(proxy.seen.map((one) => one.line)).toEqual([`CONNECT instance.test:${server.port}`]);
  });

  test.each([
    ["loopback", "127.0.0.1", {}],
    ["NO_PROXY", "127.0.0.1", { NO_PROXY: "example.com, 127.0.0.0/8" }],
  ])("%s is contacted directly", async (_name, host, more) => {
    const server = await serve((_request, response) => response.end("directly"));
    const proxy = await startProxy();
    const { send } = await client({ env: { HTTP_PROXY: proxy.address, ...more } });
    expect(await textOf(await send("GET", `http://${host}:${server.port}/`))).toBe("directly");
    expect(proxy.seen).toEqual([]);
  });

  test("the profile's is used for everything, before the environment's", async () => {
    const server = await serve((_request, response) => response.end("through"));
    const proxy = await startProxy();
    const env = { HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "*" };
    const { send } = await client({ proxy: proxy.address, env });
    expect(await textOf(await send("GET", server.url))).toBe("through");
    expect(proxy.seen).toHaveLength(1);
  });
});

describe("a failing proxy", () => {
  test("requires a password", async () => {
    const proxy = await startProxy(407);
    const { send, waits } = await client({ proxy: proxy.address });
    const failure = await failureOf(send("POST", "https://instance.test/a"));
    expect(failure.message).toBe(
      `the proxy http://${proxy.address} did not open a tunnel to instance.test (it answered 407)`,
    );
    expect([failure.exit, failure.details.hint]).toEqual([
      "network",
      "check the user and password in the proxy's address",
    ]);
    expect([waits.length, proxy.seen.length]).toEqual([0, 1]);
  });

  test("cannot reach the instance: retried, even a POST", async () => {
    const proxy = await startProxy(503);
    const { send } = await client({ proxy: proxy.address, retries: 2 });
    expect((await failureOf(send("POST", "https://instance.test/a"))).message).toContain("(it answered 503)");
    expect(proxy.seen).toHaveLength(3);
  });

  test("closes the connection, is silent, or is unreachable", async () => {
    const hangsUp = await serveRaw((socket) => socket.end());
    const silent = await serveRaw(() => {});
    for (const port of [hangsUp.port, silent.port, await freePort()]) {
      const { send } = await client({ proxy: `127.0.0.1:${port}`, retries: 1, timeoutMs: 300 });
      const failure = await failureOf(send("GET", "https://instance.test/a"));
      expect(failure.exit).toBe("network");
      expect(failure.message).toMatch(/^(the proxy http:.* could not be used|no connection to instance.test within)/);
    }
    expect([hangsUp.heads.length, silent.heads.length]).toEqual([2, 2]);
  });

  test("opens a tunnel, and sends something else through it at once: no wait for the time limit", async () => {
    const proxy = await serveRaw((socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nplease sign in\r\n"));
    const { send } = await client({ proxy: `127.0.0.1:${proxy.port}` });
    const failure = await failureOf(send("GET", "https://instance.test/a"));
    expect(failure.message).toMatch(/^instance.test does not speak TLS as expected/);
    expect(proxy.heads).toHaveLength(1);
  });

  test.each(["socks5://127.0.0.1:1", "http://"])("%s is a usage error", async (proxy) => {
    const { send } = await client({ proxy });
    expect((await failureOf(send("GET", "https://instance.test/a"))).exit).toBe("usage");
  });
});

import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { examined } from "../support/examined.ts";
import { session } from "../support/session.ts";
import { startProxy } from "./proxy.ts";
import { freePort, serve, serveRaw } from "./support.ts";

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const pem = (name: string) => readFileSync(fixture(name), "utf8");
const certificate = (name: string) => ({ cert: pem(`${name}.pem`), key: pem(`${name}.key`) });
const token = "s3cret-token-of-mine";

/** The parts of an instance that these checks request, with additional headers in every answer. */
function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
const me = { id: 7, username: "alice" };

/** Runs doctor against this address; a check may take half a second and one more. */
function runDoctor(url: string, env: Record<string, string> = {}, ...words: string[]) {
  const place = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: token, FORGECTL_TIMEOUT: "0.5", ...env });
  return examined(place, ...words);
}

describe("the path to the instance", () => {
  test("an unknown host name fails at dns, and the checks after it are skipped", async () => {
    const { code, wrong, of } = await runDoctor("https://forge.invalid", { FORGECTL_TIMEOUT: "20" });
    expect([code, wrong]).toEqual([11, ["dns: fail"]]);
    expect(of("dns").hint).toMatch(/base URL|network/);
    for (const check of ["connection", "tls", "api", "token", "clock", "registry_token"]) {
      expect(of(check)).toMatchObject({ result: "skipped", detail: "dns failed" });
    }
  });

  test("a refused connection", async () => {
    const port = await freePort();
    const { code, wrong, of } = await runDoctor(`http://127.0.0.1:${port}`, { FORGECTL_TIMEOUT: "20" });
    expect([code, wrong]).toEqual([11, ["connection: fail"]]);
    expect(of("connection").detail).toBe(`127.0.0.1:${port} refused the connection`);
  });

  test("a server that accepts the connection and never answers: TLS or the API times out", async () => {
    const silent = await serveRaw(() => {});
    const plain = await runDoctor(silent.url);
    expect([plain.code, plain.wrong]).toEqual([11, ["api: fail"]]);
    expect(plain.of("api").detail).toBe(`no answer from 127.0.0.1:${silent.port} within 0.5 s`);
    expect(plain.of("api").hint).toContain("check that the instance is up");
    const secure = await runDoctor(`https://127.0.0.1:${silent.port}`);
    expect([secure.code, secure.wrong]).toEqual([11, ["tls: fail"]]);
    expect(secure.of("connection").detail).toBe(`to 127.0.0.1:${silent.port}`);
  });

  test("plain http where https is expected", async () => {
    const server = await serve((_request, response) => json(response, 200, me));
    const { code, wrong, of } = await runDoctor(`https://127.0.0.1:${server.port}`);
    expect([code, wrong]).toEqual([11, ["tls: fail"]]);
    expect(of("tls").detail).toContain("does not speak TLS");
  });
});

describe("plain http to a port with TLS", () => {
  const answered = certificate("server");
  test("the server closes the connection: the handshake that works is named", async () => {
    const server = await serve((_request, response) => json(response, 200, me), answered);
    const { code, wrong, of } = await runDoctor(`http://127.0.0.1:${server.port}`);
    expect([code, wrong]).toEqual([11, ["api: fail"]]);
    expect(of("api").detail).toMatch(/; the port answers with TLS, and the base URL says http$/);
    expect(of("api").hint).toBe(`try https: set https://127.0.0.1:${server.port} as the base URL`);
    expect(server.seen).toEqual([]);
  });

  test("another plain server that refuses is not taken for one", async () => {
    const server = await serve((_request, response) => response.writeHead(400).end("no"));
    const { of } = await runDoctor(server.url);
    expect(of("api").result).toBe("fail");
    expect(of("api").detail).not.toContain("TLS");
  });
});

describe("the release", () => {
  test.each([
    ["14.10.5-ee", "warn"],
    ["17.2.9", "warn"],
    ["17.3.0", "ok"],
    ["18.0.1", "ok"],
  ])("%s: %s", async (version, result) => {
    const server = await serve((request, response) =>
      json(response, 200, request.url?.endsWith("/metadata") ? { version, revision: "abc" } : me),
    );
    const { code, of } = await runDoctor(server.url);
    expect([code, of("api").result]).toEqual([0, result]);
    expect(of("api").detail).toContain(`release ${version}`);
    expect(of("api").detail.includes("older than 17.3")).toBe(result === "warn");
  });

  test("one from before 15.2 shows it by its own request only", async () => {
    const server = await serve((request, response) => {
      if (request.url?.endsWith("/metadata")) return json(response, 404, { error: "404 Not Found" });
      return json(response, 200, request.url?.endsWith("/version") ? { version: "13.2.1", revision: "abc" } : me);
    });
    const { of } = await runDoctor(server.url);
    expect([of("api").result, of("api").detail]).toEqual(["warn", expect.stringContaining("release 13.2.1: older")]);
  });
});

describe("certificates", () => {
  const instance = (name: string) => serve((_request, response) => json(response, 200, me), certificate(name));

  test("a trusted one is described: subject, issuer, expiry", async () => {
    const server = await instance("server");
    const { code, of } = await runDoctor(server.url, {}, "--ca-file", fixture("ca.pem"));
    expect(code).toBe(0);
    expect(of("tls").detail).toMatch(/^localhost, signed by .+, valid until \d{4}-\d\d-\d\d \(TLSv1\.\d\)/);
    expect(of("token").detail).toContain("alice");
    expect(of("values").detail).toContain("(--ca-file)");
  });

  test.each([
    ["server", [], "is not trusted", "--ca-file"],
    ["expired", ["--ca-file", fixture("ca.pem")], "has expired", "administrator"],
    ["elsewhere", ["--ca-file", fixture("ca.pem")], "is for another host name", "host name"],
  ])("%s is refused, but still described", async (name, words, problem, hint) => {
    const server = await instance(name);
    const { code, wrong, of } = await runDoctor(server.url, {}, ...words);
    expect([code, wrong]).toEqual([11, ["tls: fail"]]);
    expect(of("tls").detail).toContain(problem);
    expect(of("tls").detail).toMatch(/signed by .+, valid until \d{4}/);
    expect(of("tls").hint).toContain(hint);
    expect(of("connection").result).toBe("ok");
    expect(server.seen).toEqual([]);
  });

  test("an invalid one is accepted if the environment says so, with a warning", async () => {
    const server = await instance("server");
    const { code, wrong, of } = await runDoctor(server.url, {
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      FORGECTL_TIMEOUT: "20",
    });
    expect([code, wrong, of("token").result]).toEqual([0, ["tls: warn"], "ok"]);
    expect(of("tls").hint).toContain("remove NODE_TLS_REJECT_UNAUTHORIZED");
  });

  test("an instance that requires a client certificate", async () => {
    const wanting = { requestCert: true, rejectUnauthorized: true, ca: pem("ca.pem") };
    const server = await serve((_request, response) => json(response, 200, me), {
      ...certificate("server"),
      ...wanting,
    });
    const { code, wrong, of } = await runDoctor(server.url, {}, "--ca-file", fixture("ca.pem"));
    expect([code, wrong]).toEqual([11, ["tls: fail"]]);
    expect(of("tls").detail).toContain("requires a client certificate");
    expect(of("tls").hint).toContain("cert-file");
  });

  test("an unreadable CA file is found offline too", async () => {
    const server = await instance("server");
    const words = ["--ca-file", fixture("none.pem")];
    const { code, wrong, of } = await runDoctor(server.url, {}, ...words);
    expect([code, wrong, server.connections]).toEqual([2, ["values: fail"], 0]);
    for (const check of ["connection", "tls", "api", "token"]) {
      expect(of(check)).toMatchObject({ result: "skipped", detail: "values failed" });
    }
    expect(of("values").detail).toContain("cannot be read");
    expect((await runDoctor(server.url, {}, "--offline", ...words)).wrong).toEqual(["values: fail"]);
  });
});

describe("the answer", () => {
  test.each([
    ["a sign-in page", 200, "web page", "base URL"],
    ["a reverse proxy's 502", 502, "502", "not available: try again later"],
    ["a page on maintenance", 503, "503", "not available: try again later"],
  ])("%s is not the API", async (_name, status, words, hint) => {
    const server = await serve((_request, response) =>
      response.writeHead(status, { "content-type": "text/html" }).end("<html>Sign in</html>"),
    );
    const { code, wrong, of } = await runDoctor(server.url);
    expect([code, wrong]).toEqual([1, ["api: fail"]]);
    expect(of("api").detail).toContain(words);
    expect(of("api").hint).toContain(hint);
    expect(of("token")).toMatchObject({ result: "skipped", detail: "api failed" });
  });

  test("a redirect to another host is named, and the token is not sent there", async () => {
    const other = await serve((_request, response) => json(response, 401, { message: "401 Unauthorized" }));
    const server = await serve((request, response) =>
      response.writeHead(302, { location: `${other.url}/forge${request.url}?private_token=${token}` }).end(),
    );
    const { code, wrong, of, stdout } = await runDoctor(server.url);
    expect([code, wrong]).toEqual([1, ["api: fail"]]);
    expect(of("api").detail).toContain(`${server.url} redirects to ${other.url}/forge`);
    expect(of("api").hint).toContain(`--base-url ${other.url}/forge`);
    expect(JSON.stringify(other.seen) + stdout).not.toContain(token);
  });

  test("unrelated JSON", async () => {
    const server = await serve((_request, response) => json(response, 200, { hello: "world" }));
    const { code, of } = await runDoctor(server.url);
    expect([code, of("api").result]).toEqual([1, "fail"]);
    expect(of("api").detail).toContain("not with the platform's API");
  });

  test("a refused and echoed token: the API is reachable, the token is never shown", async () => {
    const server = await serve((_request, response) =>
      json(response, 401, { message: `no such token: ${token} (${encodeURIComponent(`${token}/`)})` }),
    );
    const { code, wrong, of, stdout, stderr } = await runDoctor(server.url);
    expect([code, wrong]).toEqual([4, ["token: fail"]]);
    expect(of("api").detail).toBe("GET /api/v4/user answered 401");
    expect(of("token").detail).toContain("no such token: [redacted]");
    expect(of("token").hint).toContain("forgectl auth login");
    expect(stdout + stderr).not.toContain(token);
  });

  test("too many requests", async () => {
    const server = await serve((_request, response) => json(response, 429, { message: "Retry later" }));
    const { code, wrong } = await runDoctor(server.url);
    expect([code, wrong, server.seen.length]).toEqual([7, ["api: fail"], 1]);
  });

  test("a clock that is an hour off is a warning, with the direction", async () => {
    const hour = 3_600_000;
    for (const [shift, words] of [
      [-hour, "60 min ahead of"],
      [hour, "60 min behind"],
    ] as const) {
      const date = new Date(Date.now() + shift).toUTCString();
      const server = await serve((_request, response) => json(response, 200, me, { date }));
      const { code, wrong, of } = await runDoctor(server.url);
      expect([code, wrong]).toEqual([0, ["clock: warn"]]);
      expect(of("clock").detail).toBe(`this machine's clock is ${words} the instance's`);
    }
  });

  test("the remaining rate limit, and a warning if it is low", async () => {
    const instance = (left: string) =>
      serve((_request, response) =>
        json(response, 200, me, { "ratelimit-limit": "2000", "RateLimit-Remaining": left }),
      );
    expect((await runDoctor((await instance("1998")).url)).of("rate_limit").detail).toBe(
      "1,998 requests left of 2,000",
    );
    expect((await runDoctor((await instance("3")).url)).wrong).toEqual(["rate_limit: warn"]);
  });

  test("a token that expires within days is a warning", async () => {
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const own = { id: 1, name: "ci", revoked: false, scopes: ["api"], user_id: 7, active: true, expires_at: soon };
    const server = await serve((request, response) => json(response, 200, request.url?.endsWith("/self") ? own : me));
    const { code, wrong, of } = await runDoctor(server.url);
    expect([code, wrong]).toEqual([0, ["token: warn"]]);
    expect(of("token").detail).toContain(`valid until ${soon}`);
  });

  test("texts of the instance cannot control the terminal", async () => {
    const server = await serve((_request, response) => json(response, 200, { id: 1, username: "\u001b[2Jroot" }));
    const place = session({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: token });
    const { stdout } = await place.run("doctor", "-o", "table");
    expect(stdout).toContain("root");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("proxies", () => {
  test("one that refuses, with its answer", async () => {
    const proxy = await serveRaw((socket) => socket.end("HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n"));
    const { code, wrong, of, stdout, stderr } = await runDoctor("https://forge.example.com", {
      HTTPS_PROXY: `http://jo:pass%20word@127.0.0.1:${proxy.port}`,
    });
    expect([code, wrong]).toEqual([11, ["connection: fail"]]);
    expect(of("proxy").detail).toBe(
      `http://127.0.0.1:${proxy.port}, with credentials (the environment variable HTTPS_PROXY)`,
    );
    expect(of("connection").detail).toContain("407");
    expect(of("connection").hint).toContain("user and password");
    expect(stdout + stderr).not.toMatch(/pass(%20| )word|jo:|am86/);
  });

  test("one that connects: the connection is the proxy's, the certificate the instance's", async () => {
    const server = await serve((_request, response) => json(response, 200, me), certificate("server"));
    const proxy = await startProxy();
    const place = session({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: token });
    await place.run("profiles", "set", "work", `proxy=http://${proxy.address}`);
    const { code, of } = await examined(place, "--ca-file", fixture("ca.pem"));
    expect([code, of("connection").detail]).toEqual([0, `to ${proxy.address}, the proxy`]);
    expect(of("tls").detail).toContain("localhost, signed by");
    expect(proxy.seen.every(({ line }) => line === `CONNECT localhost:${server.port}`)).toBe(true);
  });

  test("an unreachable one, for plain http", async () => {
    const port = await freePort();
    const { code, wrong, of } = await runDoctor("http://forge.example.com", { HTTP_PROXY: `127.0.0.1:${port}` });
    expect([code, wrong], of("config").detail).toEqual([11, ["connection: fail"]]);
    expect(of("connection").detail).toContain(`the proxy http://127.0.0.1:${port} could not be used`);
  });

  test("one that is set and not used, with the reason", async () => {
    const server = await serve((_request, response) => json(response, 200, me));
    const { code, of } = await runDoctor(server.url, { HTTP_PROXY: "http://jo:word@127.0.0.1:1" });
    expect([code, of("proxy").detail]).toEqual([0, "none: HTTP_PROXY is set, but this machine is never proxied"]);
  });

  test("one of an unsupported kind", async () => {
    const { code, wrong, of, stdout } = await runDoctor("https://forge.example.com", {
      HTTPS_PROXY: "socks5://jo:word@127.0.0.1:1",
    });
    expect([code, wrong]).toEqual([2, ["proxy: fail"]]);
    expect(of("proxy").hint).toContain("HTTPS_PROXY");
    expect(stdout).not.toContain("jo:word");
  });
});

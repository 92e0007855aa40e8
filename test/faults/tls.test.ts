import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import type { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { atTestEnd } from "../support/ending.ts";
import { client, failureOf, serve, serveRaw, textOf } from "./support.ts";

const pem = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
const ca = pem("ca.pem");
const certificate = (name: string) => ({ cert: pem(`${name}.pem`), key: pem(`${name}.key`) });

function secure(name: string, more: object = {}) {
  return serve(
    (request, response) => {
      const { socket } = request as unknown as { socket: ReturnType<typeof connect> };
      response.end(String(socket.getPeerCertificate().subject?.CN ?? "nobody"));
    },
    { ...certificate(name), ...more },
  );
}

describe("custom CA", () => {
  test("with it the instance is trusted", async () => {
    const server = await secure("server");
    const { send } = await client({ ca });
    expect(await textOf(await send("GET", server.url))).toBe("nobody");
  });

  test("it adds to the usual ones: with another one, ours is still not trusted", async () => {
    const server = await secure("server");
    const { send } = await client({ ca: pem("elsewhere.pem") });
    expect((await failureOf(send("GET", server.url))).message).toContain("is not trusted");
  });

  test("without it the error says what to store, after one attempt", async () => {
    const server = await secure("server");
    const { send, waits } = await client();
    const failure = await failureOf(send("GET", server.url));
    expect(failure.message).toBe(
      `the certificate of localhost:${server.port} is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`,
    );
    expect([failure.exit, failure.details.retryable]).toEqual(["network", false]);
    expect(failure.details.hint).toContain("ca-file");
    expect([waits, server.seen]).toEqual([[], []]);
  });

  test.each([
    ["ca", { ca: "no PEM" }],
    ["cert", { cert: "no PEM" }],
  ])("an invalid %s is a usage error", async (name, options) => {
    const failure = await failureOf(client(options));
    expect(failure.exit).toBe("usage");
    expect(failure.details.hint).toContain(`${name}-file`);
  });
});

test("a connection that breaks during the handshake could not be opened, and nothing was sent", async () => {
  const server = createServer((socket) => void socket.once("data", () => socket.resetAndDestroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atTestEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { send } = await client({ ca });
  const failure = await failureOf(send("POST", `https://127.0.0.1:${port}`));
  expect(failure.message).toBe(`the connection to 127.0.0.1:${port} could not be opened (ECONNRESET)`);
  expect([failure.exit, failure.details.outcome]).toEqual(["network", undefined]);
});

describe("bad certificates", () => {
  test.each([
    ["elsewhere", "is for another host name"],
    ["expired", "has expired"],
  ])("%s", async (name, words) => {
    const server = await secure(name);
    const { send, waits } = await client({ ca });
    const failure = await failureOf(send("GET", server.url));
    expect(failure.message).toBe(`the certificate of localhost:${server.port} ${words}`);
    expect([failure.exit, waits, server.seen]).toEqual(["network", [], []]);
  });

  test("no TLS on the other side", async () => {
    const server = await serve((_request, response) => response.end());
    const { send, waits } = await client();
    const failure = await failureOf(send("GET", `https://127.0.0.1:${server.port}`));
    expect(failure.message).toMatch(/ does not speak TLS as expected \(\w+\)$/);
    expect([failure.exit, waits]).toEqual(["network", []]);
  });

  test("not even HTTP", async () => {
    const server = await serveRaw((socket) => socket.end("220 mail.example ESMTP\r\n"));
    const { send, waits } = await client();
    const failure = await failureOf(send("GET", server.url));
    expect(failure.message).toBe(`127.0.0.1:${server.port} answered with something that is not HTTP`);
    expect(waits).toEqual([]);
  });
});

describe("client certificate", () => {
  test("is shown to an instance that requests it", async () => {
    const server = await secure("server", { requestCert: true, rejectUnauthorized: true, ca });
    const { send } = await client({ ca, ...certificate("client") });
    expect(await textOf(await send("GET", server.url))).toBe("client");
  });

  test("without one there is no connection", async () => {
    const server = await secure("server", { requestCert: true, rejectUnauthorized: true, ca });
    const { send } = await client({ ca, retries: 0 });
    expect((await failureOf(send("GET", server.url))).exit).toBe("network");
    expect(server.seen).toHaveLength(0);
  });
});

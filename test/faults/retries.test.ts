import { describe, expect, test } from "vitest";
import { bodyOf, client, failureOf, freePort, serve, serveRaw, start, textOf } from "./support.ts";

/** Answers with `status` and `headers` for the first `times` requests, then with 200. */
function failing(times: number, status: number, headers: Record<string, string> = {}) {
  return serve((_request, response, count) => {
    if (count > times) return response.end("at last");
    response.writeHead(status, headers).end("not now");
  });
}

describe("waits requested by the server", () => {
  test("Retry-After in seconds is respected and announced", async () => {
    const server = await failing(1, 429, { "retry-after": "12" });
    const { send, waits, announced } = await client();
    expect(await textOf(await send("GET", `${server.url}/a`))).toBe("at last");
    expect(waits).toEqual([12_000]);
    expect(announced).toEqual(["rate limited by the instance (429); next attempt in 12 s (2 of 5)"]);
    expect(server.lines()).toEqual(["GET /a", "GET /a"]);
  });

  test.each(["2, 2", "2.0", "1, 2"])("Retry-After: %s", async (value) => {
    const server = await failing(1, 429, { "retry-after": value });
    const { send, waits } = await client();
    expect((await send("GET", server.url)).status).toBe(200);
    expect(waits).toEqual([2000]);
  });

  test("a rate limit without a time ends after a minute: no four tries in eight seconds", async () => {
    const server = await failing(9, 429);
    const { send, waits, announced } = await client({ retries: 2 });
    expect((await send("GET", server.url)).status).toBe(429);
    expect(waits).toEqual([62_500, 62_500]);
    expect(announced[0]).toBe("rate limited by the instance (429); next attempt in 63 s (2 of 3)");
    expect(server.seen).toHaveLength(3);
  });

  test("Retry-After as a date", async () => {
    const server = await failing(1, 503, { "retry-after": new Date(start + 90_000).toUTCString() });
    const { send, waits, announced } = await client();
    expect((await send("GET", server.url)).status).toBe(200);
    expect(waits[0]).toBeGreaterThan(80_000);
    expect(waits[0]).toBeLessThanOrEqual(90_000);
    expect(announced[0]).toMatch(/^the instance answered 503; next attempt in \d+ s \(2 of 5\)$/);
  });

  test.each([
    ["seconds since 1970", String(start / 1000 + 45)],
    ["seconds from now", "45"],
  ])("RateLimit-Reset in %s", async (_form, reset) => {
    const server = await failing(1, 429, { "ratelimit-reset": reset });
    const { send, waits } = await client();
    expect((await send("GET", server.url)).status).toBe(200);
    expect(waits[0]).toBeGreaterThan(40_000);
    expect(waits[0]).toBeLessThanOrEqual(45_000);
  });

  test("a wait that is too long is not waited for: the answer is returned", async () => {
    const server = await failing(9, 429, { "retry-after": "601" });
    const { send, waits, announced } = await client();
    const response = await send("GET", server.url);
    expect([response.status, await textOf(response)]).toEqual([429, "not now"]);
    expect([waits, announced, server.seen.length]).toEqual([[], [], 1]);
  });

  test.each(["0", "-5", new Date(0).toUTCString()])("Retry-After: %s is no reason to hurry", async (value) => {
    const server = await failing(1, 429, { "retry-after": value });
    const { send, waits } = await client();
    expect((await send("GET", server.url)).status).toBe(200);
    expect(waits).toEqual([375]);
  });
});

describe("repeated requests", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE"])("%s on 429, 502, 503, and 504", async (method) => {
    for (const status of [429, 502, 503, 504]) {
      const server = await failing(2, status);
      const { send } = await client();
      expect((await send(method, server.url)).status).toBe(200);
      expect(server.seen).toHaveLength(3);
    }
  });

  test.each([500, 400, 404, 409, 501])("nothing on %i", async (status) => {
    const server = await failing(1, status);
    const { send } = await client();
    expect((await send("GET", server.url)).status).toBe(status);
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ["POST", 502, {}, 1],
    ["POST", 503, {}, 1],
    ["PATCH", 504, {}, 1],
    ["POST", 504, { "retry-after": "1" }, 1],
    ["POST", 503, { "retry-after": "1" }, 1],
    ["POST", 503, { "retry-after": "1", "content-type": "text/html" }, 1],
    ["POST", 503, { "retry-after": "1", "content-type": "application/json" }, 2],
    ["PATCH", 429, {}, 2],
  ])("%s on %i %o makes %i requests", async (method, status, headers, requests) => {
    const server = await failing(1, status, headers as Record<string, string>);
    const { send } = await client();
    const response = await send(method, server.url, { body: bodyOf('{"a":1}') });
    expect(response.status).toBe(requests === 1 ? status : 200);
    expect(server.seen.map((one) => one.body)).toEqual(Array(requests).fill('{"a":1}'));
  });

  test("a body is sent again from its start", async () => {
    const server = await failing(2, 503);
    const { send } = await client();
    expect((await send("PUT", server.url, { body: bodyOf("whole body") })).status).toBe(200);
    expect(server.seen.map((one) => one.body)).toEqual(["whole body", "whole body", "whole body"]);
    expect(server.seen[2]?.headers["content-length"]).toBe("10");
  });
});

describe("number of attempts and delays", () => {
  test("waits double, half of each at random; the last answer is the result", async () => {
    const server = await failing(9, 503);
    const { send, waits, announced, trace } = await client();
    const response = await send("GET", `${server.url}/x`);
    expect([response.status, await textOf(response)]).toEqual([503, "not now"]);
    expect(waits).toEqual([375, 750, 1500, 3000]);
    expect(announced).toHaveLength(2);
    expect(server.seen).toHaveLength(5);
    expect(server.connections).toBe(1);
    expect(trace.filter((line) => line.includes("next attempt"))).toHaveLength(4);
  });

  test("waits never exceed half a minute", async () => {
    const server = await failing(9, 503);
    const { send, waits } = await client({ retries: 9, random: () => 1 });
    await send("GET", server.url);
    expect(waits.slice(-3)).toEqual([30_000, 30_000, 30_000]);
  });

  test("--retries 0 makes one attempt", async () => {
    const server = await failing(9, 503);
    const { send } = await client({ retries: 0 });
    expect((await send("GET", server.url)).status).toBe(503);
    expect(server.seen).toHaveLength(1);
  });
});

describe("broken connections", () => {
  test("reset before the answer: GET is repeated, POST is not", async () => {
    const server = await serveRaw((socket, count) => {
      if (count < 3) return socket.resetAndDestroy();
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    const { send } = await client();
    expect(await textOf(await send("GET", server.url))).toBe("ok");
    expect(server.heads).toHaveLength(3);

    const broken = await serveRaw((socket) => socket.resetAndDestroy());
    const failure = await failureOf(send("POST", broken.url, { body: bodyOf("{}") }));
    expect(failure.exit).toBe("network");
    expect(failure.message).toBe(
      `the connection to 127.0.0.1:${broken.port} broke before an answer arrived (ECONNRESET)`,
    );
    expect(broken.heads).toHaveLength(1);
  });

  test("closed without an answer", async () => {
    const server = await serveRaw((socket) => socket.end());
    const { send } = await client({ retries: 2 });
    const failure = await failureOf(send("DELETE", server.url));
    expect(failure).toMatchObject({
      exit: "network",
      details: { reason: "3 attempts were made", outcome: "unknown" },
    });
    expect(server.heads).toHaveLength(3);
  });

  test("refused: even a POST is repeated, because nothing can have been sent", async () => {
    const port = await freePort();
    const { send, waits } = await client();
    const failure = await failureOf(send("POST", `http://127.0.0.1:${port}/x?token=abc`, { body: bodyOf("{}") }));
    expect(waits).toHaveLength(4);
    expect([failure.exit, failure.message]).toEqual(["network", `127.0.0.1:${port} refused the connection`]);
    expect(failure.details).toMatchObject({ method: "POST", path: "/x?token=[redacted]", retryable: true });
    expect(failure.details.hint).toContain("base URL");
  });

  test("on a terminal a refused connection is retried only once; a broken one as often as elsewhere", async () => {
    const port = await freePort();
    const { send, waits } = await client({ watched: true });
    await failureOf(send("GET", `http://127.0.0.1:${port}/`));
    expect(waits).toHaveLength(1);
    const server = await serveRaw((socket) => socket.resetAndDestroy());
    await failureOf(send("GET", server.url));
    expect(server.heads).toHaveLength(5);
  });

  test("an unknown host name", async () => {
    const { send } = await client({ retries: 1 });
    const failure = await failureOf(send("GET", "http://no-such-host.invalid/"));
    expect(failure.exit).toBe("network");
    expect(failure.message).toMatch(/^the host name of no-such-host\.invalid .*\(DNS\)$/);
  });
});

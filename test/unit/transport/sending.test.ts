import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  bodyOf,
  client,
  failureOf,
  freePort,
  serve,
  serveRaw,
  start,
  textOf,
  withToken,
} from "../../faults/support.ts";

/** A server that answers these statuses in turn, the last one again and again. */
const statuses = (...list: (number | [number, Record<string, string>])[]) =>
  serve((request, response, count) => {
    const given = list[Math.min(count, list.length) - 1] ?? 200;
    const [status, headers] = typeof given === "number" ? [given, {}] : given;
    request.on("end", () => response.writeHead(status, headers).end("body"));
    request.resume();
  });

describe("attempts", () => {
  test.each([
    ["GET", {}, [503, 503, 200], 3, 200],
    ["GET", {}, [502, 200], 2, 200],
    ["PUT", {}, [504, 200], 2, 200],
    ["POST", {}, [502, 200], 1, 502],
    ["POST", {}, [503, 200], 1, 503],
    ["PUT", { once: true }, [503, 200], 1, 503],
    ["POST", {}, [429, 200], 2, 200],
    ["GET", {}, [500, 200], 1, 500],
    ["GET", {}, [503], 5, 503],
  ] as const)("of %s %j, answered %j: %i, the last answer is %i", async (method, more, answers, attempts, status) => {
    const server = await statuses(...answers);
    const { send, waits } = await client();
    const response = await send(method, `${server.url}/x`, more);
    expect([response.status, await textOf(response), server.seen.length]).toEqual([status, "body", attempts]);
    expect(waits).toHaveLength(attempts - 1);
  });

  test.each([
    [503, false, true, "application/json"],
    [503, true, true, "text/html"],
    [502, true, true],
    [520, true, true],
    [429, false, false],
  ])(
    "after a %i, the change may have been made: %s, or refused before: %s",
    async (status, repeated, refusedBefore, type = "text/plain") => {
      const server = await statuses([status, { "content-type": type }], 404);
      const response = await (await client()).send("DELETE", `${server.url}/x`);
      expect([response.status, response.repeated, response.refusedBefore]).toEqual([404, repeated, refusedBefore]);
      const first = await statuses(404);
      const alone = await (await client()).send("DELETE", `${first.url}/x`);
      expect([alone.repeated, alone.refusedBefore]).toEqual([false, false]);
    },
  );

  test("after a connection that broke, it may have been made; after one that was never there, not", async () => {
    const server = await serveRaw((socket, count) => {
      if (count === 1) socket.destroy();
      else socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
    const again = await (await client()).send("DELETE", `${server.url}/x`);
    expect([again.status, again.repeated, again.refusedBefore]).toEqual([404, true, false]);
    const port = await freePort();
    const late = createServer((_request, response) => response.writeHead(404).end());
    onTestFinished(() => void late.close());
    const sleep = async () => void (await once(late.listen(port, "127.0.0.1"), "listening"));
    const first = await (await client({ sleep })).send("DELETE", `http://127.0.0.1:${port}/x`);
    await first.discard();
    expect([first.status, first.repeated, first.refusedBefore]).toEqual([404, false, false]);
  });

  test("are announced from a second on, and traced", async () => {
    const server = await statuses(503, [503, { "retry-after": "2" }], 200);
    const { send, waits, announced, trace } = await client();
    await send("GET", `${server.url}/x`);
    expect(waits).toEqual([375, 2000]);
    expect(announced).toEqual(["the instance answered 503; next attempt in 2 s (3 of 5)"]);
    expect(trace.filter((line) => line.includes("next attempt"))).toHaveLength(2);
  });

  test("to a broken connection: the outcome of a change is unknown, that of a read is not", async () => {
    const server = await serveRaw((socket) => socket.destroy());
    const lost = await client();
    const failure = await failureOf(lost.send("PUT", `${server.url}/x?private_token=s3cret`));
    expect(failure.details).toMatchObject({
      outcome: "unknown",
      retryable: false,
      path: "/x?private_token=[redacted]",
    });
    expect(failure.details.reason).toContain("5 attempts were made");
    expect(server.heads).toHaveLength(5);
    const once = await failureOf((await client()).send("POST", `${server.url}/x`));
    expect([once.details.outcome, once.details.reason]).toEqual(["unknown", undefined]);
    expect(server.heads).toHaveLength(6);
    const read = await failureOf((await client({ retries: 1 })).send("GET", `${server.url}/x`));
    expect([read.details.outcome, read.details.retryable]).toEqual([undefined, true]);
  });

  test.each([
    [true, 2],
    [false, 5],
  ])("to an address where nothing listens: someone watches: %s, attempts: %i", async (watched, attempts) => {
    const gone = await serveRaw(() => {});
    const { send, waits } = await client({ watched });
    const failure = await failureOf(send("GET", "http://127.0.0.1:1/x"));
    expect([failure.details.reason, waits.length]).toEqual([`${attempts} attempts were made`, attempts - 1]);
    expect(gone.heads).toEqual([]);
  });

  test("end with an interrupt, which leaves open what was sent", async () => {
    const { send, interrupt } = await client();
    const server = await serveRaw(() => interrupt.abort(new Error("stop")));
    const failure = await failureOf(send("POST", `${server.url}/x`));
    expect(failure).toMatchObject({ exit: "interrupted", details: { outcome: "unknown", method: "POST" } });
    const later = await failureOf(send("POST", `${server.url}/x`));
    expect([later.exit, later.details.outcome]).toEqual(["interrupted", undefined]);
    expect(server.heads).toHaveLength(1);
  });

  test("an interrupt while it waits is one too", async () => {
    const server = await statuses(502);
    const stop = new AbortController();
    const { send } = await client({
      signal: stop.signal,
      sleep: async () => {
        stop.abort(new Error("stop"));
        throw new Error("stop");
      },
    });
    const failure = await failureOf(send("DELETE", `${server.url}/x`));
    expect(failure).toMatchObject({ exit: "interrupted", details: { outcome: "unknown" } });
  });
});

describe("a whole answer", () => {
  test.each<[string, object, number, Record<string, string>, boolean]>([
    ["GET", { whole: true }, 200, {}, true],
    ["GET", { whole: false }, 200, { "content-type": "application/json" }, false],
    ["GET", { whole: "json" }, 200, { "content-type": "application/json; charset=utf-8" }, true],
    ["GET", { whole: "json" }, 200, { "content-type": "text/plain" }, false],
    ["GET", { whole: "json" }, 200, {}, false],
    ["GET", { whole: true }, 299, {}, true],
    ["GET", { whole: true }, 400, {}, false],
    ["HEAD", { whole: true }, 200, {}, false],
    ["GET", { whole: true }, 204, {}, false],
  ])("of %s %j with %i %j: %s", async (method, more, status, headers, whole) => {
    const server = await serve((_request, response) =>
      response.writeHead(status, headers).end(method === "GET" && status !== 204 ? "body" : undefined),
    );
    const response = await (await client()).send(method, `${server.url}/x`, more);
    expect(response.whole?.bytes().toString()).toBe(whole ? "body" : undefined);
  });

  test("is limited, to the byte; a change was made then", async () => {
    const server = await serve((_request, response) => response.end("12345678"));
    const exact = await (await client({ maxAnswerBytes: 8 })).send("GET", `${server.url}/x`, { whole: true });
    expect(await textOf(exact)).toBe("12345678");
    const { send } = await client({ maxAnswerBytes: 7 });
    const failure = await failureOf(send("PUT", `${server.url}/x`, { whole: true }));
    expect(failure).toMatchObject({ code: "answer_too_large", details: { outcome: "made" } });
  });

  test("that is cut is requested again; that of a change means that it was made", async () => {
    const server = await serveRaw((socket, count) => {
      const text = count === 1 ? "1234" : "12345678";
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 8\r\nconnection: close\r\n\r\n${text}`);
    });
    const response = await (await client()).send("GET", `${server.url}/x`, { whole: true });
    expect([await textOf(response), server.heads.length]).toEqual(["12345678", 2]);
    const cut = await serveRaw((socket) =>
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 8\r\nconnection: close\r\n\r\n1"),
    );
    const failure = await failureOf((await client({ retries: 0 })).send("PUT", `${cut.url}/x`, { whole: true }));
    expect(failure.details).toMatchObject({ outcome: "made", retryable: false });
  });
});

describe("what is sent", () => {
  test.each([
    ["GET", undefined, undefined, ""],
    ["POST", undefined, "0", ""],
    ["PUT", "", "0", ""],
    ["PATCH", "abc", "3", "abc"],
    ["DELETE", "a", "1", "a"],
  ])("with %s and the body %j: a length of %s", async (method, body, length, seen) => {
    const server = await statuses(200);
    const { send, trace } = await client();
    await send(method, `${server.url}/x?a=1`, body === undefined ? {} : { body: bodyOf(body) });
    expect(server.seen[0]).toMatchObject({ method, url: "/x?a=1", body: seen });
    expect(server.seen[0]?.headers["content-length"]).toBe(length);
    expect(trace.includes(`    a body of ${body?.length} bytes`)).toBe(body !== undefined);
  });

  test("is traced without secrets, and so is what is answered", async () => {
    const server = await statuses([200, { "content-length": "4" }]);
    const { send, trace } = await client();
    await send("GET", `${server.url}/x?private_token=s3cret`, withToken);
    expect(trace[0]).toBe(`--> GET ${server.url}/x?private_token=[redacted]`);
    expect(trace.join("\n")).toMatch(/^ {4}private-token: \[redacted\]$/im);
    expect(trace).toContain("    accept: application/json");
    expect(trace.at(-1)).toMatch(/^<-- 200 in \d+ ms \(4 B\)$/);
    const cut = await serveRaw((socket) => socket.destroy());
    const failing = await client({ retries: 0 });
    await failureOf(failing.send("GET", `${cut.url}/x`));
    expect(failing.trace.at(-1)).toMatch(/^<-- no answer after \d+ ms$/);
  });
});

test("a wait that the instance asked for is kept by all requests to it", async () => {
  const server = await statuses([429, { "retry-after": "7" }], 200);
  let wake = () => {};
  const slept: number[] = [];
  const { send } = await client({
    sleep: (ms) => {
      slept.push(ms);
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    now: () => start,
  });
  const first = send("GET", `${server.url}/a`);
  while (slept.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const second = send("GET", `${server.url}/b`);
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect([server.lines(), slept]).toEqual([["GET /a"], [7000]]);
  wake();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect(server.lines().slice(1).sort()).toEqual(["GET /a", "GET /b"]);
});

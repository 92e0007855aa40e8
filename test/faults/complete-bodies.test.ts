import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bodyOf, client, failureOf, serve, serveRaw, textOf } from "./support.ts";

const ok = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Answers with an incomplete body the first `times`. */
function breaking(times: number) {
  return serveRaw((socket, count) => {
    if (count > times) return socket.end(`${ok}content-length: 2\r\n\r\n[]`);
    socket.write(`${ok}content-length: 2\r\n\r\n[`);
    return setTimeout(() => socket.resetAndDestroy(), 20);
  });
}

describe("an answer that is read completely", () => {
  test.each(["GET", "PUT"])("%s is repeated if its body is incomplete", async (method) => {
    const server = await breaking(2);
    const { send, waits } = await client();
    expect(await textOf(await send(method, server.url, { whole: true }))).toBe("[]");
    expect([server.heads.length, waits]).toEqual([3, [375, 750]]);
  });

  test("a POST is not: it was made", async () => {
    const server = await breaking(1);
    const { send } = await client();
    const failure = await failureOf(send("POST", server.url, { whole: true, body: bodyOf("{}") }));
    expect([failure.exit, server.heads.length]).toEqual(["network", 1]);
    expect(failure.details).toMatchObject({ outcome: "made", retryable: false });
  });

  test("a GET that never arrives completely", async () => {
    const server = await breaking(9);
    const { send } = await client({ retries: 2 });
    const failure = await failureOf(send("GET", server.url, { whole: true }));
    expect(failure.message).toContain("broke after 1 bytes of the answer's body");
    expect(failure.details).toMatchObject({ reason: "3 attempts were made", retryable: true });
    expect(failure.details.outcome).toBeUndefined();
  });

  test("content that is not JSON is streamed if only JSON must be complete", async () => {
    const server = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nhello");
      setTimeout(() => socket.end(), 20);
    });
    const { send } = await client();
    const response = await send("GET", server.url, { whole: "json" });
    expect((await failureOf(textOf(response))).message).toContain("broke after 5 bytes");
    expect(server.heads).toHaveLength(1);
  });
});

describe("the size limit of an answer", () => {
  const limit = 1024 * 1024;
  const zeros = Buffer.alloc(40 * limit);

  test.each([
    ["as it is", zeros.subarray(0, limit + 1), {}],
    ["decoded", gzipSync(zeros.subarray(0, limit + 1)), { "content-encoding": "gzip" }],
  ])("counted %s", async (_how, bytes, headers) => {
    const server = await serve((_request, response) => response.writeHead(200, headers).end(bytes));
    const { send } = await client({ maxAnswerBytes: limit });
    const reading = async (method: string) => textOf(await send(method, server.url, { whole: true }));
    const failure = await failureOf(reading("GET"));
    expect([failure.exit, failure.code]).toEqual(["refused", "answer_too_large"]);
    expect(failure.message).toContain("is larger than 1 MiB");
    expect(failure.details.hint).toContain("FORGECTL_MAX_ANSWER");
    expect((await failureOf(reading("POST"))).details.outcome).toBe("made");
    expect(server.seen).toHaveLength(2);
  });

  test("a stream that decompresses to hundreds of times its size is aborted", async () => {
    const bytes = gzipSync(zeros);
    const server = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bytes),
    );
    const { send } = await client();
    const response = await send("GET", server.url);
    let size = 0;
    const reading = (async () => {
      for await (const chunk of response.body) size += chunk.length;
    })();
    expect((await failureOf(reading)).code).toBe("damaged_body");
    expect(size).toBeLessThan(20 * limit);
  });

  test("an answer requested without encoding is not changed", async () => {
    const bytes = gzipSync("hello");
    const server = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bytes),
    );
    const { send } = await client();
    const response = await send("GET", server.url, { headers: { "accept-encoding": "identity" } });
    expect(response.headers["content-encoding"]).toBe("gzip");
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(bytes);
  });
});

describe("endless servers", () => {
  test("interim answers do not count as answers", async () => {
    const server = await serveRaw((socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    const { send } = await client({ timeoutMs: 300 });
    const failure = await failureOf(send("GET", server.url));
    expect(failure.message).toContain("no answer from");
  });

  test("the slow body of a 429 is abandoned", async () => {
    let count = 0;
    const server = await serve((_request, response) => {
      if (++count > 1) return response.end("at last");
      response.writeHead(429, { "retry-after": "1" });
      const timer = setInterval(() => response.write("."), 100);
      return response.on("close", () => clearInterval(timer));
    });
    const { send } = await client();
    const started = Date.now();
    expect(await textOf(await send("GET", server.url))).toBe("at last");
    expect(Date.now() - started).toBeLessThan(5000);
  });

  test("headers over 16 KiB are named as the cause", async () => {
    const server = await serveRaw((socket) => socket.write(`${ok}x-long: ${"a".repeat(40_000)}\r\n\r\n`));
    const { send } = await client();
    const failure = await failureOf(send("GET", server.url));
    expect(failure.message).toBe(`127.0.0.1:${server.port} answered with headers of more than 16 KiB`);
    expect(server.heads).toHaveLength(1);
  });
});

import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { client, failureOf, serve, serveRaw, textOf } from "../../faults/support.ts";

const text = "größe ".repeat(100);
const encoders: Record<string, (text: string) => Buffer> = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  " GZIP ": gzipSync,
};
const encoded = (encoding: string, body: string | Buffer) =>
  serve((_request, response) => response.writeHead(200, { "content-encoding": encoding, "x-a": "b" }).end(body));

describe("an encoded answer", () => {
  test.each(Object.keys(encoders))("with %j is decoded, and its headers no longer say so", async (encoding) => {
    const server = await encoded(encoding, encoders[encoding]?.(text) ?? "");
    for (const whole of [true, false]) {
      const response = await (await client()).send("GET", `${server.url}/x`, { whole });
      expect([await textOf(response), response.whole, response.headers["x-a"]]).toEqual([text, undefined, "b"]);
      expect(response.headers).not.toHaveProperty("content-encoding");
      expect(response.headers).not.toHaveProperty("content-length");
    }
  });

  test.each(["identity", "zstd-unknown"])("with %s stays as it is", async (encoding) => {
    const server = await encoded(encoding, "body");
    const response = await (await client()).send("GET", `${server.url}/x`);
    expect([await textOf(response), response.headers["content-encoding"]]).toEqual(["body", encoding]);
  });

  test("that was asked for unencoded stays as it is", async () => {
    const server = await encoded("gzip", gzipSync(text));
    const headers = { "accept-encoding": "identity" };
    const response = await (await client()).send("GET", `${server.url}/x`, { headers });
    expect(response.headers["content-encoding"]).toBe("gzip");
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(gzipSync(text));
  });

  test.each(["gzip", "br", "deflate"])(
    "with %s and without a body is empty, whether its length is announced or not",
    async (encoding) => {
      const headers = { "content-encoding": encoding };
      for (const length of [{}, { "content-length": "0" }]) {
        const server = await serve((_request, response) => response.writeHead(200, { ...headers, ...length }).end());
        for (const method of ["HEAD", "GET", "DELETE"])
          expect(await textOf(await (await client()).send(method, `${server.url}/x`))).toBe("");
      }
    },
  );

  test("that is cut before its first byte is not empty", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n";
    const server = await serveRaw((socket) => socket.end(head));
    const failure = await failureOf((await client()).send("GET", `${server.url}/x`).then(textOf));
    expect(failure.message).toContain("broke after 0 bytes");
  });

  test.each([
    ["gzip", "no gzip"],
    ["br", "no brotli, not at all"],
    ["deflate", "x"],
  ])("of invalid %s is damaged", async (encoding, body) => {
    const server = await encoded(encoding, body);
    const response = await (await client()).send("PUT", `${server.url}/x`);
    const failure = await failureOf(textOf(response));
    expect(failure).toMatchObject({ exit: "network", code: "damaged_body", details: { outcome: "made" } });
  });

  test("is limited to what is read into memory, not to what is streamed", async () => {
    const server = await encoded("gzip", gzipSync("12345678"));
    const read = async (maxAnswerBytes: number, whole: boolean) =>
      textOf(await (await client({ maxAnswerBytes })).send("GET", `${server.url}/x`, { whole }));
    expect(await read(28, true)).toBe("12345678");
    const long = await encoded("gzip", gzipSync("1".repeat(1000)));
    const { send } = await client({ maxAnswerBytes: 999 });
    const failure = await failureOf(send("GET", `${long.url}/x`, { whole: true }).then(textOf));
    expect(failure.code).toBe("answer_too_large");
    expect(await textOf(await send("GET", `${long.url}/x`, { whole: false }))).toHaveLength(1000);
  });
});

test.each([204, 304])("a %i has no body, whatever is announced, and its connection is used again", async (status) => {
  const server = await serve((_request, response) => response.writeHead(status, { "x-a": "b" }).end());
  const { send } = await client({ connections: 1 });
  for (const _ of [1, 2]) {
    const response = await send("GET", `${server.url}/x`, { whole: true });
    expect([response.status, response.headers["x-a"], await textOf(response)]).toEqual([status, "b", ""]);
    await response.discard();
  }
  expect(server.connections).toBe(1);
});

test("a body that breaks while it is read is a failure in words, of a change that was made", async () => {
  const server = await serveRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1234"));
  for (const [method, outcome] of [
    ["GET", undefined],
    ["PUT", "made"],
  ] as const) {
    const failure = await failureOf((await client()).send(method, `${server.url}/x`).then(textOf));
    expect([failure.exit, failure.details.outcome]).toEqual(["network", outcome]);
    expect(failure.message).toContain("after 4 bytes");
  }
});

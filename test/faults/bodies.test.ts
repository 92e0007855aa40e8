import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bodyOf, client, failureOf, serve, serveRaw, textOf } from "./support.ts";

const ok = "HTTP/1.1 200 OK\r\n";

describe("an incomplete body is an error, never a short read", () => {
  test.each([
    ["shorter than its content-length", `${ok}content-length: 100\r\n\r\nhello`, "end"],
    ["the same on a connection that closes", `${ok}connection: close\r\ncontent-length: 100\r\n\r\nhello`, "end"],
    ["reset", `${ok}content-length: 100\r\n\r\nhello`, "reset"],
    ["reset, without an announced length", `${ok}connection: close\r\n\r\nhello`, "reset"],
    ["chunks without a last one", `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`, "end"],
    ["cut in a chunk", `${ok}transfer-encoding: chunked\r\n\r\n64\r\nhello`, "end"],
    [
      "cut on a connection that closes",
      `${ok}connection: close\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhello`,
      "end",
    ],
  ])("%s", async (_name, bytes, how) => {
    const server = await serveRaw((socket) => {
      socket.write(bytes);
      // The bytes must arrive before the reset.
      if (how === "end") socket.end();
      else setTimeout(() => socket.resetAndDestroy(), 50);
    });
    const { send } = await client();
    const response = await send("GET", `${server.url}/file`);
    const failure = await failureOf(textOf(response));
    expect([failure.exit, failure.details.path]).toEqual(["network", "/file"]);
    expect(failure.message).toBe(`the connection to 127.0.0.1:${server.port} broke after 5 bytes of the answer's body`);
    expect(server.heads).toHaveLength(1);
  });

  test.each([
    ["with an announced length", "connection: close\r\ncontent-length: 2000000\r\n"],
    ["that ends with the connection", "connection: close\r\n"],
    ["on a connection that stays open", "content-length: 2000000\r\n"],
  ])("reset while its reader is too slow, %s", async (_name, headers) => {
    // As much as is buffered before reading pauses, and a little that the socket reads nevertheless.
    const size = 1024 * 1024 + 5000;
    const server = await serveRaw((socket) => {
      socket.write(`${ok}${headers}\r\n`);
      socket.write(Buffer.alloc(size), () => setTimeout(() => socket.resetAndDestroy(), 100));
    });
    const { send } = await client();
    const response = await send("GET", `${server.url}/file`);
    await expect.poll(() => [...server.sockets].every(({ destroyed }) => destroyed)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const failure = await failureOf(textOf(response));
    expect(failure.message).toMatch(/ broke after 10\d{5} bytes of the answer's body$/);
  });

  test.each([
    ["of the announced length", `connection: close\r\ncontent-length: ${1024 * 1024}\r\n`],
    ["that ends with the connection", "connection: close\r\n"],
    ["on a connection that stays open, in theory", `content-length: ${1024 * 1024}\r\n`],
  ])("complete, although reading paused at its last byte: %s", async (_name, headers) => {
    const server = await serveRaw((socket) => {
      socket.write(`${ok}${headers}\r\n`);
      socket.end(Buffer.alloc(1024 * 1024, "x"));
    });
    const { send } = await client();
    const response = await send("GET", server.url);
    await expect.poll(() => [...server.sockets].every(({ writableFinished }) => writableFinished)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await textOf(response)).toHaveLength(1024 * 1024);
  });

  test("a broken chunk", async () => {
    const server = await serveRaw((socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\nhello`));
    const { send } = await client();
    const failure = await failureOf(textOf(await send("GET", server.url)));
    expect(failure.exit).toBe("network");
  });

  test("a body that ends with the connection is complete", async () => {
    const server = await serveRaw((socket) => socket.end(`${ok}connection: close\r\n\r\nhello`));
    const { send } = await client();
    expect(await textOf(await send("GET", server.url))).toBe("hello");
  });
});

describe("compressed bodies", () => {
  const text = JSON.stringify({ name: "x".repeat(5000) });

  test.each([
    ["gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
  ])("%s is decoded, and its headers are removed", async (encoding, bytes) => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": encoding, "content-length": bytes.length, etag: '"1"' }).end(bytes),
    );
    const { send } = await client();
    const response = await send("GET", server.url);
    expect(await textOf(response)).toBe(text);
    expect(response.headers).toMatchObject({ etag: '"1"' });
    expect(Object.keys(response.headers)).not.toContain("content-encoding");
    expect(Object.keys(response.headers)).not.toContain("content-length");
    expect(server.seen[0]?.headers["accept-encoding"]).toBe("gzip");
  });

  test("truncated, although the connection ends properly", async () => {
    const bytes = gzipSync(text).subarray(0, 40);
    const server = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bytes),
    );
    const { send } = await client();
    const failure = await failureOf(textOf(await send("GET", server.url)));
    expect([failure.exit, failure.code]).toEqual(["network", "damaged_body"]);
  });

  test("truncated by a broken connection", async () => {
    const bytes = gzipSync(text);
    const head = `${ok}content-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`;
    const server = await serveRaw((socket) => socket.end(Buffer.concat([Buffer.from(head), bytes.subarray(0, 40)])));
    const { send } = await client();
    const failure = await failureOf(textOf(await send("GET", server.url)));
    expect(failure.message).toContain("broke after 40 bytes");
  });

  test("damaged", async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("this is no gzip"),
    );
    const { send } = await client();
    expect((await failureOf(textOf(await send("GET", server.url)))).code).toBe("damaged_body");
  });

  test("a range is requested of the stored form; a HEAD has nothing to decode", async () => {
    const server = await serve((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end());
    const { send } = await client();
    await (await send("GET", server.url, { headers: { Range: "bytes=5-" } })).discard();
    expect(await textOf(await send("HEAD", server.url))).toBe("");
    expect(server.seen.map((one) => one.headers["accept-encoding"])).toEqual([undefined, "gzip"]);
  });
});

describe("timeouts", () => {
  test("to the first byte", async () => {
    const server = await serve(() => {});
    const { send } = await client({ timeoutMs: 200 });
    const failure = await failureOf(send("GET", server.url));
    expect(failure.message).toBe(`no answer from 127.0.0.1:${server.port} within 0.2 s`);
    expect([failure.exit, failure.details.hint]).toEqual(["network", "set a longer --timeout <seconds>"]);
    expect(server.seen).toHaveLength(1);
  });

  test("between bytes", async () => {
    const server = await serve((_request, response) => response.writeHead(200, { "content-length": 9 }).write("hello"));
    const { send } = await client({ timeoutMs: 200 });
    const failure = await failureOf(textOf(await send("GET", server.url)));
    expect(failure.message).toBe(
      `nothing more was received from 127.0.0.1:${server.port} for 0.2 s, after 5 bytes of the answer's body`,
    );
  });

  test("a slow body may take any time, and so may a slow reader", async () => {
    const server = await serve((_request, response) => {
      let left = 5;
      const timer = setInterval(() => {
        if (left-- > 0) return response.write("x");
        clearInterval(timer);
        return response.end();
      }, 100);
    });
    const { send } = await client({ timeoutMs: 250 });
    const response = await send("GET", server.url);
    // Longer than the timeout, which must not end a body that is not read yet.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await textOf(response)).toBe("xxxxx");
  });

  test("a slow source of an upload is waited for", async () => {
    const server = await serve((request, response) => request.on("end", () => response.end("ok")).resume());
    const { send } = await client({ timeoutMs: 200 });
    const body = {
      size: 2,
      async *stream() {
        yield Buffer.from("a");
        await new Promise((resolve) => setTimeout(resolve, 500));
        yield Buffer.from("b");
      },
    };
    expect(await textOf(await send("PUT", server.url, { body }))).toBe("ok");
    expect(server.seen[0]?.body).toBe("ab");
  });
});

describe("interruption", () => {
  test("before anything is sent", async () => {
    const server = await serve((_request, response) => response.end());
    const { send, interrupt } = await client();
    interrupt.abort();
    expect((await failureOf(send("GET", server.url))).exit).toBe("interrupted");
    expect(server.seen).toHaveLength(0);
  });

  test("while waiting for the answer", async () => {
    const { send, interrupt } = await client();
    const server = await serve(() => interrupt.abort());
    expect((await failureOf(send("GET", server.url))).exit).toBe("interrupted");
    expect(server.seen).toHaveLength(1);
  });

  test("in the wait between attempts, which ends at once", async () => {
    const server = await serve((_request, response) => response.writeHead(429, { "retry-after": "60" }).end());
    const interrupt = new AbortController();
    const { send } = await client({
      signal: interrupt.signal,
      sleep: (ms, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          if (ms === 60_000) setTimeout(() => interrupt.abort(), 10);
        }),
    });
    expect((await failureOf(send("GET", server.url))).exit).toBe("interrupted");
    expect(server.seen).toHaveLength(1);
  });

  test("in the body", async () => {
    const { send, interrupt } = await client();
    const server = await serve((_request, response) => response.writeHead(200, { "content-length": 9 }).write("hello"));
    const response = await send("GET", server.url);
    const reading = failureOf(textOf(response));
    interrupt.abort();
    expect((await reading).exit).toBe("interrupted");
  });

  test("close ends requests in progress", async () => {
    const server = await serve(() => {});
    const { send, close } = await client();
    const waiting = failureOf(send("GET", server.url));
    await expect.poll(() => server.seen.length).toBe(1);
    await close();
    expect((await waiting).exit).toBe("interrupted");
  });
});

describe("uploads", () => {
  test.each([
    ["less", 20],
    ["more", 3],
  ])("a source that gives %s than announced is an error", async (_name, size) => {
    const server = await serve((request, response) => request.on("end", () => response.end()).resume());
    const { send } = await client();
    const failure = await failureOf(send("PUT", server.url, { body: { ...bodyOf("0123456789"), size } }));
    expect(failure.exit).toBe("integrity");
  });

  test("the error of a failing source is unchanged", async () => {
    const server = await serve((request, response) => request.on("end", () => response.end()).resume());
    const { send } = await client();
    const body = {
      size: 5,
      async *stream(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("a");
        throw new Error("the disk is gone");
      },
    };
    await expect(send("PUT", server.url, { body })).rejects.toThrow("the disk is gone");
    expect(server.seen.length).toBeLessThanOrEqual(1);
  });

  test("an empty write is announced as empty", async () => {
    const server = await serve((_request, response) => response.end());
    const { send } = await client();
    await send("POST", server.url);
    await send("PUT", server.url, { body: bodyOf("") });
    await send("DELETE", server.url);
    expect(server.seen.map((one) => one.headers["content-length"])).toEqual(["0", "0", undefined]);
  });
});

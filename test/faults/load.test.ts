import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { client, failureOf, freePort, serve, textOf } from "./support.ts";

describe("many at once", () => {
  test("no more connections than allowed, and reused for later requests", async () => {
    const server = await serve((request, response) => setTimeout(() => response.end(request.url), 20));
    const { send } = await client({ connections: 3 });
    for (const round of [1, 2]) {
      const paths = Array.from({ length: 20 }, (_, index) => `/${round}/${index}`);
      const texts = await Promise.all(paths.map(async (path) => textOf(await send("GET", server.url + path))));
      expect(texts).toEqual(paths);
    }
    expect(server.seen).toHaveLength(40);
    expect(server.connections).toBe(3);
  });

  test("consecutive requests share one connection", async () => {
    const server = await serve((_request, response) => response.end("x"));
    const { send } = await client();
    for (let count = 0; count < 10; count++) await textOf(await send("GET", server.url));
    expect([server.seen.length, server.connections]).toEqual([10, 1]);
  });

  test("if the connection is refused, each of them fails", async () => {
    const port = await freePort();
    const { send } = await client({ connections: 3, retries: 1 });
    const all = Array.from({ length: 20 }, () => failureOf(send("GET", `http://127.0.0.1:${port}`)));
    expect((await Promise.all(all)).map((failure) => failure.exit)).toEqual(Array(20).fill("network"));
  });

  test("a discarded answer frees its connection, a long one by closing it", async () => {
    const server = await serve((request, response) =>
      response.end("x".repeat(request.url === "/long" ? 5_000_000 : 9)),
    );
    const { send } = await client({ connections: 1 });
    for (const path of ["/short", "/long", "/short"]) await (await send("GET", server.url + path)).discard();
    expect(await textOf(await send("GET", `${server.url}/short`))).toBe("xxxxxxxxx");
    expect(server.connections).toBe(2);
  });
});

describe("large bodies", () => {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  const chunks = 64;

  test("a slow reader slows the server down", async () => {
    let written = 0;
    const server = await serve(async (_request, response) => {
      for (; written < chunks; written++) {
        if (!response.write(chunk)) await new Promise((resolve) => response.once("drain", resolve));
      }
      response.end();
    });
    const { send } = await client();
    const response = await send("GET", server.url);
    // Time enough to send all of it, were it not held back.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(written).toBeLessThan(chunks / 2);
    let read = 0;
    for await (const part of response.body) read += part.length;
    expect(read).toBe(chunks * chunk.length);
  });

  test("pieces of all sizes arrive unchanged, in order, even if the reader pauses", async () => {
    const bytes = randomBytes(24 * 1024 * 1024);
    const sizes = [1, 7_000, 9_000, 65_536, 300_000, 3_000_000, 20, 262_144, 5];
    const server = await serve(async (_request, response) => {
      for (let at = 0, count = 0; at < bytes.length; count++) {
        const part = bytes.subarray(at, at + (sizes[count % sizes.length] ?? 1));
        at += part.length;
        if (!response.write(part)) await new Promise((resolve) => response.once("drain", resolve));
        // The next piece is a read of its own.
        if (count % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      response.end();
    });
    for (const host of ["127.0.0.1", "localhost"]) {
      const { send } = await client();
      const response = await send("GET", server.url.replace("127.0.0.1", host));
      // Kept until the end: no read may write into the memory of an earlier one.
      const parts: Uint8Array[] = [];
      for await (const part of response.body) {
        parts.push(part);
        if (parts.length % 40 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    }
  });

  test("an upload is read from its source only as fast as the server reads it", async () => {
    let taken = 0;
    const server = await serve((request, response) => {
      request.pause();
      setTimeout(() => request.resume().on("end", () => response.end(String(taken))), 300);
    });
    const { send } = await client();
    let early = 0;
    setTimeout(() => (early = taken), 250);
    const body = {
      size: chunks * chunk.length,
      async *stream() {
        for (; taken < chunks; taken++) yield chunk;
      },
    };
    expect(await textOf(await send("PUT", server.url, { body }))).toBe(String(chunks));
    expect(early).toBeLessThan(chunks / 2);
    expect(server.seen[0]?.headers["content-length"]).toBe(String(chunks * chunk.length));
  });
});

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Redactor } from "../../../src/api/redact.ts";
import { createTransport } from "../../../src/api/transport/index.ts";
import { client, serve, serveRaw, textOf } from "../../faults/support.ts";

/** The headers that a server gets. */
async function received(headers: Record<string, string>) {
  const server = await serve((_request, response) => response.end("ok"));
  const { send } = await client();
  await textOf(await send("get", server.url, { headers }));
  return server.seen[0];
}

describe("a request", () => {
  test("has the program's name, accepts gzip, and has its method in capital letters", async () => {
    const seen = await received({ Accept: "text/plain" });
    expect([seen?.method, seen?.headers.accept]).toEqual(["GET", "text/plain"]);
    expect([seen?.headers["user-agent"], seen?.headers["accept-encoding"]]).toEqual(["forgectl/test", "gzip"]);
  });

  test("keeps what it says itself, in whatever case", async () => {
    const seen = await received({ "User-Agent": "mine", "Accept-Encoding": "identity" });
    expect([seen?.headers["user-agent"], seen?.headers["accept-encoding"]]).toEqual(["mine", "identity"]);
  });

  test("of a range is for the stored bytes", async () => {
    expect((await received({ Range: "bytes=1-" }))?.headers).not.toHaveProperty("accept-encoding");
  });

  test("of no address is refused, without what is secret in it", async () => {
    const { send } = await client();
    await expect(send("GET", "forge.example.com/x?private_token=s3cret")).rejects.toMatchObject({
      name: "UsageError",
      message: "not an address: forge.example.com/x?private_token=[redacted]",
    });
  });

  test("teaches what is secret in it, without the word before", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    const redactor = new Redactor();
    const { send } = await client({ redactor });
    const headers = {
      "Private-Token": "t0ken-of-one",
      Authorization: "bearer t0ken-of-two",
      "X-Note": "n0te-of-three",
    };
    await textOf(
      await send("GET", server.url, { headers, secretHeaders: ["PRIVATE-TOKEN", "Authorization", "Job-Token"] }),
    );
    expect(redactor.text("a t0ken-of-one b t0ken-of-two c n0te-of-three")).toBe(
      "a [redacted] b [redacted] c n0te-of-three",
    );
  });

  test("of a method that changes something is not sent again, and nor is one that says so", async () => {
    for (const [method, more, times] of [
      ["get", {}, 2],
      ["put", {}, 2],
      ["put", { once: true }, 1],
      ["post", {}, 1],
    ] as const) {
      const server = await serve((request, response, count) => {
        request.resume().on("end", () => response.writeHead(count === 1 ? 502 : 200).end());
      });
      const { send } = await client();
      await textOf(await send(method, server.url, more));
      expect([method, server.seen.length]).toEqual([method, times]);
    }
  });
});

describe("an answer", () => {
  const zipped = gzipSync("hello");

  test("is decoded, unless the stored bytes were asked for", async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(zipped),
    );
    const { send } = await client();
    expect(await textOf(await send("GET", server.url))).toBe("hello");
    const raw = await send("GET", server.url, { headers: { "accept-encoding": "identity" } });
    const parts: Uint8Array[] = [];
    for await (const part of raw.body) parts.push(Buffer.from(part));
    expect(Buffer.concat(parts).equals(zipped)).toBe(true);
  });

  test("is read completely only if that was asked for", async () => {
    const server = await serve((_request, response) => response.end("hello"));
    const { send } = await client();
    const some = await send("GET", server.url);
    expect([some.whole, await textOf(some)]).toEqual([undefined, "hello"]);
    expect((await send("GET", server.url, { whole: true })).whole?.bytes().toString()).toBe("hello");
  });

  test("that is cut while it is read is a failure of its request", async () => {
    const server = await serveRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello"));
    const { send } = await client();
    const answer = await send("GET", `${server.url}/x`);
    await expect(textOf(answer)).rejects.toMatchObject({ exit: "network", details: { method: "GET", path: "/x" } });
  });

  test("is of the address that gave it", async () => {
    const server = await serve((request, response) =>
      request.url === "/a" ? response.writeHead(307, { location: "/b" }).end() : response.end("ok"),
    );
    const { send } = await client();
    const answer = await send("GET", `${server.url}/a`);
    expect([answer.url, await textOf(answer)]).toEqual([`${server.url}/b`, "ok"]);
  });
});

const get = (url: string) => ({ method: "GET", url, headers: {}, secretHeaders: [] });

/** A transport whose clock stands still: nothing of it times out. */
async function opened() {
  const transport = await createTransport({
    timeoutMs: 20_000,
    retries: 0,
    connections: 2,
    userAgent: "forgectl/test",
    env: {},
    signal: new AbortController().signal,
    now: Date.now,
    elapsedMs: () => 0,
    sleep: () => Promise.resolve(),
    after: () => () => undefined,
    random: Math.random,
  });
  return { transport, close: () => transport.close() };
}

describe("the connections of a transport", () => {
  test("are used again, one for a series of requests", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    const { send } = await client({ connections: 4 });
    for (let count = 0; count < 5; count += 1) await textOf(await send("GET", server.url));
    expect([server.seen.length, server.connections]).toEqual([5, 1]);
  });

  test("are at most as many as allowed", async () => {
    const server = await serve((_request, response) => setTimeout(() => response.end("ok"), 20));
    const { send } = await client({ connections: 2 });
    await Promise.all(Array.from({ length: 6 }, async () => textOf(await send("GET", server.url))));
    expect([server.seen.length, server.connections]).toEqual([6, 2]);
  });

  test("are closed with it, and what is in progress is interrupted", async () => {
    const server = await serveRaw(() => void close());
    const { send, close } = await client();
    await expect(send("GET", server.url)).rejects.toMatchObject({ exit: "interrupted" });
    await close();
    await expect.poll(() => [...server.sockets].every((socket) => socket.destroyed || socket.readableEnded)).toBe(true);
    await expect(send("GET", server.url)).rejects.toMatchObject({ exit: "interrupted" });
  });

  test.each(["send", "probe"] as const)("are closed with it while they are opened to %s", async (what) => {
    // It never answers to a TLS handshake.
    const server = await serveRaw(() => undefined);
    const url = server.url.replace("http:", "https:");
    const { transport, close } = await opened();
    const ended = (what === "send" ? transport.send(get(url)) : transport.probe(url)).catch(() => undefined);
    await expect.poll(() => server.sockets.size).toBe(1);
    await close();
    await expect
      .poll(() => [...server.sockets].every(({ readableEnded, destroyed }) => readableEnded || destroyed))
      .toBe(true);
    if (what === "send") await ended;
  });
});

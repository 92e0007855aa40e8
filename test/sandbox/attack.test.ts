import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { areas } from "../../src/sandbox/areas/index.ts";
import { Router } from "../../src/sandbox/server/router.ts";
import { createRandom } from "../../src/sandbox/store/random.ts";
import { openSession, type Session } from "./session.ts";
import { requestBytes, shapeless } from "./shapeless.ts";

// What any program on this machine, or a web page in its browser, can send. Seeded, so that a failure can be
// reproduced: FORGECTL_FUZZ=100000 sends more, FORGECTL_FUZZ_SEED others.

const count = Number(process.env.FORGECTL_FUZZ ?? 3000);
const seed = Number(process.env.FORGECTL_FUZZ_SEED ?? 20_261_121);

const failures: string[] = [];
let session: Session;
beforeAll(async () => {
  session = await openSession({ log: (line) => /^internal error|failed/.test(line) && failures.push(line) });
});
afterAll(() => session.sandbox.close());

/** Sends bytes on a new connection and returns the answer until the other side closes it, or a timeout. */
function exchange(bytes: Buffer | string, end = true): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(new URL(session.sandbox.url).port), "127.0.0.1");
    const finish = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("latin1"));
    };
    socket.setTimeout(3000, finish);
    socket.on("error", finish);
    socket.on("close", finish);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("connect", () => (end ? socket.end(bytes) : socket.write(bytes)));
  });
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

const form = { "Content-Type": "multipart/form-data; boundary=b" };
const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes';
const token = { "PRIVATE-TOKEN": "sandbox-administrator-token" };

test.each<[string, Buffer, number]>([
  ["a form without an end, unauthenticated", requestBytes("POST /jwt/auth", form, file), 405],
  ["a form without an end, to a public route", requestBytes("GET /api/v4/projects", form, file), 400],
  [
    "a form without an end, to a route that takes a file",
    requestBytes("POST /api/v4/projects/7/uploads", { ...form, ...token }, file),
    400,
  ],
  [
    "a form without an end, to a route that takes none",
    requestBytes("POST /api/v4/projects/7/issues/28/notes", { ...form, ...token }, file),
    400,
  ],
  [
    "a form without a boundary",
    requestBytes("POST /api/v4/projects/7/uploads", { ...token, "Content-Type": "multipart/form-data" }, file),
    400,
  ],
  [
    "incomplete JSON",
    requestBytes("PUT /api/v4/application/settings", { ...token, "Content-Type": "application/json" }, '{"a": ['),
    400,
  ],
  [
    "deeply nested JSON",
    requestBytes(
      "PUT /api/v4/application/settings",
      { ...token, "Content-Type": "application/json" },
      `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    ),
    400,
  ],
  ["a non-ASCII path", requestBytes("DELETE /v2/😀/manifests/latest", {}), 400],
  ["the same with escapes", requestBytes("DELETE /v2/%F0%9F%98%80/manifests/latest", {}), 401],
  ["a line break in a path", requestBytes("GET /v2/a%0D%0Ab/manifests/latest", {}), 404],
  ["an invalid escape", requestBytes("GET /api/v4/projects/%ff%zz", token), 404],
])("%s is answered", async (_, bytes, status) => {
  expect(statusOf(await exchange(bytes, false))).toBe(status);
  expect((await session.ask("GET /user")).status).toBe(200);
});

test("an incomplete body does no harm", async () => {
  const headers = { ...token, "Content-Length": "1000" };
  for (const type of ["application/json", "multipart/form-data; boundary=b", "application/x-www-form-urlencoded"]) {
    await exchange(requestBytes("POST /api/v4/projects/7/uploads", { ...headers, "Content-Type": type }, file));
  }
  expect((await session.ask("GET /user")).status).toBe(200);
});

test.each(["localhost", "LOCALHOST:80", "127.0.0.1:1", "127.9.8.7", "[::1]", "[::1]:443"])(
  "%s is a name of the sandbox",
  async (host) => {
    expect(statusOf(await exchange(requestBytes("GET /api/v4/user", token, "", host)))).toBe(200);
  },
);

test.each([
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "127.0.0.1@evil.example",
  "198.51.100.7",
  "0.0.0.0",
  "[::2]",
  "",
])("%j is not", async (host) => {
  const answer = await exchange(requestBytes("GET /api/v4/user", token, "", host));
  expect(statusOf(answer)).toBe(421);
  expect(answer).not.toContain("root");
});

test("neither is it in the request target", async () => {
  expect(statusOf(await exchange(requestBytes("GET http://evil.example/api/v4/user", token)))).toBe(421);
});

test(`after ${count} requests of every shape it still answers, and none was an internal error`, {
  timeout: 60_000 + count * 20,
}, async () => {
  const random = createRandom(seed);
  const router = new Router();
  for (const area of areas) area.routes(router);
  const routes = router.routes().map(({ method, path }) => `${method} ${path}`);
  let at = 0;
  const worker = async () => {
    while (at < count) {
      at += 1;
      const { bytes, whole } = shapeless(random, routes);
      const answer = await exchange(bytes, !whole);
      if (statusOf(answer) >= 500) expect.fail(`${bytes.subarray(0, 2000)}\n${answer}\n${failures.join("\n")}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect(failures).toEqual([]);
  expect((await session.ask("GET /user")).status).toBe(200);
});

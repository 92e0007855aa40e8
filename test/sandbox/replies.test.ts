import { afterAll, beforeAll, expect, test } from "vitest";
import { checkUnmodifiedSince } from "../../src/sandbox/server/call.ts";
import { RateLimit } from "../../src/sandbox/server/limit.ts";
import { conflict, unprocessable } from "../../src/sandbox/server/problem.ts";
import { accepted, noContent, ok } from "../../src/sandbox/server/reply.ts";
import type { Area } from "../../src/sandbox/server/router.ts";
import { openWith, type Session } from "./session.ts";

const changedAt = "2024-05-02T10:00:00.750Z";
const problems = {
  conflict: conflict("taken"),
  unprocessable: unprocessable({ error: "no" }),
};

const area: Area = {
  name: "answers",
  routes(router) {
    router.on("GET /thing/:name", {}, () => ok({ any: true }));
    router.on("GET /thing/special", {}, () => ok({ special: true }));
    router.on("DELETE /thing/:name", {}, (call) => {
      checkUnmodifiedSince(call, changedAt);
      return noContent();
    });
    router.on("POST /thing/:name", {}, () => accepted());
    router.on("GET /bug", {}, () => {
      throw new Error("a secret detail");
    });
    router.on("GET /v2/*name/manifests/:reference", { root: true, access: { open: true } }, ({ raw }) => ok(raw));
    const limit = new RateLimit(1);
    router.on("GET /problem/often", {}, ({ world }) => {
      limit.take(world, "all");
      return noContent();
    });
    for (const [name, problem] of Object.entries(problems)) {
      router.on(`GET /problem/${name}`, {}, () => {
        throw problem;
      });
    }
  },
};

const lines: string[] = [];
let session: Session;
beforeAll(async () => {
  session = await openWith(area, { log: (line) => lines.push(line) });
});
afterAll(() => session.sandbox.close());

test("every answer has its own request id", async () => {
  const answers = await Promise.all([
    session.ask("GET /thing/a"),
    session.ask("GET /nothing"),
    session.ask("GET /bug"),
  ]);
  const ids = answers.map((answer) => answer.headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
});

test("the more literal route answers, in any order", async () => {
  expect((await session.ask("GET /thing/special")).json).toEqual({ special: true });
  expect((await session.ask("GET /thing/other")).json).toEqual({ any: true });
});

test("an unknown path is 404, a known one with another method 405 with Allow", async () => {
  const unknown = await session.ask("GET /nothing/here");
  expect([unknown.status, unknown.json]).toEqual([404, { error: "404 Not Found" }]);
  const wrong = await session.ask("PATCH /thing/a");
  expect([wrong.status, wrong.headers.get("allow")?.split(", ").sort()]).toEqual([
    405,
    ["DELETE", "GET", "HEAD", "POST"],
  ]);
});

test("a trailing slash changes nothing", async () => {
  expect((await session.ask("GET /thing/a/")).status).toBe(200);
});

test("areas can have routes at the root, with parameters of several segments", async () => {
  const answer = await session.ask("GET /-/v2/acme/storefront/web/manifests/v1.0%2Brc", { as: null });
  expect(answer.json).toEqual({ name: "acme/storefront/web", reference: "v1.0+rc" });
});

test("an encoded slash, percent, question mark, or space stays inside its parameter", async () => {
  const answer = await session.ask("GET /-/v2/a%2Fb%20c/manifests/100%25%3Fx%23y", { as: null });
  expect(answer.json).toEqual({ name: "a/b c", reference: "100%?x#y" });
});

test("202 and 204", async () => {
  const scheduled = await session.ask("POST /thing/a");
  expect([scheduled.status, scheduled.json]).toEqual([202, { message: "202 Accepted" }]);
  const gone = await session.ask("DELETE /thing/a");
  expect([gone.status, gone.text]).toEqual([204, ""]);
});

test("409, 422, and 429 with Retry-After", async () => {
  const taken = await session.ask("GET /problem/conflict");
  expect([taken.status, taken.json]).toEqual([409, { message: "409 Conflict - taken" }]);
  const no = await session.ask("GET /problem/unprocessable");
  expect([no.status, no.json]).toEqual([422, { message: { error: "no" } }]);
  expect((await session.ask("GET /problem/often")).status).toBe(204);
  const often = await session.ask("GET /problem/often");
  expect([often.status, often.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^(59|60)$/)]);
});

test("a delete of a resource changed in between is 412", async () => {
  const remove = async (since: string) =>
    (await session.ask("DELETE /thing/a", { headers: { "if-unmodified-since": since } })).status;
  expect(await remove("Thu, 02 May 2024 09:59:59 GMT")).toBe(412);
  expect(await remove("Thu, 02 May 2024 10:00:00 GMT")).toBe(204);
  expect(await remove("no date at all")).toBe(204);
});

test("a bug is a 500 with details in the log and not in the answer", async () => {
  const { status, text } = await session.ask("GET /bug");
  expect([status, text]).toEqual([500, '{"message":"500 Internal Server Error"}']);
  expect(lines.some((line) => line.includes("a secret detail"))).toBe(true);
});

test("an unchanged read is 304", async () => {
  const etag = (await session.ask("GET /thing/a")).headers.get("etag") ?? "";
  const again = await session.ask("GET /thing/a", { headers: { "if-none-match": etag } });
  expect([again.status, again.text]).toEqual([304, ""]);
  expect((await session.ask("GET /thing/special", { headers: { "if-none-match": etag } })).status).toBe(200);
});

test("HEAD is GET without the body", async () => {
  const [get, head] = [await session.ask("GET /thing/a"), await session.ask("HEAD /thing/a")];
  expect([head.status, head.text]).toEqual([200, ""]);
  for (const name of ["content-length", "content-type", "etag"]) {
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
});

test("the log has a line for each request", async () => {
  const before = lines.length;
  const { headers } = await session.ask("GET /thing/a?secret=1");
  expect(lines.slice(before)).toEqual([expect.stringMatching(/^GET \/api\/v4\/thing\/a 200 \d+ms /)]);
  expect(lines.at(-1)).toContain(headers.get("x-request-id"));
});

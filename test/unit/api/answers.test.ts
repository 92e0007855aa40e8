import { describe, expect, test } from "vitest";
import { answerOf, isWebPage, readAnswer, receivePage, throwUnlessSuccess } from "../../../src/api/answers.ts";
import { endpoint } from "../../../src/api/endpoint.ts";
import { array, entity, string } from "../../../src/api/field.ts";
import { fromBatches } from "../../../src/api/transport/byte-stream.ts";
import type { WholeBody, WireResponse } from "../../../src/api/transport/message.ts";
import { Failure } from "../../../src/base/errors.ts";
import { get, listed, remove } from "./support/client.ts";

const kib = (count: number) => new Uint8Array(count * 1024);

/** An answer whose body arrives in these pieces; the last may be what breaks it. */
function answered(pieces: readonly (string | Uint8Array | Error)[] = [], more: Partial<WireResponse> = {}) {
  let read = 0;
  const body = (async function* () {
    for (const piece of pieces) {
      read += 1;
      if (piece instanceof Error) throw piece;
      yield [typeof piece === "string" ? Buffer.from(piece) : piece];
    }
  })();
  const url = "https://forge.example/api/v4/things?page=1";
  const plain = { status: 200, headers: {}, url, repeated: false, refusedBefore: false, discard: async () => {} };
  const response: WireResponse = { ...plain, body: fromBatches(body), ...more };
  const call = { method: "GET", path: "/x", summary: "X", access: {}, credential: "none", repeatable: true } as const;
  return { response, call, read: () => read };
}
const page = { "content-type": "text/html; charset=utf-8" };

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
  [404, false],
])("%i is a success: %s", async (status, success) => {
  const one = answered([], { status });
  if (success) expect(await throwUnlessSuccess(one)).toBe(one);
  else await expect(throwUnlessSuccess(one)).rejects.toBeInstanceOf(Failure);
});

test.each<[Record<string, string>, boolean]>([
  [page, true],
  [{ "content-type": "TEXT/HTML" }, true],
  [{ "content-type": "application/json" }, false],
  [{ "content-type": "text/htmlx" }, false],
  [{}, false],
  [{ ...page, "content-length": "0" }, false],
  [{ ...page, "content-length": "7" }, true],
])("an answer with %j is a web page: %s", (headers, is) =>
  expect(isWebPage(answered([], { headers }).response)).toBe(is),
);

describe("an error is made of", () => {
  test("the beginning of its body, of 256 KiB", async () => {
    const { response, read } = answered([kib(255), kib(1), "a", "b"], { status: 500, headers: { a: "b" } });
    const { status, headers, text } = await answerOf(response);
    expect([status, headers, text.length, read()]).toEqual([500, { a: "b" }, 256 * 1024 + 1, 3]);
  });

  test("what was received of it, if it broke; anything else is an error of its own", async () => {
    expect((await answerOf(answered(["ü", new Failure("network", "cut")]).response)).text).toBe("ü");
    const interrupted = new Failure("interrupted", "interrupted");
    await expect(answerOf(answered(["a", interrupted]).response)).rejects.toBe(interrupted);
    const bug = new TypeError("x");
    await expect(answerOf(answered([bug]).response)).rejects.toBe(bug);
  });
});

describe("without documented content", () => {
  test("a page is refused, whatever it holds", async () => {
    const failure = (pieces: string[]) => readAnswer(remove, answered(pieces, { headers: page }), "X-Service");
    await expect(failure([])).rejects.toMatchObject({
      details: { reason: expect.stringContaining("web page") },
    });
    await expect(failure(['{"message":"x"}'])).rejects.toBeInstanceOf(Failure);
  });

  test.each(["", "202", '"202"', "null", "true", '{"message":"202 Accepted"}', '{"message":201}'])(
    "%s is a status alone",
    async (text) => {
      expect(await readAnswer(remove, answered([text]), "X-Service")).toBeUndefined();
    },
  );

  test.each([
    ...["1", "404", "false", '"done"', "{}", '{"status":"success"}', '{"message":"2020"}', '{"message":"Try again"}'],
    ...['{"message":null}', '{"message":"202 Accepted","id":1}', "[]"],
  ])("%s is the answer of something else", async (text) => {
    await expect(readAnswer(remove, answered([text]), "X-Service")).rejects.toMatchObject({
      details: { reason: "expected no content" },
    });
  });

  test.each([
    ['{"error":"no"}', "no"],
    ['{"error":{"code":7}}', "without a message"],
    ['{"errors":["no"]}', "no"],
    ['{"status":"error","message":"no"}', "no"],
    ['{"success":false}', "without a message"],
  ])("%s may be an error", async (text, said) => {
    await expect(readAnswer(remove, answered([text]), "X-Service")).rejects.toMatchObject({
      details: { reason: `the answer has status 200, and an error: ${said}`, outcome: "unknown", retryable: false },
    });
  });

  test("an object counts if it is the one that the path of the deletion names", async () => {
    const path = (last: string) => ({ ...answered([]).call, method: "DELETE", path: `/api/v4/things/${last}` });
    const read = (last: string, text: string) =>
      readAnswer(remove, { ...answered([text]), call: path(last) }, "X-Service").then(
        () => "read",
        () => "refused",
      );
    expect(await Promise.all([read("7", '{"id":7}'), read("a%20b?x=1", '{"name":"a b"}')])).toEqual(["read", "read"]);
    const others = [read("7", '{"id":8}'), read("undefined", '{"a":1}'), read("null", '{"id":null}')];
    expect(await Promise.all(others)).toEqual(["refused", "refused", "refused"]);
  });

  test("more than an error's body is not read", async () => {
    const long = answered([kib(256), "a", "b"]);
    await expect(readAnswer(remove, long, "X-Service")).rejects.toBeInstanceOf(Failure);
    expect(long.read()).toBe(2);
  });
});

describe("a change that is answered with an object", () => {
  const job = entity("Job", { status: string(), errors: array(string()) });
  const declared = { summary: "X", params: {}, access: {} } as const;
  const keep = endpoint({ ...declared, route: "POST /job/keep", returns: job });
  const show = endpoint({ ...declared, route: "GET /job", returns: job });

  test("may not have been made if it reports an error", async () => {
    await expect(readAnswer(keep, answered(['{"error":"no"}']), "X-Service")).rejects.toMatchObject({
      details: { outcome: "unknown" },
    });
  });

  test("was made if the field is one of the object's own; and a read shows what there is", async () => {
    const own = { status: "error", errors: ["flaky"] };
    expect(await readAnswer(keep, answered([JSON.stringify(own)]), "X-Service")).toEqual(own);
    const read = { status: "done", error: "no" };
    expect(await readAnswer(show, answered([JSON.stringify(read)]), "X-Service")).toEqual(read);
  });
});

test("bytes are passed on as they arrive", async () => {
  const one = answered(["a"]);
  const raw = endpoint({ route: "GET /raw", summary: "X", params: {}, returns: "bytes", access: {} });
  expect(await readAnswer(raw, one, "X-Service")).toBe(one.response.body);
  expect(one.read()).toBe(0);
});

test("what is wrong with an answer names its status and its request", async () => {
  await expect(readAnswer(get, answered(["<html>"], { status: 201 }), "X-Service")).rejects.toMatchObject({
    details: { status: 201, method: "GET", path: "/x", reason: expect.stringContaining("web page") },
  });
  await expect(readAnswer(get, answered(["[]"]), "X-Service")).rejects.toMatchObject({
    details: { reason: "expected an object" },
  });
});

describe("a page of a list", () => {
  const received = (text: string, headers: Record<string, string> = {}, more: Partial<WireResponse> = {}) =>
    receivePage(listed, answered([text], { headers, ...more }));

  test.each([
    ["[]", true],
    ["[]\n", true],
    ['[{"id":1}]', false],
  ])("%j is known to be empty before it is parsed: %s", async (text, empty) => {
    expect(await received(text)).toMatchObject({ empty, bytes: text.length, next: "unsaid" });
  });

  test("says where the list continues, relative to its own address, and how long it is", async () => {
    const link = '</api/v4/things?page=2>; rel="next", <http://[>; rel="last"';
    const { next, total, totalPages } = await received("[]", { link, "x-total": "7", "x-total-pages": "many" });
    expect([next, total, totalPages]).toEqual([{ page: 2 }, 7, undefined]);
    const cursor = await received("[]", { link: '<?cursor=a>; rel="next"' });
    expect(cursor.next).toEqual({ url: "https://forge.example/api/v4/things?cursor=a" });
    expect((await received("[]", { "x-next-page": "3", link: '<?page=2>; rel="next"' })).next).toEqual({ page: 3 });
    expect((await received("[]", { "x-next-page": "3" })).next).toEqual({ page: 3 });
  });

  test("is parsed when it is opened, and its memory is free then", async () => {
    let freed = 0;
    const whole: WholeBody = { bytes: () => Buffer.from('[{"id":1}]'), free: () => freed++ };
    const one = await received("", {}, { whole });
    expect([one.bytes, freed]).toEqual([10, 0]);
    expect([one.open(), freed]).toEqual([[{ id: 1 }], 1]);
    const broken = await received("", {}, { whole: { ...whole, bytes: () => Buffer.from("[") } });
    expect(() => broken.open()).toThrow(Failure);
    expect(freed).toBe(2);
  });

  test("is checked only where its rows are documented", async () => {
    const free = await receivePage({ ...listed, returns: "json" }, answered(['[{"id":[]}]']));
    expect(free.open()).toEqual([{ id: [] }]);
  });
});

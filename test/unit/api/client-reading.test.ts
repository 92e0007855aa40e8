import { describe, expect, test } from "vitest";
import type { Api } from "../../../src/api/api.ts";
import type { WireRequest } from "../../../src/api/transport/message.ts";
import { base, clientOf, content, failure, type Given, json, lines, listed } from "./support/client.ts";

describe("a list", () => {
  const pages =
    (count: number) =>
    (request: WireRequest): Given => {
      const page = Number(new URL(request.url).searchParams.get("page") ?? 1);
      const text = JSON.stringify([{ id: page, key: `s3cret-${page}` }]);
      return {
        text,
        headers: {
          ...json,
          "x-next-page": page < count ? String(page + 1) : "",
          "x-total": String(count),
          "x-total-pages": String(count),
        },
      };
    };

  test("is read to its end, its secrets known, by the page size that was asked for", async () => {
    const { api, sent, redactor } = clientOf(pages(3));
    const rows: unknown[] = [];
    for await (const { id: each } of api.list(listed, {}, { limit: undefined, perPage: 1 })) rows.push(each);
    expect(rows).toEqual([1, 2, 3]);
    expect(lines(sent)).toEqual([
      "GET /things?per_page=1",
      "GET /things?per_page=1&page=2",
      "GET /things?per_page=1&page=3",
    ]);
    expect(redactor.text("s3cret-3")).toBe("[redacted]");
    const whole = clientOf(pages(1));
    for await (const _ of whole.api.list(listed, {}, { limit: undefined }));
    expect(lines(whole.sent)).toEqual(["GET /things?per_page=100"]);
    expect(whole.sent[0]?.whole).toBe(true);
    const later = clientOf(pages(3));
    for await (const _ of later.api.list(listed, {}, { limit: 1, perPage: 1, page: 2 }));
    expect(lines(later.sent)).toEqual(["GET /things?per_page=1&page=2"]);
  });

  test("tells the watcher of each request and page", async () => {
    const seen: unknown[] = [];
    const asked = () => {
      seen.push("asked");
      return () => seen.push("answered");
    };
    const { api } = clientOf(pages(1), { watcher: { asked, counted: (...count: unknown[]) => seen.push(count) } });
    for await (const _ of api.list(listed, {}, { limit: undefined }));
    expect(seen).toEqual(["asked", "answered", "asked", "answered", [1, 1], [0, undefined]]);
  });

  test.each<[string, Given, RegExp]>([
    ["no list", { text: "{}" }, /expected a list of objects/],
    ["other things", { text: "[7]" }, /expected a list of objects/],
    ["a row without its ID", { text: "[{}]" }, /id is missing/],
    ["an invalid link", { text: "[]", headers: { link: '<http://[>; rel="next"' } }, /next page is not valid/],
  ])("is not answered with %s", async (_, given, reason) => {
    const list = clientOf(() => given).api.list(listed, {}, { limit: undefined });
    const read = async () => {
      for await (const row of list) expect.unreachable(String(row));
    };
    expect((await failure(read())).details.reason).toMatch(reason);
  });
});

describe("a download", () => {
  test("asks for the content itself, from an offset if its validator still matches", async () => {
    const { api, sent } = clientOf(() => ({ text: "abc", headers: {} }));
    await api.download(content, {});
    await api.download(content, {}, { start: 1, ifRange: '"v1"', headers: { "x-a": "1" } });
    await api.download(content, {}, { start: 0, ifRange: '"v1"' });
    const plain = { accept: "*/*", "accept-encoding": "identity", "private-token": "t0ken-of-ana" };
    expect(sent.map(({ headers }) => headers)).toEqual([
      plain,
      { ...plain, range: "bytes=1-", "if-range": '"v1"', "x-a": "1" },
      plain,
    ]);
    expect(sent[0]?.whole).toBe(false);
    await api.download(content, {}, { authorization: "Bearer abcd1234" });
    expect(sent[3]?.headers).toMatchObject({ authorization: "Bearer abcd1234" });
  });

  test.each([
    ["gzip", "7", true],
    ["gzip", "0", false],
    ["Identity", "7", false],
    [undefined, "7", false],
  ])("with the encoding %s and a length of %s: refused: %s", async (encoding, length, refused) => {
    const headers = { "content-length": length, ...(encoding && { "content-encoding": encoding }) };
    const { api } = clientOf(() => ({ text: "abc", headers }));
    const download = api.download(content, {});
    if (!refused) return expect((await download).status).toBe(200);
    expect(await failure(download)).toMatchObject({
      exit: "integrity",
      code: "unexpected_encoding",
      details: { method: "GET", path: "/api/v4/raw", status: 200 },
    });
  });
});

describe("a raw request", () => {
  const raw = async (request: Parameters<Api["raw"]>[0]) => {
    const { api, sent } = clientOf(() => ({ status: 404 }));
    const response = await api.raw(request);
    expect(response.status).toBe(404);
    expect((await response.failure()).exit).toBe("notFound");
    return sent[0];
  };

  test.each(["user?a=1", "/user?a=1", "//user?a=1", "api/v4/user?a=1", "/api/v4/user?a=1", `${base}/api/v4/user?a=1`])(
    "below the API's root: %s",
    async (path) => {
      expect(await raw({ method: "GET", path })).toMatchObject({ url: `${base}/api/v4/user?a=1`, whole: "json" });
    },
  );

  test("has its own headers and body", async () => {
    const body = { kind: "json", value: { a: 1 } } as const;
    const sent = await raw({ method: "POST", path: "user", headers: { "X-A": "1" }, body });
    expect(sent).toMatchObject({ method: "POST", headers: { "x-a": "1", "content-type": "application/json" } });
  });

  test.each([
    [{ path: "https://other.example/api/v4/user" }, "usage"],
    [{ path: "https://other.example/api/v4/user", linked: true }, "refused"],
    [{ path: "../../admin" }, "usage"],
  ])("of another place is not sent: %j", async (more, exit) => {
    const { api, sent } = clientOf(() => ({}));
    expect((await failure(api.raw({ method: "GET", ...more }))).exit).toBe(exit);
    expect(sent).toEqual([]);
  });
});

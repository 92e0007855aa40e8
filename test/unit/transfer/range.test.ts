import { describe, expect, test } from "vitest";
import type { Download } from "../../../src/api/api.ts";
import { fits, lengthsOf, startOf, validatorOf } from "../../../src/transfer/range.ts";

const answer = (status: number, headers: Record<string, string>) => ({ status, headers }) as unknown as Download;

test.each([
  ["bytes 10-19/20", 10, 20],
  ["BYTES 0-0/1", 0, 1],
  ["bytes 10-19/*", 10, undefined],
  ["bytes */20", undefined, undefined],
  ["items 10-19/20", undefined, undefined],
  ["bytes 10-19/20 ", undefined, undefined],
  [" bytes 10-19/20", undefined, undefined],
  ["bytes x-19/20", undefined, undefined],
  ["", undefined, undefined],
])("Content-Range %j: a part from %j of %j bytes", (range, start, total) => {
  const part = answer(206, { "content-range": range });
  expect(startOf(part)).toBe(start);
  expect(lengthsOf(part).total).toBe(total);
  expect(lengthsOf(answer(200, { "content-range": range })).total).toBeUndefined();
});

test.each([
  ["0", 0],
  ["12", 12],
  ["12, 12", undefined],
  ["-1", undefined],
  ["1x", undefined],
  ["", undefined],
])("Content-Length %j is %j bytes", (length, bytes) => {
  expect(lengthsOf(answer(200, { "content-length": length }))).toEqual({ total: undefined, length: bytes });
  expect(lengthsOf(answer(200, {})).length).toBeUndefined();
});

describe("an answer continues a part", () => {
  const range = { "content-range": "bytes 10-19/20" };
  const point = { size: 10, validator: '"a"' };
  const modified = "Sat, 21 Nov 2026 16:45:02 GMT";

  test.each([
    ["from its end, with its ETag", 206, { ...range, etag: '"a"' }, true],
    ["without any ETag: a server that ignores If-Range may send a part of another content", 206, range, false],
    ["with a date in place of the ETag", 206, { ...range, "last-modified": modified }, false],
    ["with another ETag", 206, { ...range, etag: '"b"' }, false],
    ["that is the whole content", 200, { ...range, etag: '"a"' }, false],
    ["from elsewhere", 206, { "content-range": "bytes 9-19/20", etag: '"a"' }, false],
    ["from nowhere", 206, { etag: '"a"' }, false],
    ["with the same ETag, and another date", 206, { ...range, etag: '"a"', "last-modified": modified }, true],
  ])("%s", (_, status, headers, fit) => expect(fits(answer(status, headers), point)).toBe(fit));

  test("by its date, if the part has only that", () => {
    const dated = { size: 10, validator: modified };
    expect(fits(answer(206, { ...range, "last-modified": modified, etag: '"a"' }), dated)).toBe(true);
    expect(fits(answer(206, { ...range, "last-modified": "Sat, 21 Nov 2026 16:45:03 GMT" }), dated)).toBe(false);
    expect(fits(answer(206, { ...range, etag: '"a"' }), dated)).toBe(false);
  });
});

describe("the validator of a content", () => {
  const now = "Sat, 21 Nov 2026 16:45:02 GMT";
  const [minute, less] = ["Sat, 21 Nov 2026 16:44:02 GMT", "Sat, 21 Nov 2026 16:44:03 GMT"];

  test.each<[Record<string, string>, string | undefined]>([
    [{ etag: '"a"' }, '"a"'],
    [{ etag: 'W/"a"' }, undefined],
    [{ etag: 'W/"a"', date: now, "last-modified": minute }, undefined],
    [{ etag: '"a"', "accept-ranges": "none" }, undefined],
    [{ etag: '"a"', "accept-ranges": "bytes" }, '"a"'],
    [{ date: now, "last-modified": minute }, minute],
    [{ date: now, "last-modified": less }, undefined],
    [{ "last-modified": minute }, undefined],
    [{ date: now }, undefined],
    [{}, undefined],
    [{ date: now, "last-modified": "yesterday" }, undefined],
  ])("%j is %j", (headers, validator) => expect(validatorOf(headers)).toBe(validator));
});

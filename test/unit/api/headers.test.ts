import { expect, test } from "vitest";
import { boolean, bytes, entity, id, integer, number, string } from "../../../src/api/field.ts";
import { readHeaderLine, readHeaders } from "../../../src/api/headers.ts";

const Facts = entity("Facts", { file_name: string(), size: bytes(), execute_filemode: boolean(), blob_id: string() });
const read = (headers: Record<string, string>) => readHeaders(Facts, headers, "X-Service");

test("vendor headers are fields with their kinds; headers not sent are absent", () => {
  expect(read({ "x-service-file-name": "7", "x-service-size": "7", "x-service-execute-filemode": "true" })).toEqual({
    file_name: "7",
    size: 7,
    execute_filemode: true,
  });
});

test("another vendor's are read if the configured one's are not sent", () => {
  expect(read({ "x-acme-blob-id": "theirs", "x-acme-size": "1" })).toEqual({ blob_id: "theirs", size: 1 });
  expect(read({ "x-acme-blob-id": "theirs", "x-service-blob-id": "ours" })).toEqual({ blob_id: "ours" });
});

test("a non-ASCII name is decoded as UTF-8, or else as Latin-1", () => {
  const bytesOf = (text: string, encoding: "utf8" | "latin1") => Buffer.from(text, encoding).toString("latin1");
  expect(read({ "x-service-file-name": bytesOf("prices in €.md", "utf8") }).file_name).toBe("prices in €.md");
  expect(read({ "x-service-file-name": bytesOf("größe", "latin1") }).file_name).toBe("größe");
});

test("numbers of every kind are numbers, and anything else stays a text", () => {
  const Numbers = entity("Numbers", { a: integer(), b: number(), c: id(), d: bytes(), e: integer() });
  const headers = {
    "x-service-a": "-1",
    "x-service-b": "2",
    "x-service-c": "3",
    "x-service-d": "4",
    "x-service-e": "1.5",
  };
  expect(readHeaders(Numbers, headers, "X-Service")).toEqual({ a: -1, b: 2, c: 3, d: 4, e: "1.5" });
});

test.each<[string, string, string]>([
  ["X-A: b: c ", "X-A", "b: c"],
  ["X-A:", "X-A", ""],
  [" x :größe", "x", "größe"],
  ["a:\tb\tc", "a", "b\tc"],
])("%j is a header", (text, name, value) => expect(readHeaderLine(text)).toEqual({ name, value }));

test.each<[string, RegExp]>([
  ["s3cret", /no colon/],
  [":s3cret", /not a valid header name/],
  ["X A: s3cret", /not a valid header name/],
  ["X-A: s3cret\r\nX-B: c", /line break/],
  ["X-A: s3cret\u0000", /^the value of X-A has a character/],
  ["X-A: s3cret \u20ac", /^the value of X-A has a character/],
])("%j is none, and the problem does not repeat its value", (text, problem) => {
  const said = readHeaderLine(text) as { problem: string };
  expect(said.problem).toMatch(problem);
  expect(said.problem).not.toContain("s3cret");
});

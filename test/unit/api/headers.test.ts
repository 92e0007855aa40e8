import { expect, test } from "vitest";
import { boolean, bytes, entity, string } from "../../../src/api/field.ts";
import { readHeaders } from "../../../src/api/headers.ts";

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

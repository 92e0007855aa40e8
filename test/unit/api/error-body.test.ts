import { expect, test } from "vitest";
import { fieldsOf, messageOf, parseBody, plain } from "../../../src/api/error-body.ts";

test.each<[string, unknown, string | undefined]>([
  ["a message comes first", { message: "a", error: "b", error_description: "c" }, "a"],
  ["a description says more than a code", { error: "b", error_description: "c" }, "c"],
  ["a code alone", { error: "b" }, "b"],
  ["empty ones are none", { message: "", error: "", errors: [{ message: "d" }] }, "d"],
  ["an error in a message", { message: { error: "spam" }, error: "b" }, "spam"],
  ["errors of fields", { message: { name: ["is bad"] } }, "the instance did not accept these values"],
  ["a list of messages", { message: ["a", { b: 1 }] }, 'a; {"b":1}'],
  ["a registry's errors", { errors: [{ code: "DENIED", message: "no" }, { code: "X" }] }, "DENIED: no; X"],
  ["a registry's errors without text", { errors: [{ code: "DENIED", message: "" }, "plain"] }, "DENIED; plain"],
  ["codes that are no texts", { errors: [{ code: 7, message: "no" }] }, "no"],
  ["nothing that is known", { status: 400 }, undefined],
  ["another type", { error: 7 }, undefined],
  ["only blanks", { message: "  " }, undefined],
  ["only a dump", { message: "#<Project id:7>" }, undefined],
  ["the status twice", { message: "400 bad request - name is missing" }, "name is missing"],
  ["only the status", { message: "400 Bad request - " }, "400 Bad request -"],
])("the server's message: %s", (_, body, said) => {
  expect(messageOf(body as Record<string, unknown>)).toBe(said);
});

test("without a body there is no message", () => expect(messageOf(undefined)).toBeUndefined());

test.each<[string, unknown]>([
  ['{"a":1}', { a: 1 }],
  ["[1]", [1]],
  ["null", undefined],
  ['"text"', undefined],
  ["7", undefined],
  ["<html>", undefined],
  ["[".repeat(500), undefined],
])("a body is an object or a list: %s", (text, body) => expect(parseBody(text)).toEqual(body));

test.each([
  ['Validation failed: {:path=>["has already been taken"]}', "Validation failed: path: has already been taken"],
  ['{"path": ["is bad"]}', '{"path": ["is bad"]}'],
  ['{path: ["is bad", "is long"]}', "path: is bad, is long"],
  ["#<Project id:7> is  gone ", "is gone"],
])("%s: %s", (text, shown) => expect(plain(text)).toBe(shown));

test.each<[unknown, Record<string, string[]> | undefined]>([
  [{ message: { name: "is bad" } }, { name: ["is bad"] }],
  [{ message: { name: ["is bad", 7] } }, { name: ["is bad", "7"] }],
  [{ message: { a: { b: { c: ["x"] } }, d: [] } }, { "a.b.c": ["x"], d: [] }],
  [{ message: {} }, {}],
  [{ message: { error: "spam" } }, undefined],
  [{ message: "text" }, undefined],
  [{ name: ["is bad"] }, undefined],
  [undefined, undefined],
])("fields of %j", (body, fields) => expect(fieldsOf(body as Record<string, unknown>)).toEqual(fields));

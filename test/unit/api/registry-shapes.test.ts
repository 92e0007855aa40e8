import { expect, test } from "vitest";
import { endpoint } from "../../../src/api/endpoint.ts";
import { failureOf } from "../../../src/api/failure.ts";
import { array, required, string } from "../../../src/api/field.ts";
import { buildRequest } from "../../../src/api/request.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { parseValue } from "../../../src/cli/parse.ts";

const asking = endpoint({
  route: "GET /auth",
  summary: "Ask",
  params: { scope: required(array(string(), "", { repeats: true })), tag: array(string()) },
  returns: "nothing",
  access: {},
});

test("an array goes as name[], and as its bare name again and again where it is said to repeat", () => {
  const { path } = buildRequest(asking, { scope: ["a:b:*", "c d"], tag: ["x", "y"] });
  expect(path).toBe("/auth?scope=a%3Ab%3A*&scope=c%20d&tag%5B%5D=x&tag%5B%5D=y");
});

test("a text that does not look as it must is a usage error in words", () => {
  const field = string("", { pattern: { test: /^\d\d$/, words: "two digits" } });
  expect(parseValue(field, "42", "<n>")).toBe("42");
  expect(() => parseValue(field, "4a", "<n>")).toThrow(new UsageError('<n>: must be two digits, not "4a"'));
});

test("the container registry's list of errors is read as its words", () => {
  const call = {
    method: "DELETE",
    path: "/v2/a",
    summary: "Delete it",
    access: {},
    credential: "given",
    repeatable: true,
  } as const;
  const failure = (text: string) => failureOf(call, { status: 400, headers: {}, text }).details.reason;
  expect(
    failure('{"errors":[{"code":"DIGEST_INVALID","message":"did not match","detail":{}},{"code":"UNKNOWN"}]}'),
  ).toBe("DIGEST_INVALID: did not match; UNKNOWN");
  expect(failure('{"errors":["odd"]}')).toBe("odd");
});

test("what is refused to credentials of the caller's own has no hint about the token in force", () => {
  const call = {
    method: "GET",
    path: "/jwt/auth",
    summary: "Ask",
    access: {},
    credential: "given",
    repeatable: true,
  } as const;
  for (const status of [401, 403]) {
    expect(failureOf(call, { status, headers: {}, text: "" }).details.hint).toBeUndefined();
  }
});

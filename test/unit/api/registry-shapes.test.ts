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

test("an array is sent as name[], and as its repeated bare name if the endpoint says so", () => {
  const { path } = buildRequest(asking, { scope: ["a:b:*", "c d"], tag: ["x", "y"] });
  expect(path).toBe("/auth?scope=a%3Ab%3A*&scope=c%20d&tag%5B%5D=x&tag%5B%5D=y");
});

test("a text in the wrong format is a usage error with an explanation", () => {
  const field = string("", { pattern: { test: /^\d\d$/, words: "two digits" } });
  expect(parseValue(field, "42", "<n>")).toBe("42");
  expect(() => parseValue(field, "4a", "<n>")).toThrow(new UsageError('<n>: must be two digits, not "4a"'));
});

test("the container registry's list of errors is read as its message", () => {
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

test("a refusal of the caller's own credentials has no hint about the active token", () => {
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

import { describe, expect, test } from "vitest";
import { type FailedCall, failureOf } from "../../../src/api/failure.ts";
import { isRepeatable } from "../../../src/api/transport/retry.ts";

const call: FailedCall = {
  method: "DELETE",
  path: "/api/v4/things/1",
  summary: "Delete a thing",
  access: { role: "maintainer" },
  credential: "access",
  repeatable: true,
};
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  text: typeof body === "string" ? body : JSON.stringify(body),
});

describe("statuses become exits", () => {
  test.each([
    [400, "refused"],
    [401, "unauthenticated"],
    [403, "forbidden"],
    [404, "notFound"],
    [405, "refused"],
    [409, "conflict"],
    [412, "conflict"],
    [422, "refused"],
    [429, "rateLimited"],
    [500, "refused"],
    [503, "refused"],
  ])("%i is %s", (status, exit) => {
    expect(failureOf(call, answer(status, {})).exit).toBe(exit);
  });

  test.each([
    ["DELETE", 503, true],
    ["POST", 503, false],
    ["PATCH", 500, false],
    ["POST", 429, true],
    ["GET", 400, false],
  ])("%s → %i may be sent again: %s", (method, status, retryable) => {
    expect(failureOf({ ...call, method, repeatable: isRepeatable(method) }, answer(status, {})).details.retryable).toBe(
      retryable,
    );
  });
});

describe("the server's own words", () => {
  test.each([
    [{ message: "400 Bad request - url is missing" }, "400 Bad request - url is missing"],
    [{ error: "invalid_token", error_description: "Token is expired." }, "Token is expired."],
    [{ error: "url is empty" }, "url is empty"],
    [{}, "the instance answered 400"],
    [{ message: { error: "spam" } }, "spam"],
    ["plain words", "plain words"],
    ["", "the instance answered 400"],
    ["<html><body>Bad gateway</body></html>", "the address answered 400 with a web page"],
  ])("%j", (body, reason) => {
    expect(failureOf(call, answer(400, body)).details.reason).toBe(reason);
  });

  test("nested fields are flattened to dotted paths", () => {
    const { details } = failureOf(
      call,
      answer(400, { message: { name: ["is taken", "is bad"], owner: { email: ["is empty"] } } }),
    );
    expect(details.fields).toEqual({ name: ["is taken", "is bad"], "owner.email": ["is empty"] });
  });

  test("what it takes, where it says only 403", () => {
    expect(failureOf(call, answer(403, { message: "403 Forbidden" })).details.reason).toBe(
      "this needs the Maintainer role",
    );
  });

  test("a challenge says how to go on", () => {
    const body = { needs_captcha_response: true, spam_log_id: 5, captcha_site_key: "k", message: { error: "spam" } };
    const { details, code } = failureOf(call, answer(400, body));
    expect(code).toBe("captcha_needed");
    expect(details.hint).toContain("--captcha-response <answer> --spam-log-id 5");
  });

  test("the request's ID is kept", () => {
    expect(failureOf(call, answer(500, {}, { "x-request-id": "01H" })).details.requestId).toBe("01H");
  });
});

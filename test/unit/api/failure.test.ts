import { describe, expect, test } from "vitest";
import type { FailedCall } from "../../../src/api/failed-call.ts";
import { failureOf } from "../../../src/api/failure.ts";
import { isRepeatable } from "../../../src/api/outcome.ts";
import { answer, call, none } from "./support/failed-call.ts";

describe("statuses become exit codes", () => {
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
    expect(failureOf(call, answer(status, status === 404 ? none : {})).exit).toBe(exit);
  });

  test.each([
    ["DELETE", 503, false],
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
    [{ message: "400 Bad request - url is missing" }, "url is missing"],
    [{ error: "invalid_token", error_description: "Token is expired." }, "Token is expired."],
    [{ error: "url is empty" }, "url is empty"],
    [{}, "the instance answered 400"],
    [{ message: { error: "spam" } }, "spam"],
    ["plain words", "plain words"],
    ["", "the instance answered 400"],
    ["<html><body>Bad gateway</body></html>", "the server answered 400 with a web page"],
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

  test.each([
    [{ message: "403 Forbidden - Your account has been blocked." }, "Your account has been blocked."],
    [{ message: "403 Forbidden" }, "usually this needs the Maintainer role"],
    [{}, "usually this needs the Maintainer role"],
    ["<html>Blocked by the firewall</html>", "the server answered 403 with a web page"],
    [
      { error: "insufficient_scope", error_description: "The request requires more.", scope: "api read_api" },
      "The request requires more; it needs the scope api or read_api",
    ],
    [{ error: "insufficient_scope" }, "insufficient_scope"],
  ])("a 403 that says %j: a role is named only if no reason is given", (body, reason) => {
    expect(failureOf(call, answer(403, body)).details.reason).toBe(reason);
  });

  test("a 403 to a job token names no role if job tokens are not accepted", () => {
    const asked = { ...call, credential: "job", tokenSource: "CI_JOB_TOKEN" } as const;
    const { details } = failureOf(asked, answer(403, { message: "403 Forbidden" }));
    expect(details.reason).toBe("the instance answered 403; the token is a job token (CI_JOB_TOKEN)");
    expect(details.hint).toContain("job tokens are not accepted here");
  });

  test("a 401 names the token that was used, and other possible causes", () => {
    const said = (more: Partial<FailedCall>) =>
      failureOf({ ...call, ...more }, answer(401, { message: "401 Unauthorized" })).details.reason;
    expect(said({ tokenSource: "profile work, keyring" })).toBe(
      "401 Unauthorized; the token is that of profile work, keyring",
    );
    expect(said({ tokenSource: "FORGECTL_TOKEN", access: { means: { 401: "the group may be missing" } } })).toBe(
      "the group may be missing; the token is that of FORGECTL_TOKEN",
    );
  });

  test("printed server objects are removed from its message", () => {
    const said = (text: string) => failureOf(call, answer(400, { message: text })).details.reason;
    expect(said("undefined method for #<Project id:7 a/b>")).toBe("undefined method for");
    expect(said("bad #<Set: {#<User:0x01>}> given")).toBe("bad given");
  });

  test.each([
    [409, "/x/artifacts", { message: "The project is undergoing stats refresh." }, "try again shortly", true],
    [413, "/api/v4/projects/7/uploads", "<html>413</html>", "max_attachment_size", false],
    [413, "/api/v4/projects/7/files", {}, "larger than the instance", false],
    [502, "/x", "", "", false],
  ])("%i of %s: what to do", (status, path, body, hint, retryable) => {
    const { details } = failureOf({ ...call, path }, answer(status, body));
    expect([details.hint ?? "", details.retryable]).toEqual([expect.stringContaining(hint), retryable]);
  });

  test("a registry's address is not the base URL", () => {
    const { details } = failureOf({ ...call, base: "registry" }, answer(404, "<html></html>"));
    expect(details.hint).toContain("FORGECTL_REGISTRY_URL");
  });

  test("the requirements, if it only says 403", () => {
    expect(failureOf(call, answer(403, { message: "403 Forbidden" })).details.reason).toBe(
      "usually this needs the Maintainer role",
    );
  });

  test("a challenge says how to continue", () => {
    const body = { needs_captcha_response: true, spam_log_id: 5, captcha_site_key: "k", message: { error: "spam" } };
    const { details, code } = failureOf(call, answer(400, body));
    expect(code).toBe("captcha_needed");
    expect(details.hint).toContain("--captcha-response <answer> --spam-log-id 5");
    expect(details.challenge).toEqual({ captcha_site_key: "k", spam_log_id: 5 });
  });

  test("the request's ID is kept", () => {
    expect(failureOf(call, answer(500, {}, { "x-request-id": "01H" })).details.requestId).toBe("01H");
  });
});

describe("codes tell programs what to do", () => {
  test.each<[number, unknown, string]>([
    [400, {}, "invalid"],
    [401, {}, "unauthenticated"],
    [403, {}, "forbidden"],
    [403, { error: "insufficient_scope" }, "insufficient_scope"],
    [404, none, "not_found"],
    [404, { error: "insufficient_scope" }, "unexpected_answer"],
    [409, {}, "conflict"],
    [422, {}, "invalid"],
    [423, {}, "refused"],
    [429, {}, "rate_limited"],
    [500, {}, "server_error"],
    [503, {}, "server_error"],
    [403, { needs_captcha_response: true }, "captcha_needed"],
  ])("%i with %j is %s", (status, body, code) => expect(failureOf(call, answer(status, body)).code).toBe(code));

  test("a challenge without its values still asks for an answer", () => {
    const { details } = failureOf(call, answer(400, { needs_captcha_response: true, spam_log_id: "5" }));
    expect(details.challenge).toEqual({ captcha_site_key: null, spam_log_id: null });
  });
});

test("errors of fields in a sentence are words of their own", () => {
  const message = 'Failed to save group {:path=>["has already been taken"]}';
  const { details } = failureOf(call, answer(400, { message }));
  expect(details.reason).toBe("Failed to save group: path: has already been taken");
});

test("a job token at a path that was typed: every refusal says what else to use", () => {
  const typed: FailedCall = { ...call, method: "GET", summary: undefined, access: undefined, credential: "job" };
  for (const status of [401, 403, 404]) {
    expect(failureOf(typed, answer(status, { message: "no" })).details.hint).toMatch(
      /^most requests take no job token: set an access token in FORGECTL_TOKEN/,
    );
  }
});

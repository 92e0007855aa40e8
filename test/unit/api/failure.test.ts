import { describe, expect, test } from "vitest";
import type { FailedCall } from "../../../src/api/failed-call.ts";
import { failureOf } from "../../../src/api/failure.ts";
import { isRepeatable } from "../../../src/api/outcome.ts";

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
    [404, { error: "insufficient_scope" }, "not_found"],
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

describe("not found", () => {
  const job = { credential: "job", tokenSource: "CI_JOB_TOKEN" } as const;
  const taken = { role: "maintainer", jobToken: true } as const;
  const notFound = (more: Partial<FailedCall>, body: unknown = {}) =>
    failureOf({ ...call, ...more }, answer(404, body));

  test.each<[unknown, string]>([
    [{}, "not found, or not visible to this token"],
    [{ message: "404 Not found" }, "not found, or not visible to this token"],
    [{ error: "Not Found" }, "not found, or not visible to this token"],
    [{ message: "404 Project Not Found." }, "not found, or not visible to this token (404 Project Not Found.)"],
    [
      "<html></html>",
      "not found, or not visible to this token; the server answered with a web page, not with the platform's API",
    ],
  ])("%j: %s", (body, reason) => expect(notFound({}, body).details.reason).toBe(reason));

  test("it depends on the token what is visible", () => {
    expect(notFound({ credential: "none" }).details.reason).toBe("not found, or not visible without a token");
    expect(notFound({ tokenSource: "FORGECTL_TOKEN" }).details.reason).toBe("not found, or not visible to this token");
    expect(notFound({ ...job, access: taken }).details.reason).toBe(
      "not found, or not visible to this token; the token is a job token (CI_JOB_TOKEN)",
    );
  });

  test("where job tokens are not accepted, a job was not recognized at all", () => {
    const { exit, details } = notFound(job, { message: "404 Project Not Found" });
    expect(exit).toBe("unauthenticated");
    expect(details.reason).toBe(
      "job tokens are not accepted here, and the instance answers as to anybody: " +
        "not found, or not public (404 Project Not Found)",
    );
    expect(failureOf({ ...call, ...job }, answer(409, {})).exit).toBe("conflict");
  });

  test.each<[Partial<FailedCall>]>([[{ ...job, access: taken }], [{ ...job, access: undefined }], [{}]])(
    "it is only that to %j",
    (more) => expect(notFound(more).exit).toBe("notFound"),
  );
});

describe("who was refused, and why", () => {
  const job = { credential: "job", tokenSource: "CI_JOB_TOKEN", access: { jobToken: true } } as const;
  const reasonOf = (status: number, more: Partial<FailedCall> = {}, body: unknown = {}) =>
    failureOf({ ...call, ...more }, answer(status, body)).details.reason;

  const named = "; the token is a job token (CI_JOB_TOKEN)";
  test.each([
    [400, "the instance answered 400"],
    [401, `the instance answered 401${named}`],
    [403, `the instance answered 403${named}`],
    [404, `not found, or not visible to this token${named}`],
    [409, "the instance answered 409"],
  ])("%i to a job token: %s", (status, reason) => expect(reasonOf(status, job)).toBe(reason));

  test("where a token came from is said only if it was not accepted", () => {
    expect(reasonOf(409, { tokenSource: "FORGECTL_TOKEN" })).toBe("the instance answered 409");
    expect(reasonOf(401)).toBe("the instance answered 401");
    expect(reasonOf(401, { tokenSource: "FORGECTL_TOKEN" }, "No entry.")).toBe(
      "No entry; the token is that of FORGECTL_TOKEN",
    );
  });

  test("a 403 without a reason has the causes that are usual there", () => {
    expect(reasonOf(403, { access: {} })).toBe("the instance answered 403");
    expect(reasonOf(403, { ...job, access: { jobToken: true, role: "developer" } })).toBe(
      "usually this needs the Developer role; the token is a job token (CI_JOB_TOKEN)",
    );
    expect(reasonOf(403, { access: { role: "owner", forbidden: "the branch is protected" } })).toBe(
      "usually this needs the Owner role; or the branch is protected",
    );
    expect(reasonOf(403, {}, { error: "insufficient_scope", scope: "api" })).toBe(
      "insufficient_scope; it needs the scope api",
    );
    const dumped = { error: "insufficient_scope", message: "#<Token>" };
    expect(reasonOf(403, {}, dumped)).toBe("the token's scopes do not allow it");
  });

  test("an endpoint's own meaning of a status stands in for no reason, not for one that is given", () => {
    const access = { means: { 400: "no provider is set up" } };
    expect(reasonOf(400, { access })).toBe("no provider is set up");
    expect(reasonOf(400, { access }, { message: "400 Bad request" })).toBe("no provider is set up");
    expect(reasonOf(400, { access }, { message: "uid is taken" })).toBe("uid is taken");
    expect(reasonOf(400, { access }, "<html></html>")).toBe("the server answered 400 with a web page");
  });

  test("a long text is cut, and an empty list says nothing", () => {
    expect(reasonOf(400, {}, "a".repeat(400))).toBe("a".repeat(300));
    expect(reasonOf(400, {}, [])).toBe("the instance answered 400");
    expect(reasonOf(400, {}, "not now.")).toBe("not now");
  });

  test("the headline says what the command was doing", () => {
    expect(failureOf(call, answer(400, {})).message).toBe("could not delete a thing");
    expect(failureOf({ ...call, summary: undefined }, answer(400, {})).message).toBe("the request failed");
  });
});

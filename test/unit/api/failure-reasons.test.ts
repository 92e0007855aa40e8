import { describe, expect, test } from "vitest";
import type { FailedCall } from "../../../src/api/failed-call.ts";
import { failureOf } from "../../../src/api/failure.ts";
import { answer, call, none } from "./support/failed-call.ts";

describe("not found", () => {
  const job = { credential: "job", tokenSource: "CI_JOB_TOKEN" } as const;
  const taken = { role: "maintainer", jobToken: true } as const;
  const notFound = (more: Partial<FailedCall>, body: unknown = none) =>
    failureOf({ ...call, ...more }, answer(404, body));

  test.each<[unknown, string]>([
    [{}, "the server answered 404, but not as the platform's API does ({})"],
    [{ message: "no Route." }, "the server answered 404, but not as the platform's API does (no Route)"],
    [{ message: "404 Not found" }, "not found, or not visible to this token"],
    [{ error: "404 Not Found" }, "not found, or not visible to this token"],
    [{ message: "404 Project Not Found." }, "not found, or not visible to this token (404 Project Not Found.)"],
    ["<html></html>", "the server answered with a web page, not with the platform's API"],
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
      "job tokens are not accepted here, and the instance answers as without one: " +
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
  const reasonOf = (status: number, more: Partial<FailedCall> = {}, body?: unknown) =>
    failureOf({ ...call, ...more }, answer(status, body ?? (status === 404 ? none : {}))).details.reason;

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

  test("an endpoint's own meaning of a status is used if no reason is given", () => {
    const access = { means: { 400: "no provider is set up" } };
    expect(reasonOf(400, { access })).toBe("no provider is set up");
    expect(reasonOf(400, { access }, { message: "400 Bad request" })).toBe("no provider is set up");
    expect(reasonOf(400, { access }, { message: "uid is taken" })).toBe("uid is taken");
    expect(reasonOf(400, { access }, "<html></html>")).toBe("the server answered 400 with a web page");
  });

  test("a long text is cut, and an empty list says nothing", () => {
    expect(reasonOf(400, {}, "four ".repeat(100))).toBe("four ".repeat(60).trim());
    expect(reasonOf(400, {}, `${"a".repeat(290)} longer than the rest`)).toBe(`${"a".repeat(290)} longer`);
    expect(reasonOf(400, {}, "a".repeat(400))).toBe("the instance answered 400");
    expect(reasonOf(400, {}, [])).toBe("the instance answered 400");
    expect(reasonOf(400, {}, "not now.")).toBe("not now");
  });

  test("the headline says what the command was doing", () => {
    expect(failureOf(call, answer(400, {})).message).toBe("could not delete a thing");
    expect(failureOf({ ...call, summary: undefined }, answer(400, {})).message).toBe("the request failed");
  });
});

import { describe, expect, test } from "vitest";
import type { Access } from "../../../src/api/endpoint.ts";
import type { FailedCall } from "../../../src/api/failed-call.ts";
import { failureOf } from "../../../src/api/failure.ts";
import { isRefreshing, looksLikeHtml } from "../../../src/api/hints.ts";
import { provesToken } from "../../../src/api/scopes.ts";

const call: FailedCall = {
  method: "GET",
  path: "/api/v4/things/1",
  summary: "Get a thing",
  access: {},
  credential: "access",
  repeatable: true,
};
type Headers = Readonly<Record<string, string>>;
const page = "<html><body>Blocked</body></html>";

function hintOf(status: number, more: Partial<FailedCall> = {}, given?: unknown, headers: Headers = {}) {
  const body = given ?? (status === 404 ? { message: "404 Not found" } : {});
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return failureOf({ ...call, ...more }, { status, headers, text }).details.hint;
}

test.each([400, 402, 406, 409, 410, 422, 423, 430, 500, 503])("%i alone: nothing is certain", (status) => {
  expect(hintOf(status)).toBeUndefined();
});

describe("who asked decides what to do about 401, 403, and 404", () => {
  const job = { credential: "job" } as const;
  const login = /^sign in with forgectl auth login/;
  const instead = /^job tokens are not accepted here; set an access token/;
  const running = /^a job token is accepted only while its job runs/;
  test.each<[number, Partial<FailedCall>, RegExp | undefined]>([
    [401, {}, /^forgectl auth status$/],
    [403, {}, /^forgectl auth status$/],
    [401, { credential: "none" }, login],
    [403, { credential: "none" }, /^forgectl auth status$/],
    [404, { credential: "none", access: { tier: "premium" } }, login],
    [401, { credential: "given" }, undefined],
    [403, { credential: "given" }, undefined],
    [401, job, instead],
    [403, job, instead],
    [404, job, instead],
    [401, { ...job, access: undefined }, /^most requests take no job token/],
    [404, { ...job, access: undefined }, /^most requests take no job token/],
    [404, { ...job, access: { jobToken: true } }, undefined],
    [401, { ...job, access: { jobToken: true } }, running],
    [403, { ...job, access: { jobToken: true }, path: "/api/v4/projects/1/jobs/2/artifacts" }, /projects add\); other/],
    [403, { ...job, access: { jobToken: true }, path: "/api/v4/projects/1/registry/x" }, /registry of the job's own/],
  ])("%i to %j", (status, more, hint) => {
    if (hint === undefined) expect(hintOf(status, more)).toBeUndefined();
    else expect(hintOf(status, more)).toMatch(hint);
  });

  test("a permission that the allowlist entry lacks is named where it is given", () => {
    const said = { message: "403 Forbidden - Insufficient permissions: a job token permission is required" };
    expect(hintOf(403, { ...job, access: { jobToken: true } }, said)).toContain('"Job token permissions"');
  });
});

describe("404: an instance may not have it", () => {
  test.each<[Access, string]>([
    [{ tier: "premium" }, "in the Premium and Ultimate tiers"],
    [{ tier: "ultimate" }, "in the Ultimate tier"],
    [{ hosting: "hosted" }, "on the hosted offering"],
    [{ hosting: "self-managed" }, "on self-managed instances"],
    [{ since: "17.3" }, "since release 17.3"],
    [{ tier: "premium", hosting: "hosted", since: "1.2" }, "Premium and Ultimate tiers, on the hosted offering, since"],
  ])("%j", (access, words) => {
    expect(hintOf(404, { access })).toContain("check the ID or path; also, this exists only ");
    expect(hintOf(404, { access })).toContain(words);
  });

  test("without limits, only what is known of the endpoint", () => {
    expect(hintOf(404)).toBeUndefined();
    expect(hintOf(404, { access: { notFound: "it may be an IID" } })).toBe("it may be an IID");
  });

  test("an undocumented request may be missing, besides the other causes", () => {
    const hint = hintOf(404, { beyond: true, access: { notFound: "it may be an IID", since: "17.3" } });
    expect(hint).toMatch(/^it may be an IID; also, this exists only since release 17.3, and an instance may lack this/);
  });
});

describe("a page of something in front of the instance", () => {
  test.each<[number, Partial<FailedCall>, string]>([
    [404, {}, "the base URL is the instance's address"],
    [404, { base: "registry" }, "--registry-url"],
    [401, {}, "the base URL is the instance's address"],
    [403, {}, "a proxy or firewall"],
    [429, {}, "a proxy or firewall"],
    [430, {}, "the base URL"],
    [413, { path: "/api/v4/projects/1/uploads" }, "max_attachment_size"],
    [413, {}, "larger than the instance"],
  ])("%i to %j", (status, more, words) => expect(hintOf(status, more, page)).toContain(words));

  test("of a server's error it says nothing about the address", () => expect(hintOf(500, {}, page)).toBeUndefined());

  test.each<[string, Headers, boolean]>([
    ["<!DOCTYPE html>", {}, true],
    [" \n<html>", {}, true],
    ["Blocked", { "content-type": "text/html; charset=utf-8" }, true],
    ["Blocked", { "content-type": "text/plain" }, false],
    ["<xml/>", {}, false],
    ["{}", {}, false],
  ])("%j with %j: %s", (text, headers, isPage) => expect(looksLikeHtml({ status: 200, text, headers })).toBe(isPage));
});

describe("limits", () => {
  test("429 says how long to wait, if the instance does", () => {
    expect(hintOf(429)).toContain("about a minute");
    expect(hintOf(429, {}, {}, { "retry-after": "30" })).toContain("Retry-After: 30");
  });

  test.each<[Partial<FailedCall>, string]>([
    [{ summary: undefined }, "add pagination=keyset"],
    [{}, "the rest of the list cannot be read"],
    [{ cursor: "id", path: "/x?page=600" }, "leave out --page"],
    [{ cursor: "id", path: "/x?order_by=id&page=600" }, "leave out --page"],
    [{ cursor: "id", path: "/x?order_by=name&page=600" }, "leave out --order-by: by id"],
    [{ cursor: "name", path: "/x?page=6&order_by=id" }, "leave out --order-by: by name"],
  ])("405 past the last numbered page, of %j", (more, words) => {
    expect(hintOf(405, more, { error: "Offset pagination has a maximum allowed offset of 50000" })).toContain(words);
  });

  test("405 otherwise: the instance does not have it", () => {
    expect(hintOf(405, { cursor: "id" })).toContain("does not offer it");
    expect(hintOf(405, {}, { message: "this feature was removed in 18.0" })).toContain("does not offer it");
    expect(hintOf(405, {}, { message: "405 Non GET methods are not allowed for moved projects" })).toContain(
      "new path",
    );
  });

  test.each(["project", "group"])("a full allowlist of %ss names the command that shortens it", (kind) => {
    const said = { message: `target exceeds the allowable number of ${kind} links` };
    const path = "/api/v4/projects/acme%2Fmy%20web/job_token_scope/allowlist";
    expect(hintOf(400, { path }, said)).toBe("forgectl job-token compact -p 'acme/my web'");
    expect(hintOf(400, { path }, { message: "target is invalid" })).toBeUndefined();
    expect(hintOf(400, {}, said)).toBeUndefined();
  });

  test("a SAML link of several providers names the list that shows them", () => {
    const said = { message: "Multiple links found, please specify a provider" };
    const path = "/api/v4/groups/acme%2Fm/saml_group_links/devs";
    expect(hintOf(422, { path }, said)).toMatch(/--provider: forgectl saml links list -g acme\/m$/);
    expect(hintOf(422, { path }, { message: "no" })).toBeUndefined();
    expect(hintOf(422, {}, said)).toBeUndefined();
  });

  test.each([
    [409, "The project is undergoing stats refresh", true],
    [409, "refreshing statistics", true],
    [409, "exists already", false],
    [400, "The project is undergoing stats refresh", false],
  ])("%i %s: passes by itself: %s", (status, text, isPassing) => expect(isRefreshing(status, text)).toBe(isPassing));
});

describe("a token that lacks a scope or a permission", () => {
  const lacking = (body: object, status = 403) =>
    failureOf(call, { status, headers: {}, text: JSON.stringify({ error: "insufficient_scope", ...body }) });
  const granular = "insufficient_granular_scope";

  test("the scope is named, if the instance names it", () => {
    expect(lacking({ scope: " api  read_api " }).details.hint).toContain("a token with the scope api or read_api:");
    expect(lacking({}).details.hint).toContain("a token with that scope:");
    expect(lacking({ scope: ["api"] }).details.hint).toContain("a token with that scope:");
    expect(lacking({ scope: " " }).details.hint).toContain("a token with that scope:");
  });

  test("so is the permission of a fine-grained token", () => {
    const said = "Access denied: it needs the following project permissions: [read_registry, read_wiki].";
    expect(lacking({ error: granular, error_description: said }).details.hint).toContain(
      "give the fine-grained token the permission read_registry, read_wiki;",
    );
    expect(lacking({ error: granular, error_description: "needs the permission [x]" }).details.hint).toContain(
      "the permission x;",
    );
    expect(lacking({ error: granular }).details.hint).toContain("use a classic token");
  });

  test("it is proof that the token is valid, which no other failure is", () => {
    expect(provesToken(lacking({}))).toBe(true);
    expect(provesToken(lacking({ error: granular }))).toBe(true);
    expect(provesToken(lacking({ error: "blocked" }))).toBe(false);
    expect(provesToken(lacking({}, 401))).toBe(false);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AnyEndpoint } from "../../../src/api/endpoint.ts";
import { failureOf } from "../../../src/api/failure.ts";
import { isNotFound } from "../../../src/base/errors.ts";

// A 404 is taken for "there is none" only if it is the instance's own. What decides is the exit of its failure.

const src = new URL("../../../src", import.meta.url).pathname;
const files = readdirSync(join(src, "api/endpoints"));
const modules = await Promise.all(files.map((file) => import(join(src, "api/endpoints", file)) as Promise<object>));
const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === "object" && value !== null && "route" in value && "access" in value;
const endpoints = [...new Set(modules.flatMap((each) => Object.values(each).filter(isEndpoint)))];

const json = { "content-type": "application/json" };
const text = { "content-type": "text/plain; charset=utf-8" };
const foreign: readonly (readonly [headers: Record<string, string>, text: string])[] = [
  [{ "content-type": "text/html" }, "<html><title>404 Not Found</title></html>"],
  [{}, "<!doctype html><title>404 Not Found</title>"],
  [json, '{"message":"no Route matched with those values"}'],
  [json, '{"status":404,"error":"Not Found","path":"/api/v4/x","timestamp":"2026-11-27T09:00:00Z"}'],
  [json, '{"message":"404 Not Found","request_id":"7f3a9c12"}'],
  [json, '{"fault":{"faultstring":"Not found"}}'],
  [json, '["Not Found"]'],
  [json, '{"message":"Not Found"}'],
  [json, '{"error":"Not found."}'],
  [json, '{"message":"Route not found"}'],
  [json, '{"message":"The requested resource was not found"}'],
  [json, "{}"],
  [json, ""],
  [text, "default backend - 404"],
  [{ "content-type": "application/xml" }, "<Error><Code>NoSuchKey</Code><Message>Not found</Message></Error>"],
];
const own = [
  '{"message":"404 Not Found"}',
  '{"message":"404 Not found"}',
  '{"error":"404 Not Found"}',
  '{"message":"404 Project Not Found"}',
  '{"message":"404 Linked LDAP Group Not Found"}',
  '{"message":"404 User with ID or username \'x\' Not Found"}',
  '{"message":"404 Not found or has expired"}',
  '{"message":"Export file not found"}',
  '{"message":"Linked LDAP group not found"}',
  '{"message":{"error":"404 Commit Not Found"}}',
];

function failed(endpoint: AnyEndpoint, body: string, headers: Record<string, string>) {
  const { method, route, summary, access, base } = endpoint;
  const call = { method, path: route.replace(/^\w+ /, "/api/v4"), summary, access, ...(base && { base }) };
  return failureOf({ ...call, credential: "access", repeatable: true }, { status: 404, headers, text: body });
}

const ofInstance = endpoints.filter(({ base }) => base !== "registry");

test("there are endpoints of both kinds", () => {
  expect([endpoints.length > 120, ofInstance.length < endpoints.length]).toEqual([true, true]);
});

test("no endpoint takes a gateway's 404 for its own", () => {
  for (const endpoint of endpoints) {
    for (const [headers, body] of foreign) {
      // HEAD has no body: without one, and with the API's type, there is no difference.
      if (endpoint.method === "HEAD" && body === "" && headers === json) continue;
      const failure = failed(endpoint, body, headers);
      expect([endpoint.route, body, isNotFound(failure), failure.code]).toEqual([
        endpoint.route,
        body,
        false,
        "unexpected_answer",
      ]);
    }
  }
});

test("each takes every form of the instance's", () => {
  for (const endpoint of ofInstance.filter(({ method }) => method !== "HEAD")) {
    for (const body of own) {
      expect([endpoint.route, body, isNotFound(failed(endpoint, body, json))]).toEqual([endpoint.route, body, true]);
    }
  }
  for (const endpoint of endpoints.filter(({ method }) => method === "HEAD")) {
    for (const headers of [json, {}]) expect(isNotFound(failed(endpoint, "", headers))).toBe(true);
  }
});

test.each([
  ["GET /groups/:group/ldap_group_links", '{"message":"No linked LDAP groups found"}', json],
  ["GET /groups/:group/export/download", '{"message":"The group export file is not available yet"}', json],
  ["GET /projects/:project/jobs/:job_id/artifacts/*artifact_path", "404 page not found\n", text],
])("what only %s answers is its own: %s", (route, body, headers) => {
  const taking = endpoints.filter((each) => isNotFound(failed(each, body, headers)));
  expect(taking.map((each) => each.route)).toContain(route);
  expect(taking.length).toBeLessThanOrEqual(3);
});

test("a registry has a form of its own", () => {
  const endpoint = endpoints.find(({ base, method }) => base === "registry" && method === "GET") as AnyEndpoint;
  const body = '{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}';
  expect(isNotFound(failed(endpoint, body, json))).toBe(true);
});

/** Files that look at the status itself, and why that takes no gateway's 404 for an absence. */
const exceptions: Readonly<Record<string, string>> = {
  "api/failure.ts": "makes the failure",
  "api/unseen-targets.ts": "a list that still has the entry decides",
  "commands/doctor/api/exam.ts": "reports what was answered",
  "commands/doctor/instance.ts": "reports what was answered",
  "commands/doctor/answer.ts": "reports what was answered",
  "commands/errors/keys/rotate.ts": "a list that has the new key decides",
  "commands/registry/list.ts": "explains the error, which stays one",
  "jobs/begun-changes.ts": "provesGone decides; otherwise the outcome is unknown",
};

describe("nothing else goes by the status", () => {
  const names = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.startsWith("sandbox"),
  );
  const isLooking = (name: string) => /[sS]tatus\)? [!=]== 404/.test(readFileSync(join(src, name), "utf8"));

  test("but for the exceptions", () => {
    expect(names.filter(isLooking).sort()).toEqual(Object.keys(exceptions).sort());
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoTokens } from "../../src/sandbox/areas/places/tokens.ts";
import type { Access } from "../../src/sandbox/server/access.ts";
import { ok } from "../../src/sandbox/server/reply.ts";
import type { Area, RouteOptions } from "../../src/sandbox/server/router.ts";
import { type Asking, openWith, type Session } from "./session.ts";

const routes: Record<string, RouteOptions> = {
  "GET /projects/:id/as-guest": { access: { project: "guest" } },
  "GET /projects/:id/as-reporter": { access: { project: "reporter" } },
  "POST /projects/:id/as-maintainer": { access: { project: "maintainer" } },
  "GET /projects/:id/for-all": { access: { project: "guest", public: true } },
  "GET /projects/:id/from-jobs": { access: { project: "guest" }, jobToken: true },
  "GET /projects/:id/files": { access: { project: "guest" }, scopes: ["read_api", "read_repository"] },
  "DELETE /groups/:id/as-owner": { access: { group: "owner" } },
  "GET /groups/:groups_id/for-all": { access: { group: "guest", public: true } },
  "GET /admin": { access: { administrator: true } },
  "GET /anyone": { access: { anonymous: true } },
  "GET /paid": { tier: "premium" },
  "GET /best": { tier: "ultimate" },
  "GET /hosted": { hosting: "hosted" },
  "GET /own": { hosting: "self-managed" },
};

const area: Area = {
  name: "doors",
  routes(router) {
    for (const [route, options] of Object.entries(routes)) {
      router.on(route as "GET /", options as RouteOptions<never, Access>, (call) =>
        ok({ user: call.user?.username ?? null, level: call.level, project: call.project?.id ?? null }),
      );
    }
  },
  jobTokenReaches: (_world, from, to) => from === 7 && to === 1,
};

let session: Session;
beforeAll(async () => {
  session = await openWith(area);
});
afterAll(() => session.sandbox.close());

const roles = ["guest", "planner", "reporter", "developer", "maintainer", "owner", "administrator"] as const;
const callers = [null, "outsider", ...roles] as const;

const statuses = (request: string, asked: readonly Asking["as"][] = callers) =>
  Promise.all(asked.map(async (as) => (await session.ask(request, as === undefined ? {} : { as })).status));

describe("roles", () => {
  // Columns:                        none  out  gue  pla  rep  dev  mai  own  adm
  test.each([
    ["GET /projects/7/as-guest", [401, 403, 200, 200, 200, 200, 200, 200, 200]],
    ["GET /projects/7/as-reporter", [401, 403, 403, 403, 200, 200, 200, 200, 200]],
    ["POST /projects/7/as-maintainer", [401, 403, 403, 403, 403, 403, 200, 200, 200]],
    ["GET /projects/7/for-all", [200, 200, 200, 200, 200, 200, 200, 200, 200]],
    ["GET /projects/4/for-all", [404, 404, 200, 200, 200, 200, 200, 200, 200]],
    ["GET /projects/3/for-all", [404, 200, 200, 200, 200, 200, 200, 200, 200]],
    ["GET /projects/9/for-all", [404, 404, 404, 404, 404, 404, 404, 404, 200]],
    ["POST /projects/9/as-maintainer", [401, 404, 404, 404, 404, 404, 404, 404, 200]],
    ["DELETE /groups/1/as-owner", [401, 403, 403, 403, 403, 403, 403, 200, 200]],
    ["DELETE /groups/acme%2Fplatform%2Finfrastructure/as-owner", [401, 404, 403, 403, 403, 403, 403, 200, 200]],
    ["GET /groups/globex/for-all", [404, 404, 404, 404, 404, 404, 404, 404, 200]],
    ["GET /admin", [401, 403, 403, 403, 403, 403, 403, 403, 200]],
    ["GET /anyone", [200, 200, 200, 200, 200, 200, 200, 200, 200]],
  ])("%s", async (request, expected) => {
    expect(await statuses(request)).toEqual(expected);
  });

  test("a role in a group also applies to the projects below it", async () => {
    const { json } = await session.ask("GET /projects/acme%2Fplatform%2Finfrastructure%2Fterraform/as-guest", {
      as: "maintainer",
    });
    expect(json).toEqual({ user: "mateo.marin", level: 40, project: 5 });
  });
});

describe("names", () => {
  test("a project is found by id, and by encoded path in any case", async () => {
    for (const id of ["7", "acme%2Fstorefront", "ACME%2FStorefront"]) {
      expect((await session.ask(`GET /projects/${id}/for-all`)).json.project).toBe(7);
    }
  });

  test("a path that is not encoded is another route", async () => {
    const answer = await session.ask("GET /projects/acme/storefront/for-all");
    expect([answer.status, answer.json]).toEqual([404, { error: "404 Not Found" }]);
  });

  test("a moved project redirects to the new path, also for writes, and keeps the query", async () => {
    const read = await session.ask("GET /projects/acme%2Fshop/for-all?x=1");
    expect([read.status, read.headers.get("location")]).toEqual([
      301,
      `${session.sandbox.url}/api/v4/projects/7/for-all?x=1`,
    ]);
    const write = await session.ask("POST /projects/acme%2Fshop/as-maintainer");
    expect(write.status).toBe(301);
  });

  test("bodies name what was not found or not allowed", async () => {
    expect((await session.ask("GET /projects/9/for-all", { as: "guest" })).json).toEqual({
      message: "404 Project Not Found",
    });
    expect((await session.ask("GET /groups/999/for-all")).json).toEqual({ message: "404 Group Not Found" });
    expect((await session.ask("GET /admin", { as: "guest" })).json).toEqual({ message: "403 Forbidden" });
    expect((await session.ask("GET /admin", { as: null })).json).toEqual({ message: "401 Unauthorized" });
  });
});

describe("tokens", () => {
  const withHeaders = async (request: string, headers: Record<string, string>) =>
    (await session.ask(request, { as: null, headers })).status;

  test("are sent in PRIVATE-TOKEN or as a bearer", async () => {
    expect(await withHeaders("GET /admin", { authorization: `Bearer ${demoTokens.administrator}` })).toBe(200);
    expect(await withHeaders("GET /admin", { "private-token": demoTokens.administrator })).toBe(200);
  });

  test("that were never issued are refused, even where none is needed", async () => {
    expect(await withHeaders("GET /anyone", { "private-token": "nonsense" })).toBe(401);
    expect(await withHeaders("GET /anyone", { authorization: "Bearer nonsense" })).toBe(401);
  });

  test("that expired or were revoked have their own errors", async () => {
    const expired = await session.ask("GET /anyone", { as: "expired" });
    expect([expired.status, expired.json.error, expired.json.error_description]).toEqual([
      401,
      "invalid_token",
      expect.stringContaining("expired"),
    ]);
    const revoked = await session.ask("GET /anyone", { as: "revoked" });
    expect([revoked.status, revoked.json.error_description]).toEqual([401, expect.stringContaining("revoked")]);
  });

  test("of a blocked user are refused with 403", async () => {
    const answer = await session.ask("GET /anyone", { as: "blocked" });
    expect([answer.status, answer.json.message]).toEqual([403, expect.stringContaining("blocked")]);
  });

  test("with read_api read and do not write", async () => {
    expect((await session.ask("GET /projects/7/as-guest", { as: "readApi" })).status).toBe(200);
    const write = await session.ask("DELETE /groups/1/as-owner", { as: "readApi" });
    expect([write.status, write.json]).toEqual([
      403,
      { error: "insufficient_scope", error_description: expect.any(String), scope: "api" },
    ]);
  });

  test("with a narrower scope read only where it is allowed", async () => {
    expect((await session.ask("GET /projects/7/files", { as: "readRepository" })).status).toBe(200);
    const other = await session.ask("GET /projects/7/as-guest", { as: "readRepository" });
    expect([other.status, other.json.scope]).toEqual([403, "api read_api"]);
  });

  test("of a job work if a route accepts them, as header or parameter, and nowhere else", async () => {
    const header = { "job-token": demoTokens.jobToken };
    expect(await withHeaders("GET /projects/7/from-jobs", header)).toBe(200);
    expect(await withHeaders(`GET /projects/7/from-jobs?job_token=${demoTokens.jobToken}`, {})).toBe(200);
    expect(await withHeaders("GET /projects/7/as-guest", header)).toBe(401);
    expect(await withHeaders(`GET /projects/7/as-guest?job_token=${demoTokens.jobToken}`, {})).toBe(401);
    expect(await withHeaders("GET /projects/7/from-jobs", { "private-token": demoTokens.jobToken })).toBe(401);
  });

  test("of a job access another project only if an area allows it", async () => {
    const header = { "job-token": demoTokens.jobToken };
    expect(await withHeaders("GET /projects/1/from-jobs", header)).toBe(200);
    expect(await withHeaders("GET /projects/2/from-jobs", header)).toBe(403);
  });
});

describe("kinds of instance", () => {
  const seen = async (tier: "free" | "premium" | "ultimate", hosting: "hosted" | "self-managed") => {
    const { sandbox, ask } = await openWith(area, { tier, hosting });
    const found = await Promise.all(["/paid", "/best", "/hosted", "/own"].map((path) => ask(`GET ${path}`)));
    await sandbox.close();
    return found.map((answer) => answer.status);
  };

  test("a route of a tier or kind of hosting does not exist on the others", async () => {
    expect(await seen("free", "self-managed")).toEqual([404, 404, 404, 200]);
    expect(await seen("premium", "hosted")).toEqual([200, 404, 200, 404]);
    expect(await seen("ultimate", "self-managed")).toEqual([200, 200, 404, 200]);
  });

  test("the 404 is the generic one", async () => {
    expect((await session.ask("GET /hosted")).json).toEqual({ message: "404 Not Found" });
  });
});

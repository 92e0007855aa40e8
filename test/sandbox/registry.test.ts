import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoTokens } from "../../src/sandbox/areas/places/tokens.ts";
import { type Asking, openSession, type Session } from "./session.ts";

/** The sandbox's clock, which the tests advance. */
let ahead = 0;
const pass = (ms: number) => {
  ahead += ms;
};
const now = () => new Date(Date.now() + ahead);
const hour = 3_600_000;

let session: Session;
let hosted: Session;
beforeAll(async () => {
  session = await openSession({ now });
  hosted = await openSession({ now, hosting: "hosted" });
});
afterAll(async () => {
  await session.sandbox.close();
  await hosted.sandbox.close();
});

const storefront = "/projects/7/registry/repositories";

async function names(of: Session, repository: string): Promise<string[]> {
  const { json } = await of.ask(`GET ${repository}/tags?per_page=100`);
  return json.map((tag: { name: string }) => tag.name);
}

describe("repositories", () => {
  test("a project's, with tags and their number on request", async () => {
    const { json } = await session.ask(`GET ${storefront}?tags=true&tags_count=true`);
    expect(json.map((row: { path: string }) => row.path)).toEqual([
      "acme/storefront",
      "acme/storefront/worker",
      "acme/storefront/cache",
    ]);
    const host = new URL(session.sandbox.url).host;
    const [first, , empty] = json;
    expect(first).toMatchObject({ id: 12, name: "", project_id: 7, location: `${host}/acme/storefront`, status: null });
    expect(first.tags).toHaveLength(first.tags_count);
    expect(first.tags[0]).toEqual({
      name: first.tags[0].name,
      path: `acme/storefront:${first.tags[0].name}`,
      location: `${host}/acme/storefront:${first.tags[0].name}`,
    });
    expect(empty).toMatchObject({ tags: [], tags_count: 0 });
    expect(first.cleanup_policy_started_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(empty.cleanup_policy_started_at).toBeNull();
    const plain = await session.ask(`GET ${storefront}`);
    expect(Object.keys(plain.json[0])).not.toEqual(expect.arrayContaining(["tags"]));
  });

  test("a group's, without tags, and only those visible to the caller", async () => {
    const mine = await session.ask("GET /groups/acme/registry/repositories?tags=true&tags_count=true");
    const projects = mine.json.map((row: { project_id: number }) => row.project_id);
    expect(new Set(projects)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
    expect(Object.keys(mine.json[0])).not.toEqual(expect.arrayContaining(["tags"]));
    const stranger = await session.ask("GET /groups/acme/registry/repositories", { as: null });
    expect(new Set(stranger.json.map((row: { project_id: number }) => row.project_id))).toEqual(new Set([1, 2, 7]));
  });

  test("one by its ID; its size only on the hosted offering", async () => {
    const { json } = await session.ask("GET /registry/repositories/13?size=true");
    expect(json).toMatchObject({ id: 13, path: "acme/storefront/worker" });
    expect(json).not.toHaveProperty("size");
    expect((await hosted.ask("GET /registry/repositories/13?size=true")).json.size).toBeGreaterThan(1_000_000);
    expect((await session.ask("GET /registry/repositories/99")).status).toBe(404);
    expect((await session.ask("GET /registry/repositories/10", { as: "outsider" })).status).toBe(404);
  });

  test("deletion is scheduled, in progress, and then done", async () => {
    const path = "/projects/8/registry/repositories/9";
    expect((await session.ask(`DELETE ${path}`)).status).toBe(202);
    const status = async () => (await session.ask("GET /registry/repositories/9")).json.status;
    expect(await status()).toBe("delete_scheduled");
    pass(400);
    expect(await status()).toBe("delete_ongoing");
    expect((await session.ask(`DELETE ${path}`)).status).toBe(202);
    pass(600);
    expect((await session.ask("GET /registry/repositories/9")).status).toBe(404);
    expect((await session.ask(`DELETE ${path}`)).status).toBe(404);
  });

  test("a delete is refused if the repository is newer than the client's state", async () => {
    const headers = { "if-unmodified-since": "Wed, 01 Jan 2020 00:00:00 GMT" };
    expect((await session.ask(`DELETE ${storefront}/13`, { headers })).status).toBe(412);
    expect((await session.ask(`DELETE ${storefront}/13/tags/latest`, { headers })).status).toBe(412);
  });
});

describe("access", () => {
  const ask = async (request: string, as: Exclude<Asking["as"], undefined>) => {
    const asJob = { as: null, headers: { "job-token": demoTokens.jobToken } };
    return (await session.ask(request, as === "jobToken" ? asJob : { as })).status;
  };

  test.each([
    ["reporter", `GET ${storefront}`, 200],
    [null, `GET ${storefront}`, 200],
    ["developer", `DELETE ${storefront}/12/tags/v1`, 403],
    ["developer", `DELETE ${storefront}/12`, 403],
    ["developer", `DELETE ${storefront}/12/tags?name_regex_delete=x`, 403],
    ["developer", "PUT /projects/7?container_registry_access_level=private", 403],
    // The registry of project 4 is private, and so is the project.
    ["reporter", "GET /projects/4/registry/repositories", 200],
    ["planner", "GET /projects/4/registry/repositories", 403],
    ["outsider", "GET /projects/4/registry/repositories", 404],
    ["planner", "GET /registry/repositories/6", 404],
    ["reporter", "GET /registry/repositories/6", 200],
    // A job's token belongs to project 7.
    ["jobToken", `GET ${storefront}`, 200],
    ["jobToken", "GET /registry/repositories/12", 200],
    ["jobToken", "GET /registry/repositories/1", 404],
    ["jobToken", "GET /projects/3/registry/repositories", 403],
  ] as const)("%s: %s → %i", async (as, request, status) => {
    expect(await ask(request, as)).toBe(status);
  });

  test("the visibility setting decides", async () => {
    const set = (level: string) =>
      session.ask("PUT /projects/3/", { json: { container_registry_access_level: level } });
    const read = (as: "planner" | "reporter") => ask("GET /projects/3/registry/repositories", as);
    expect(await read("planner")).toBe(200);
    expect((await set("private")).json).toEqual({ id: 3, name: "Gateway", container_registry_access_level: "private" });
    expect([await read("planner"), await read("reporter")]).toEqual([403, 200]);
    await set("disabled");
    expect([await read("planner"), await read("reporter")]).toEqual([404, 404]);
    expect((await set("hidden")).json).toEqual({
      message: { container_registry_access_level: ["does not have a valid value"] },
    });
    await set("enabled");
  });
});

describe("tags", () => {
  test("details; tags of one image share its digest and its time", async () => {
    const get = async (name: string) => (await session.ask(`GET ${storefront}/12/tags/${name}`)).json;
    const [latest, v1, newest, other] = await Promise.all(["latest", "v1", "v1.18.0", "v1.17.0"].map(get));
    expect(latest.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    expect(latest.revision).toMatch(/^[0-9a-f]{64}$/);
    expect(latest.short_revision).toBe(latest.revision.slice(0, 9));
    expect(new Set([latest, v1, newest].map((tag) => tag.digest)).size).toBe(1);
    expect(new Set([latest, v1, newest].map((tag) => tag.created_at)).size).toBe(1);
    expect(other.digest).not.toBe(latest.digest);
    expect(other.created_at < latest.created_at).toBe(true);
  });

  test("one is deleted alone, also latest; then it is not found", async () => {
    expect((await session.ask(`DELETE ${storefront}/13/tags/latest`)).status).toBe(204);
    expect((await session.ask(`DELETE ${storefront}/13/tags/latest`)).status).toBe(404);
    expect(await names(session, `${storefront}/13`)).toContain("v1");
  });

  test("by keyset on the hosted offering: a link continues after the last name, and totals are omitted", async () => {
    const first = await hosted.ask(`GET ${storefront}/12/tags?pagination=keyset&per_page=40`);
    expect(first.json).toHaveLength(40);
    expect(first.headers.get("x-total")).toBeNull();
    const [, next = ""] = /<([^>]*)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
    expect(new URL(next).searchParams.get("last")).toBe(first.json[39].name);
    const second = await hosted.ask(`GET ${next.slice(`${hosted.sandbox.url}/api/v4`.length)}`);
    expect(second.headers.get("link")).toBeNull();
    const all = await names(hosted, `${storefront}/12`);
    expect([...first.json, ...second.json].map((tag) => tag.name)).toEqual(all);
    expect((await session.ask(`GET ${storefront}/12/tags?pagination=keyset`)).status).toBe(405);
  });
});

describe("bulk delete", () => {
  const prune = (of: Session, repository: number, query: Record<string, string>, project = 7) =>
    of.ask(`DELETE /projects/${project}/registry/repositories/${repository}/tags?${new URLSearchParams(query)}`);

  test("runs in the background, once an hour, and never deletes latest", async () => {
    const before = await names(session, `${storefront}/12`);
    const nightly = before.filter((name) => name.startsWith("nightly-"));
    expect(nightly).toHaveLength(14);
    expect((await prune(session, 12, { name_regex_delete: "nightly-.*|latest" })).status).toBe(202);
    expect(await names(session, `${storefront}/12`)).toEqual(before);
    pass(300);
    expect((await names(session, `${storefront}/12`)).length).toBe(before.length - 7);
    pass(500);
    expect(await names(session, `${storefront}/12`)).toEqual(before.filter((name) => !nightly.includes(name)));
    const again = await prune(session, 12, { name_regex_delete: ".*" });
    expect([again.status, again.json.message]).toEqual([
      400,
      "400 Bad request - This request has already been made. It may run at most once an hour for a container repository.",
    ]);
    expect((await prune(session, 13, { name_regex_delete: "nothing" })).status).toBe(202);
    pass(hour);
    expect((await prune(session, 12, { name_regex_delete: "nothing" })).status).toBe(202);
  });

  test("keeps tags by pattern, number, and age; accepts the older name too", async () => {
    const repository = "/projects/12/registry/repositories/11";
    // v1.40.0 is two days old, and every earlier one 20 days older.
    await prune(
      session,
      11,
      { name_regex: "v1\\.\\d+\\.0", name_regex_keep: "v1.3.0", keep_n: "3", older_than: "110 days" },
      12,
    );
    pass(hour);
    const left = (await names(session, repository)).filter((name) => name.startsWith("v1."));
    expect(new Set(left)).toEqual(
      new Set(["v1.3.0", "v1.40.0", "v1.39.0", "v1.38.0", "v1.37.0", "v1.36.0", "v1.35.0"]),
    );
  });

  test("a pattern is anchored only at its ends, even with alternatives", async () => {
    await prune(session, 5, { name_regex_delete: "v1\\.1|0\\.0" }, 3);
    pass(hour);
    const left = await names(session, "/projects/3/registry/repositories/5");
    // `\Av1\.1|0\.0\z`: names that start with v1.1 or end with 0.0.
    expect(left.filter((name) => /^v1\.1|0\.0$/.test(name))).toEqual([]);
    expect(left).toContain("v1.2.0");
  });

  test("is limited on the hosted offering", async () => {
    const repository = "/projects/12/registry/repositories/11";
    const before = await names(hosted, repository);
    for (const rest of [20, 0]) {
      expect((await prune(hosted, 11, { name_regex_delete: "v1\\..*" }, 12)).status).toBe(202);
      pass(hour);
      const left = (await names(hosted, repository)).filter((name) => name.startsWith("v1."));
      expect(left).toHaveLength(rest);
    }
    expect(before.filter((name) => name.startsWith("v1."))).toHaveLength(40);
  });

  test.each([
    [{}, '400 (Bad request) "name_regex_delete" not given'],
    [{ name_regex_delete: "(a" }, { name_regex_delete: ["not valid RE2 syntax: missing closing ): `(a`"] }],
    [{ name_regex: "a(?=b)" }, { name_regex: ["not valid RE2 syntax: invalid or unsupported Perl syntax: `(?=`"] }],
    [{ name_regex_delete: "a", name_regex_keep: "*" }, expect.objectContaining({ name_regex_keep: expect.any(Array) })],
    [{ name_regex_delete: "a", older_than: "3 fortnights" }, { older_than: ["is not a duration"] }],
    [{ name_regex_delete: "a", keep_n: "some" }, { keep_n: ["is invalid"] }],
  ])("refuses %j", async (query, message) => {
    const { status, json } = await prune(session, 14, query as Record<string, string>);
    expect([status, json.message]).toEqual([400, message]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Hooking, openHooking } from "./hooking.ts";
import { openSession, type Session } from "./session.ts";

// What real instances have in addition to the documents; available with and without --as-deployed.

let session: Session;
const ask: Session["ask"] = (...asking) => session.ask(...asking);
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

interface Place {
  readonly id: number;
  readonly path_with_namespace: string;
  readonly full_path: string;
}
const paths = (rows: Place[]) => rows.map((row) => row.path_with_namespace ?? row.full_path);

describe("projects and groups", () => {
  test("are listed if visible to the caller, newest first, in pages", async () => {
    const all = await ask("GET /projects?per_page=100");
    expect(all.json.map(({ id }: Place) => id)).toEqual(Array.from({ length: 18 }, (_, n) => 18 - n));
    const second = await ask("GET /projects?per_page=5&page=2");
    expect([second.json[0].id, second.headers.get("x-total"), second.headers.get("x-next-page")]).toEqual([
      13,
      "18",
      "3",
    ]);
    expect(paths((await ask("GET /projects?search=CLI", { as: "outsider" })).json)).toEqual([
      "open-tools/legacy-cli",
      "open-tools/cli",
    ]);
    expect(paths((await ask("GET /projects", { as: null })).json)).not.toContain("globex/crm");
    const mine = paths((await ask("GET /projects?membership=true&per_page=100", { as: "owner" })).json);
    expect(mine).toContain("acme/platform/billing");
    expect(mine).not.toContain("open-tools/cli");
    expect((await ask("GET /projects?membership=true", { as: "outsider" })).json).toEqual([]);
  });
  test("a group lists its own projects, and with its subgroups those below", async () => {
    const own = paths((await ask("GET /groups/acme/projects")).json);
    expect(own).toEqual(["acme/storefront", "acme/docs", "acme/website"]);
    const below = paths((await ask("GET /groups/1/projects?include_subgroups=true")).json);
    expect(below).toContain("acme/platform/infrastructure/terraform");
    expect((await ask("GET /groups/globex/projects", { as: "outsider" })).status).toBe(404);
  });
  test("groups are found by a part of their name", async () => {
    expect(paths((await ask("GET /groups?search=plug")).json)).toEqual(["open-tools/plugins"]);
    expect(paths((await ask("GET /groups", { as: null })).json)).toEqual([
      "acme",
      "acme/mobile",
      "open-tools",
      "open-tools/plugins",
    ]);
  });
});

test("the instance returns its release, and a token its permissions", async () => {
  expect((await ask("GET /metadata", { as: "readUser" })).json).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    revision: expect.stringMatching(/^[0-9a-f]+$/),
    enterprise: true,
  });
  expect((await ask("GET /metadata", { as: null })).status).toBe(401);
  expect((await ask("GET /personal_access_tokens/self", { as: "readRepository" })).json).toMatchObject({
    id: expect.any(Number),
    name: "Sandbox",
    scopes: ["read_repository"],
    user_id: 4,
    active: true,
    expires_at: null,
  });
  expect((await ask("GET /personal_access_tokens/self", { as: null })).status).toBe(401);
});

test("a job token gets its user, another token does not", async () => {
  const own = await ask("GET /job", { as: null, headers: { "job-token": "sandbox-job-token" } });
  expect(own.json).toMatchObject({
    id: 1001,
    status: "running",
    pipeline: { project_id: 7 },
    user: { username: "dana.dixon" },
  });
  expect((await ask("GET /job", { as: "administrator" })).status).toBe(404);
  expect((await ask("GET /job", { as: null })).status).toBe(401);
});

describe("a hook", () => {
  let hooking: Hooking;
  beforeAll(async () => {
    hooking = await openHooking();
  });
  const run = (request: string, asking = {}) => hooking.session.ask(request, asking);

  test("is tested with the last event", async () => {
    const hook = await hooking.makeHook({ push_events: true });
    const { status, json } = await run(`POST /groups/acme/hooks/${hook}/test/push_events`);
    expect([status, json]).toEqual([201, { message: "201 Created" }]);
    const [delivery] = await hooking.deliveries(hook);
    expect(delivery).toMatchObject({ trigger: "push_hooks", response_status: "200" });
    expect((await run(`POST /groups/acme/hooks/${hook}/test/nonsense_events`)).status).toBe(400);
    const elsewhere = await hooking.makeHook({ url: "http://198.51.100.7/in" });
    const failed = await run(`POST /groups/acme/hooks/${elsewhere}/test/note_events`);
    expect([failed.status, failed.json.message]).toEqual([422, expect.any(String)]);
    const none = await run(`POST /groups/acme/hooks/${hook}/test/releases_events`);
    expect(none.status).toBe(422);
  });
  test("loses one header, and is deleted with its deliveries", async () => {
    const custom_headers = [
      { key: "X-A", value: "1" },
      { key: "X-B", value: "2" },
    ];
    const hook = await hooking.makeHook({ custom_headers });
    expect((await run(`DELETE /groups/acme/hooks/${hook}/custom_headers/X-A`)).status).toBe(204);
    expect((await run(`DELETE /groups/acme/hooks/${hook}/custom_headers/X-A`)).status).toBe(404);
    expect((await run(`GET /groups/acme/hooks/${hook}`)).json.custom_headers).toEqual([{ key: "X-B" }]);
    expect((await run(`DELETE /groups/globex/hooks/${hook}`)).status).toBe(404);
    expect((await run(`DELETE /groups/acme/hooks/${hook}`)).status).toBe(204);
    expect((await run(`GET /groups/acme/hooks/${hook}`)).status).toBe(404);
  });
});

describe("discussions of merge requests", () => {
  const base = "/projects/7/merge_requests/19/discussions";
  test("are started, answered, changed, resolved, and reopened", async () => {
    const begun = await ask(`POST ${base}`, { as: "reporter", json: { body: "Why?" } });
    expect([begun.status, begun.json]).toMatchObject([
      201,
      { individual_note: false, notes: [{ body: "Why?", resolvable: true, resolved: false }] },
    ]);
    const at = `${base}/${begun.json.id}`;
    const reply = await ask(`POST ${at}/notes`, { as: "developer", json: { body: "Because." } });
    expect(reply.status).toBe(201);
    const note = `${at}/notes/${reply.json.id}`;
    expect((await ask(`PUT ${note}`, { as: "developer", json: { body: "See the issue." } })).json.body).toBe(
      "See the issue.",
    );
    expect((await ask(`PUT ${at}`, { as: "guest", json: { resolved: true } })).status).toBe(403);
    const resolved = await ask(`PUT ${at}?resolved=true`, { as: "developer" });
    expect(resolved.json.notes.map((each: { resolved: boolean }) => each.resolved)).toEqual([true, true]);
    expect((await ask(`PUT ${at}?resolved=false`, { as: "reporter" })).json.notes[0].resolved).toBe(false);
    expect((await ask(`DELETE ${note}`, { as: "developer" })).status).toBe(204);
    expect((await ask(`GET ${at}`)).json.notes).toHaveLength(1);
    const listed = (await ask(`GET ${base}?per_page=100`)).json.map(({ id }: { id: string }) => id);
    expect(listed).toContain(begun.json.id);
  });
  test("a single comment cannot be resolved", async () => {
    const found = (await ask(`GET ${base}?per_page=100`)).json.find(
      (each: { individual_note: boolean }) => each.individual_note,
    );
    expect((await ask(`PUT ${base}/${found.id}?resolved=true`)).status).toBe(400);
  });
});

test("notes are comments of users, system notes, or both", async () => {
  const list = async (filter: string) => (await ask(`GET /projects/7/issues/28/notes?activity_filter=${filter}`)).json;
  const [all, comments, history] = [await list("all_notes"), await list("only_comments"), await list("only_activity")];
  expect(comments.length).toBeGreaterThan(0);
  expect(history.length).toBeGreaterThan(0);
  expect(all).toHaveLength(comments.length + history.length);
  expect(history.every((note: { system: boolean }) => note.system)).toBe(true);
  expect((await ask("GET /projects/7/issues/28/notes?activity_filter=some")).status).toBe(400);
});

test("SAML links with the same name are distinguished by their provider", async () => {
  const base = "/groups/initech/saml_group_links";
  for (const provider of ["saml", "saml-eu"]) {
    const { status, json } = await ask(`POST ${base}`, {
      json: { saml_group_name: "Staff", access_level: 30, provider },
    });
    expect([status, json.provider]).toEqual([201, provider]);
  }
  expect((await ask(`GET ${base}/Staff`)).status).toBe(422);
  expect((await ask(`GET ${base}/Staff?provider=saml-eu`)).json.provider).toBe("saml-eu");
  expect((await ask(`DELETE ${base}/Staff`)).status).toBe(422);
  expect((await ask(`DELETE ${base}/Staff?provider=saml`)).status).toBe(204);
  expect((await ask(`GET ${base}/Staff`)).json.provider).toBe("saml-eu");
});

test("artifacts are searched in earlier pipelines", async () => {
  const rows = (table: string) => (session.sandbox.store.tables().get(table)?.all() ?? []) as unknown[];
  const pipelines = rows("pipelines") as {
    id: number;
    project_id: number;
    parent_id: number | null;
    ref: string;
    status: string;
    created_at: string;
  }[];
  const jobs = rows("jobs") as { id: number; pipeline_id: number; name: string; artifacts: object | null }[];
  const [latest, before] = pipelines
    .filter((one) => one.project_id === 7 && one.ref === "main" && one.status === "success" && one.parent_id === null)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const name = jobs.find((one) => one.pipeline_id === before?.id && one.artifacts !== null)?.name ?? "";
  const url = `/projects/7/jobs/artifacts/main/download?job=${name}`;
  const family = pipelines.filter((one) => one.id === latest?.id || one.parent_id === latest?.id).map(({ id }) => id);
  for (const job of jobs.filter((one) => one.name === name && family.includes(one.pipeline_id) && one.artifacts)) {
    await ask(`DELETE /projects/7/jobs/${job.id}/artifacts`);
  }
  expect((await ask(`GET ${url}`)).status).toBe(404);
  expect((await ask(`GET ${url}&search_recent_successful_pipelines=true`)).status).toBe(200);
});

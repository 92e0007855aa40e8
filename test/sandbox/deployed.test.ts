import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import { openSession, type Session } from "./session.ts";

// Answers of real instances that differ from the documents.

let session: Session;
let hosted: Session;
let now = Date.parse("2026-03-01T12:00:00.000Z");
const ask: Session["ask"] = (...asking) => session.ask(...asking);
beforeAll(async () => {
  session = await openSession({ asDeployed: true, offsetLimit: 100, now: () => new Date(now) });
  hosted = await openSession({ asDeployed: true, hosting: "hosted" });
});
afterAll(() => Promise.all([session.sandbox.close(), hosted.sandbox.close()]));

const put = (json: unknown) => ask("PUT /application/settings", { json });

describe("lists", () => {
  test("of identities and links have no pages", async () => {
    const lists: [Session, string][] = [
      [hosted, "/groups/acme/saml/identities"],
      [hosted, "/groups/acme/scim/identities"],
      [session, "/groups/acme/saml_group_links"],
      [session, "/groups/acme/ldap_group_links"],
    ];
    for (const [from, path] of lists) {
      const whole = await from.ask(`GET ${path}`);
      const paged = await from.ask(`GET ${path}?page=2&per_page=1`);
      expect([path, paged.json]).toEqual([path, whole.json]);
      expect(paged.json.length).toBeGreaterThan(1);
      const sent = [...paged.headers.keys()].filter(
        (name) => name === "link" || /^x-(next|prev|total|page|per)/.test(name),
      );
      expect([path, sent]).toEqual([path, []]);
    }
  });
  test("end at a number of rows", async () => {
    expect((await ask("GET /users?per_page=20&page=5")).status).toBe(200);
    const beyond = await ask("GET /users?per_page=20&page=6");
    expect([beyond.status, beyond.json.error]).toEqual([405, expect.stringMatching(/maximum allowed offset of 100/)]);
    expect((await ask("GET /users?pagination=keyset&order_by=id&per_page=100")).status).toBe(200);
  });
  test("of LDAP links that are empty are a 404 with a message", async () => {
    const { status, json } = await ask("GET /groups/initech/ldap_group_links");
    expect([status, json]).toEqual([404, { message: "No linked LDAP groups found" }]);
  });
  test("of users ignore administrator filters of other users", async () => {
    const filtered = await ask("GET /users?created_after=2030-01-01&sort=asc", { as: "developer" });
    const all = await ask("GET /users", { as: "developer" });
    expect([filtered.status, filtered.json]).toEqual([200, all.json]);
    expect((await ask("GET /users?created_after=2030-01-01")).json).toEqual([]);
    expect((await ask("GET /users?extern_uid=a&provider=b", { as: "developer" })).status).toBe(403);
  });
  test("of a job token's projects start with the project itself", async () => {
    expect((await ask("GET /projects/7/job_token_scope/allowlist")).json[0].id).toBe(7);
  });
});

describe("settings", () => {
  test("return secrets, also those not in the documents", async () => {
    await put({ spam_check_api_key: "s3cret" });
    expect((await ask("GET /application/settings")).json).toMatchObject({
      spam_check_api_key: "s3cret",
      mailgun_signing_key: expect.any(String),
      external_auth_client_key: expect.any(String),
      arkose_labs_private_api_key: expect.any(String),
      vertex_ai_credentials: expect.any(String),
      product_analytics_configurator_connection_string: expect.any(String),
      codesearch_url: expect.stringMatching(/^https:\/\/\w+:[\w-]+@/),
    });
  });
  test("with unknown names are ignored, and if all are unknown, a 400 lists the names", async () => {
    const some = await put({ no_such_setting: 1, max_import_size: 5 });
    expect([some.status, some.json.max_import_size]).toEqual([200, 5]);
    const none = await put({ no_such_setting: 1 });
    expect([none.status, none.json.error]).toEqual([
      400,
      expect.stringMatching(/signup_enabled.* are missing, at least one/),
    ]);
    expect(none.text.length).toBeGreaterThan(5000);
  });
  test("require dependent settings in the request, even if empty, and stored ones do not count", async () => {
    await put({ spamsvc_api_key: "s3cret" });
    const missing = await put({ spamsvc_enabled: true });
    expect([missing.status, missing.json]).toEqual([400, { error: "spamsvc_api_key is missing" }]);
    expect((await put({ spamsvc_enabled: true, spamsvc_api_key: "" })).status).toBe(200);
    expect((await put({ shared_runners_enabled: true, shared_runners_text: "" })).status).toBe(200);
  });
});

describe("error tracking", () => {
  const settings = "/projects/7/error_tracking/settings";
  test("a refused change is a 200 with an error", async () => {
    const refused = { status: "error", message: expect.stringContaining("required field"), http_status: 422 };
    for (const method of ["PUT", "PATCH"]) {
      const { status, json } = await ask(`${method} ${settings}`, { json: { active: true, integrated: false } });
      expect([status, json]).toEqual([200, refused]);
    }
    expect((await ask(`GET ${settings}`)).json.integrated).toBe(true);
    expect((await ask(`PUT ${settings}`, { json: { active: false, integrated: true } })).json.active).toBe(false);
  });
  test("PUT is a 404 while the feature is off, and keys have another name for their address", async () => {
    const off = await ask("PUT /projects/1/error_tracking/settings", { json: { active: true, integrated: true } });
    expect([off.status, off.json]).toEqual([404, { message: "404 Not Found" }]);
    const [key] = (await ask("GET /projects/7/error_tracking/client_keys")).json;
    expect(key).toMatchObject({ sentry_dsn: expect.stringContaining(key.public_key) });
    expect(key).not.toHaveProperty("tracker_dsn");
  });
});

describe("files", () => {
  const at = (path: string) => `/projects/7/repository/files/${path}`;
  const commit = { branch: "main", commit_message: "Try", content: "x" };
  const reason = async (request: string, json: object, as: "administrator" | "developer" = "administrator") => {
    const answer = await ask(request, { json, as });
    return [answer.status, answer.json.message ?? answer.json.error];
  };
  test("a failed commit has a reason", async () => {
    expect(await reason(`POST ${at("new.md")}`, commit, "developer")).toEqual([
      400,
      "You are not allowed to push into this branch",
    ]);
    expect(await reason(`POST ${at("README.md")}`, commit)).toEqual([400, "A file with this name already exists"]);
    expect(await reason(`PUT ${at("none.md")}`, commit)).toEqual([400, "A file with this name doesn't exist"]);
    expect(await reason(`DELETE ${at("none.md")}`, commit)).toEqual([400, "A file with this name doesn't exist"]);
    expect(await reason(`POST ${at("a.md")}`, { ...commit, branch: "none" })).toEqual([
      400,
      "You can only create or edit files when you are on a branch",
    ]);
    expect(await reason(`POST ${at("a.md")}`, { ...commit, start_branch: "none" })).toEqual([
      400,
      "A branch called 'main' already exists. Switch to that branch in order to make changes",
    ]);
    const { last_commit_id } = (await ask(`GET ${at("README.md?ref=v1.0.0")}`)).json;
    expect(await reason(`PUT ${at("README.md")}`, { ...commit, last_commit_id })).toEqual([
      400,
      "You are attempting to update a file that has changed since you started editing it.",
    ]);
    expect(await reason(`PUT ${at("README.md")}`, { ...commit, commit_message: "sandbox-race" })).toEqual([
      400,
      "Could not update refs/heads/main. Please refresh and try again.",
    ]);
    expect(await reason(`POST ${at("..%2Fa")}`, commit)).toEqual([400, "file_path should be a valid file path"]);
  });
  test("an update passes a last_commit_id of no commit", async () => {
    const json = { ...commit, content: "other", last_commit_id: "0".repeat(40) };
    expect((await ask(`PUT ${at("README.md")}`, { json })).status).toBe(200);
  });
  test("a delete ignores last_commit_id", async () => {
    expect((await ask(`POST ${at("gone.md")}`, { json: commit })).status).toBe(201);
    const json = { ...commit, last_commit_id: "0".repeat(40) };
    expect((await ask(`DELETE ${at("gone.md")}`, { json })).status).toBe(204);
  });
});

test("the archive of a group can be requested once per minute, and a 429 has no time", async () => {
  const look = () => ask("GET /groups/acme/export/download", { as: "owner" });
  expect((await look()).status).toBe(200);
  const again = await look();
  expect([again.status, again.headers.get("retry-after"), again.json.message.error]).toEqual([
    429,
    null,
    expect.stringMatching(/too many times/),
  ]);
  now += 60_001;
  expect((await look()).status).toBe(200);
});

describe("a hook", () => {
  test("loses token and headers with its URL, and otherwise merges headers by key", async () => {
    const receiver = await startReceiver();
    const url = `${receiver.url}/a`;
    const header = (key: string, value: string) => ({ key, value });
    const made = await ask("POST /groups/acme/hooks", {
      json: { url, token: "s3cret", custom_headers: [header("X-A", "1"), header("X-B", "2")] },
    });
    const at = `/groups/acme/hooks/${made.json.id}`;
    const merged = await ask(`PUT ${at}`, { json: { url, custom_headers: [header("X-B", "3"), header("X-C", "4")] } });
    expect(merged.json.custom_headers).toEqual([{ key: "X-A" }, { key: "X-B" }, { key: "X-C" }]);
    const test = async () => {
      expect((await ask(`POST ${at}/test/push_events`)).status).toBe(201);
      return receiver.received.at(-1)?.headers;
    };
    expect(await test()).toMatchObject({ "x-service-token": "s3cret", "x-b": "3" });
    const moved = await ask(`PUT ${at}`, { json: { url: `${receiver.url}/b`, custom_headers: [header("X-D", "5")] } });
    expect(moved.json.custom_headers).toEqual([]);
    expect(await test()).not.toHaveProperty("x-service-token");
  });
});

test("changes of a job token's lists accept only a number", async () => {
  const path = "/projects/acme%2Fstorefront/job_token_scope";
  const writes: [string, object?][] = [
    [`POST ${path}/allowlist`, { target_project_id: 2 }],
    [`DELETE ${path}/allowlist/1`],
    [`POST ${path}/groups_allowlist`, { target_group_id: 5 }],
    [`DELETE ${path}/groups_allowlist/4`],
  ];
  for (const [request, json] of writes) {
    const { status, json: body } = await ask(request, json && { json });
    expect([request, status, body]).toEqual([request, 400, { error: "id is invalid" }]);
  }
  expect((await ask(`GET ${path}/allowlist`)).status).toBe(200);
  expect(
    (await ask("POST /projects/7/job_token_scope/allowlist", { json: { target_project_id: "acme/docs" } })).status,
  ).toBe(400);
});

test("relations are a 404 until direct transfer is on, and a single one is an object", async () => {
  const base = "/projects/3/export_relations";
  for (const request of [`POST ${base}`, `GET ${base}/status`, `GET ${base}/download?relation=labels`]) {
    const { status, json } = await ask(request);
    expect([request, status, json]).toEqual([request, 404, { message: "404 Not Found" }]);
  }
  await put({ bulk_import_enabled: true });
  expect((await ask(`GET ${base}/status?relation=labels`)).json).toMatchObject({ relation: "labels", status: 1 });
  const all = await ask(`GET ${base}/status?per_page=1`);
  expect(all.json.length).toBeGreaterThan(1);
  expect(all.headers.get("x-page")).toBeNull();
});

test("SAML links are a 401 if a permission or the group is missing", async () => {
  for (const [group, as] of [
    ["acme", "developer"],
    ["none", "owner"],
    ["globex", "outsider"],
  ] as const) {
    const { status, json } = await ask(`GET /groups/${group}/saml_group_links`, { as });
    expect([group, status, json]).toEqual([group, 401, { message: "401 Unauthorized" }]);
  }
  const none = await hosted.ask("GET /groups/initech/saml/identities");
  expect([none.status, none.json]).toEqual([400, { message: "400 Bad request" }]);
});

test("some paths may not contain a dot", async () => {
  expect((await ask("GET /users/dana.dixon/events")).json).toEqual({ error: "404 Not Found" });
  expect((await ask("GET /users/4/events")).status).toBe(200);
  expect((await ask("DELETE /groups/acme/ldap_group_links/ldapmain/a.b.c")).json).toEqual({ error: "404 Not Found" });
  expect((await ask("GET /groups/acme/saml_group_links/Team.A.B")).json).toEqual({ error: "404 Not Found" });
});

test("in others a name ends at its dot", async () => {
  expect((await ask("GET /groups/acme/saml_group_links/Engineering.A")).json).toMatchObject({ name: "Engineering" });
  expect((await ask("DELETE /groups/acme/ldap_group_links/ldapmain/engineering.b")).status).toBe(204);
  expect((await ask("DELETE /groups/acme/ldap_group_links/ldapmain/engineering")).status).toBe(404);
});

test("a job without artifacts is named by its printed object", async () => {
  const jobs = session.sandbox.store.tables().get("jobs")?.all() as unknown as {
    id: number;
    project_id: number;
    artifacts: unknown;
  }[];
  const bare = jobs.find(({ project_id, artifacts }) => project_id === 7 && artifacts === null);
  const { status, json } = await ask(`POST /projects/7/jobs/${bare?.id}/artifacts/keep`);
  expect([status, json.message]).toEqual([404, expect.stringMatching(/^404 #<.*> Not Found$/)]);
});

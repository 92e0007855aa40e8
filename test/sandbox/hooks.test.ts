import { beforeAll, describe, expect, test } from "vitest";
import { type Hooking, openHooking } from "./hooking.ts";
import { openSession } from "./session.ts";

/** The event flags in the document's words. */
const flags = (
  "push_events tag_push_events merge_requests_events repository_update_events issues_events " +
  "confidential_issues_events note_events confidential_note_events pipeline_events wiki_page_events job_events " +
  "deployment_events feature_flag_events releases_events subgroup_events emoji_events " +
  "resource_access_token_events member_events"
).split(" ");

let hooking: Hooking;
beforeAll(async () => {
  hooking = await openHooking();
});

const asOwner = (request: string, json?: unknown) => hooking.session.ask(request, { as: "owner", json });

describe("access", () => {
  test.each([
    ["administrator", 200],
    ["owner", 200],
    ["maintainer", 403],
    ["guest", 403],
    ["outsider", 403],
    ["jobToken", 401],
    [null, 401],
  ] as const)("%s: %i", async (as, status) => {
    expect((await hooking.session.ask("GET /groups/acme/hooks", { as })).status).toBe(status);
  });

  test("a hidden group is not found", async () => {
    expect((await hooking.session.ask("GET /groups/globex/hooks", { as: "developer" })).status).toBe(404);
    expect((await hooking.session.ask("GET /groups/globex/hooks")).json).toHaveLength(1);
  });

  test("it requires Premium", async () => {
    const free = await openSession({ tier: "free" });
    expect((await free.ask("GET /groups/acme/hooks")).status).toBe(404);
    await free.sandbox.close();
  });
});

describe("the demo data", () => {
  test("two hooks with a week of history, one without, all as documented", async () => {
    const { json } = await asOwner("GET /groups/acme/hooks");
    expect(json[1]).toEqual({
      id: 2,
      url: "https://deploys.acme.example/webhook",
      name: "Deploys",
      description: "Starts a deployment when main or a tag is pushed.",
      created_at: "2025-07-25T00:00:00.000Z",
      group_id: 1,
      ...Object.fromEntries(flags.map((flag) => [flag, flag === "push_events" || flag === "tag_push_events"])),
      push_events_branch_filter: "main",
      branch_filter_strategy: "wildcard",
      enable_ssl_verification: true,
      alert_status: "temporarily_disabled",
      disabled_until: "2026-03-04T15:00:00.000Z",
      url_variables: [],
      custom_webhook_template: "",
      custom_headers: [{ key: "X-Deploy-Key" }],
    });
    const totals = await Promise.all(
      [1, 2, 3].map(async (id) =>
        (await hooking.session.ask(`GET /groups/acme/hooks/${id}/events`)).headers.get("x-total"),
      ),
    );
    expect(totals).toEqual(["66", "50", "0"]);
    expect(json[0].url_variables).toEqual([{ key: "channel" }]);
  });

  test("succeeded and failed, and resends are recognizable by their event", async () => {
    const count = async (status: string) =>
      Number((await hooking.session.ask(`GET /groups/acme/hooks/2/events?status=${status}`)).headers.get("x-total"));
    expect(await count("successful")).toBe(33);
    expect(await count("client_failure")).toBe(5);
    expect(await count("server_failure")).toBe(9);
    expect(await count("503")).toBe(3);
    const all = (await Promise.all([1, 2, 3].map((page) => hooking.deliveries(2, `?page=${page}`)))).flat();
    const failed = all.filter((row) => row.response_status === "503").at(-1);
    const same = all.filter(
      (row) => row.request_headers["X-Service-Event-UUID"] === failed.request_headers["X-Service-Event-UUID"],
    );
    expect(same.map((row) => row.response_status)).toEqual(["202", "503"]);
    expect(same[0].request_data).toEqual(same[1].request_data);
    expect(failed.request_headers).toMatchObject({ "X-Service-Token": "[REDACTED]", "X-Deploy-Key": "[REDACTED]" });
  });
});

describe("a hook", () => {
  test("is created with the given values, and shows no secret", async () => {
    const { status, json } = await asOwner("POST /groups/1/hooks", {
      url: "https://hooks.example.com/in",
      name: "CI",
      token: "hush",
      note_events: true,
      custom_headers: [{ key: "X-Key", value: "hush" }],
      custom_webhook_template: '{"a":1}',
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      name: "CI",
      push_events: true,
      note_events: true,
      issues_events: false,
      branch_filter_strategy: "wildcard",
      enable_ssl_verification: true,
      alert_status: "executable",
      disabled_until: null,
      custom_headers: [{ key: "X-Key" }],
    });
    expect(JSON.stringify(json)).not.toContain("hush");
    expect((await asOwner(`GET /groups/acme/hooks/${json.id}`)).json).toEqual(json);
  });

  test("keeps values that a change does not include", async () => {
    const id = await hooking.makeHook({
      name: "Before",
      note_events: true,
      custom_headers: [{ key: "A", value: "1" }],
    });
    const put = (json: object) => asOwner(`PUT /groups/acme/hooks/${id}`, json);
    expect((await put({ name: "After" })).json).toEqual({ message: '400 (Bad request) "url" not given' });
    const { status, json } = await put({
      url: hooking.receiver.url,
      name: "After",
      custom_headers: [{ key: "B", value: "2" }],
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: "After", note_events: true, custom_headers: [{ key: "B" }] });
  });

  test("belongs to its own group", async () => {
    expect((await hooking.session.ask("GET /groups/globex/hooks/1")).status).toBe(404);
    expect((await hooking.session.ask("GET /groups/acme%2Fplatform/hooks/1")).json).toEqual({
      message: "404 Hook Not Found",
    });
    expect((await hooking.session.ask("DELETE /groups/globex/hooks/1")).status).toBe(404);
  });

  test.each([
    [{}, '400 (Bad request) "url" not given'],
    [{ url: "hooks.example.com" }, { url: ["is invalid"] }],
    [{ url: "ftp://hooks.example.com" }, { url: ["is blocked: Only allowed schemes are http, https"] }],
    [{ url: "http://10.1.2.3/in" }, { url: ["is blocked: Requests to the local network are not allowed"] }],
    [{ url: "https://a.example", name: "x".repeat(256) }, { name: ["is too long (maximum is 255 characters)"] }],
    [{ url: "https://a.example", push_events: "maybe" }, { push_events: ["is invalid"] }],
    [
      { url: "https://a.example", branch_filter_strategy: "glob" },
      { branch_filter_strategy: ["does not have a valid value"] },
    ],
    [
      { url: "https://a.example", branch_filter_strategy: "regex", push_events_branch_filter: "(" },
      { push_events_branch_filter: ["is not a valid regular expression"] },
    ],
    [
      { url: "https://a.example", custom_headers: [{ key: "A", value: "x\r\nB: y" }] },
      { custom_headers: ["A is not a valid header"] },
    ],
    [
      { url: "https://a.example", custom_headers: [{ key: "A" }] },
      '400 (Bad request) "custom_headers[value]" not given',
    ],
  ])("%j is refused", async (json, message) => {
    const answer = await asOwner("POST /groups/acme/hooks", json);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ message });
  });

  test("may have a host whose name begins like an address of the local network", async () => {
    for (const host of ["10.example", "192.168.1.example"]) {
      expect((await asOwner("POST /groups/acme/hooks", { url: `https://${host}/in` })).status).toBe(201);
    }
  });

  test("may use the local network after a setting allows it", async () => {
    const name = "allow_local_requests_from_web_hooks_and_services";
    await hooking.session.ask("PUT /application/settings", { json: { [name]: true } });
    expect((await asOwner("POST /groups/acme/hooks", { url: "http://10.1.2.3/in" })).status).toBe(201);
    await hooking.session.ask("PUT /application/settings", { json: { [name]: false } });
  });
});

describe("the history", () => {
  test("goes back seven days, newest first, 20 per page at most", async () => {
    const first = await hooking.deliveries(1);
    expect(first).toHaveLength(20);
    expect(Object.keys(first[0]).sort()).toEqual(
      [
        ...["id", "url", "trigger", "request_headers", "request_data", "response_headers", "response_body"],
        ...["execution_duration", "response_status"],
      ].sort(),
    );
    expect(first[0].id).toBeGreaterThan(first[19].id);
    const large = await hooking.session.ask("GET /groups/acme/hooks/1/events?per_page=21");
    expect(large.status).toBe(400);
    expect(large.json).toEqual({ message: { per_page: ["must be less than or equal to 20"] } });
    const before = hooking.now;
    hooking.now = new Date("2026-03-08T10:00:00.000Z");
    const later = Number(
      (await hooking.session.ask("GET /groups/acme/hooks/1/events?status=200")).headers.get("x-total"),
    );
    hooking.now = before;
    expect(later).toBeGreaterThan(0);
    expect(later).toBeLessThan(62);
  });

  test("accepts a code or a category, and nothing else", async () => {
    const rows = await hooking.deliveries(1, "?status=client_failure");
    expect(rows.map((row: { response_status: string }) => row.response_status)).toEqual(["429", "404", "404", "404"]);
    expect(await hooking.deliveries(1, "?status=404")).toHaveLength(3);
    for (const status of ["nope", "99", "toString"]) {
      expect((await hooking.session.ask(`GET /groups/acme/hooks/1/events?status=${status}`)).status).toBe(400);
    }
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { areas } from "../../src/sandbox/areas.ts";
import { anyHash } from "../../src/sandbox/params.ts";
import { ok } from "../../src/sandbox/reply.ts";
import type { Area } from "../../src/sandbox/router.ts";
import type { NewEvent } from "../../src/sandbox/world.ts";
import { startReceiver } from "../support/receiver.ts";
import { openSession, openWith, type Session } from "./session.ts";

/** Makes anything happen: what any area records, hooks are told of. */
const happenings: Area = {
  name: "happenings",
  routes(router) {
    router.on("POST /happen", { params: { event: anyHash() } }, ({ world, user, params }) =>
      ok(world.record({ author_id: user.id, action_name: "pushed", ...params.event } as NewEvent)),
    );
  },
};

/** The event flags in the document's words. */
const flags = (
  "push_events tag_push_events merge_requests_events repository_update_events issues_events " +
  "confidential_issues_events note_events confidential_note_events pipeline_events wiki_page_events job_events " +
  "deployment_events feature_flag_events releases_events subgroup_events emoji_events " +
  "resource_access_token_events member_events"
).split(" ");

let now = new Date("2026-03-04T10:00:00.000Z");
let session: Session;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  session = await openWith(happenings, { now: () => now }, areas);
  receiver = await startReceiver();
});
afterAll(() => session.sandbox.close());

const asOwner = (request: string, json?: unknown) => session.ask(request, { as: "owner", json });

/** Makes a hook, in acme unless said. */
async function makeHook(values: object, group = "acme"): Promise<number> {
  const { status, text, json } = await session.ask(`POST /groups/${encodeURIComponent(group)}/hooks`, {
    json: { url: receiver.url, push_events: false, ...values },
  });
  expect(status, text).toBe(201);
  return json.id;
}

/** Pushes to a project, the storefront unless said. */
const push = (ref: string, more: object = {}, project_id = 7) =>
  session.ask("POST /happen", {
    as: "developer",
    json: {
      event: {
        project_id,
        push_data: {
          commit_count: 1,
          action: "pushed",
          ref_type: "branch",
          commit_from: "a".repeat(40),
          commit_to: "b".repeat(40),
          ref,
          commit_title: "Fix the cart",
          ...more,
        },
      },
    },
  });

async function deliveries(hook: number, query = "") {
  const { status, json, text } = await session.ask(`GET /groups/acme/hooks/${hook}/events${query}`);
  expect(status, text).toBe(200);
  return json;
}

describe("who may", () => {
  test.each([
    ["administrator", 200],
    ["owner", 200],
    ["maintainer", 403],
    ["guest", 403],
    ["outsider", 403],
    ["jobToken", 401],
    [null, 401],
  ] as const)("%s: %i", async (as, status) => {
    expect((await session.ask("GET /groups/acme/hooks", { as })).status).toBe(status);
  });

  test("a group that is not to be seen is not there", async () => {
    expect((await session.ask("GET /groups/globex/hooks", { as: "developer" })).status).toBe(404);
    expect((await session.ask("GET /groups/globex/hooks")).json).toHaveLength(1);
  });

  test("it takes Premium", async () => {
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
      [1, 2, 3].map(async (id) => (await session.ask(`GET /groups/acme/hooks/${id}/events`)).headers.get("x-total")),
    );
    expect(totals).toEqual(["66", "50", "0"]);
    expect(json[0].url_variables).toEqual([{ key: "channel" }]);
  });

  test("went well and badly, and what was sent again is told by its event", async () => {
    const count = async (status: string) =>
      Number((await session.ask(`GET /groups/acme/hooks/2/events?status=${status}`)).headers.get("x-total"));
    expect(await count("successful")).toBe(33);
    expect(await count("client_failure")).toBe(5);
    expect(await count("server_failure")).toBe(9);
    expect(await count("503")).toBe(3);
    const all = (await Promise.all([1, 2, 3].map((page) => deliveries(2, `?page=${page}`)))).flat();
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
  test("is made with what was given, and shows no secret", async () => {
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

  test("keeps on a change what was not given", async () => {
    const id = await makeHook({ name: "Before", note_events: true, custom_headers: [{ key: "A", value: "1" }] });
    const put = (json: object) => asOwner(`PUT /groups/acme/hooks/${id}`, json);
    expect((await put({ name: "After" })).json).toEqual({ message: '400 (Bad request) "url" not given' });
    const { status, json } = await put({
      url: receiver.url,
      name: "After",
      custom_headers: [{ key: "B", value: "2" }],
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: "After", note_events: true, custom_headers: [{ key: "B" }] });
  });

  test("is of its own group, and cannot be deleted", async () => {
    expect((await session.ask("GET /groups/globex/hooks/1")).status).toBe(404);
    expect((await session.ask("GET /groups/acme%2Fplatform/hooks/1")).json).toEqual({ message: "404 Hook Not Found" });
    expect((await session.ask("DELETE /groups/acme/hooks/1")).status).toBe(405);
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

  test("may lead into the local network once a setting says so", async () => {
    const name = "allow_local_requests_from_web_hooks_and_services";
    await session.ask("PUT /application/settings", { json: { [name]: true } });
    expect((await asOwner("POST /groups/acme/hooks", { url: "http://10.1.2.3/in" })).status).toBe(201);
    await session.ask("PUT /application/settings", { json: { [name]: false } });
  });
});

describe("a delivery", () => {
  test("comes when something happens below the group, with the documented headers and fields", async () => {
    const id = await makeHook({
      url: `${receiver.url}/in?a=b`,
      push_events: true,
      token: "s3cret",
      custom_headers: [{ key: "X-Team", value: "blue" }],
    });
    const before = receiver.received.length;
    // Terraform is two groups further down.
    await push("main", {}, 5);
    const [request] = (await receiver.wait(before + 1)).slice(before);
    expect(request).toMatchObject({ method: "POST", url: "/in?a=b" });
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "forgectl-sandbox",
      "x-service-event": "Push Hook",
      "x-service-instance": session.sandbox.url,
      "x-service-token": "s3cret",
      "x-team": "blue",
    });
    for (const name of ["idempotency-key", "x-service-webhook-uuid", "x-service-event-uuid"]) {
      expect(request?.headers[name]).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    }
    const body = JSON.parse(request?.body ?? "");
    expect(Object.keys(body)).toEqual(
      (
        "object_kind event_name before after ref ref_protected checkout_sha message user_id user_name user_username " +
        "user_email user_avatar project_id project commits total_commits_count push_options repository"
      ).split(" "),
    );
    expect(body).toMatchObject({
      object_kind: "push",
      ref: "refs/heads/main",
      ref_protected: true,
      before: "a".repeat(40),
      user_username: "dana.dixon",
      project: { path_with_namespace: "acme/platform/infrastructure/terraform" },
      commits: [{ id: "b".repeat(40), title: "Fix the cart", author: { name: "Dana Dixon" } }],
      total_commits_count: 1,
    });
    await expect.poll(() => deliveries(id)).toHaveLength(1);
    const [record] = await deliveries(id);
    expect(record).toMatchObject({
      url: `${receiver.url}/in?a=b`,
      trigger: "push_hooks",
      request_headers: { "X-Service-Event": "Push Hook", "X-Service-Token": "[REDACTED]", "X-Team": "[REDACTED]" },
      request_data: body,
      response_headers: { "X-Receiver": "test" },
      response_body: "thanks",
      response_status: "200",
    });
    expect(record.execution_duration).toBeGreaterThan(0);
    expect(record.execution_duration).toBeLessThan(3);
  });

  test("comes only for the kinds that are on, and from the group alone", async () => {
    const id = await makeHook({ note_events: true, confidential_issues_events: true, tag_push_events: true });
    const elsewhere = await makeHook({ push_events: true }, "globex");
    await push("main");
    await push("v1.0.0", { ref_type: "tag", commit_count: 0, commit_from: null });
    const issue = { target_type: "Issue", target_id: 9, target_iid: 3, target_title: "Slow", action_name: "opened" };
    const happen = (event: object) => session.ask("POST /happen", { json: { event: { project_id: 7, ...event } } });
    await happen(issue);
    await happen({ ...issue, confidential: true });
    const note = { id: 5, body: "Why?", created_at: "", noteable_id: 9, noteable_type: "Issue", noteable_iid: 3 };
    await happen({ action_name: "commented on", target_type: "Note", note });
    await happen({ action_name: "commented on", target_type: "Note", note, confidential: true });
    await expect.poll(() => deliveries(id)).toHaveLength(3);
    const triggers = (await deliveries(id)).map((row: { trigger: string }) => row.trigger);
    expect(triggers.sort()).toEqual(["confidential_issue_hooks", "note_hooks", "tag_push_hooks"]);
    expect((await session.ask(`GET /groups/globex/hooks/${elsewhere}/events`)).json).toEqual([]);
  });

  test("tells of comments, of internal ones, and of emoji as what they are", async () => {
    const id = await makeHook({ note_events: true, confidential_note_events: true, emoji_events: true });
    const say = async (json: object) => {
      expect((await session.ask("POST /projects/7/issues/1/notes", { as: "developer", json })).status).toBe(201);
    };
    await say({ body: "Hooked" });
    await say({ body: "Hush", internal: true });
    await say({ body: ":tada:" });
    await expect.poll(() => deliveries(id)).toHaveLength(3);
    const rows: { trigger: string; request_data: { object_attributes: object } }[] = await deliveries(id);
    const byTrigger = Object.fromEntries(rows.map((row) => [row.trigger, row.request_data.object_attributes]));
    expect(byTrigger).toMatchObject({
      note_hooks: { note: "Hooked", noteable_type: "Issue", noteable_iid: 1 },
      confidential_note_hooks: { note: "Hush" },
      emoji_hooks: { name: "tada", action: "award" },
    });
    const feed = await session.ask("GET /projects/7/events?per_page=100&target_type=note");
    expect(feed.text).toContain("Hooked");
    expect(feed.text).not.toContain("Hush");
  });

  test.each([
    ["wildcard", "rel*/*", ["release/1", "rel/x"]],
    ["regex", "^release/\\d+$", ["release/1"]],
    ["all_branches", "nothing", ["release/1", "rel/x", "main", "xrelease/1"]],
  ])("of a push obeys the branch filter: %s", async (branch_filter_strategy, push_events_branch_filter, expected) => {
    const id = await makeHook({ push_events: true, push_events_branch_filter, branch_filter_strategy });
    const every = await makeHook({ push_events: true });
    for (const branch of ["release/1", "rel/x", "main", "xrelease/1"]) await push(branch);
    await expect.poll(() => deliveries(every)).toHaveLength(4);
    await expect.poll(() => deliveries(id)).toHaveLength(expected.length);
    const refs = (await deliveries(id)).map((row: { request_data: { ref: string } }) => row.request_data.ref);
    expect(refs.sort()).toEqual(expected.map((branch) => `refs/heads/${branch}`).sort());
  });

  test("is what a custom template makes of it", async () => {
    const id = await makeHook({
      push_events: true,
      custom_webhook_template: '{"text": "{{ user_name }}: {{commits.0.title}}{{nope}}", "n": {{total_commits_count}}}',
    });
    await push("main", { commit_title: 'Say "hi"' });
    await expect.poll(() => deliveries(id)).toHaveLength(1);
    expect((await deliveries(id))[0].request_data).toEqual({ text: 'Dana Dixon: Say "hi"', n: 1 });
    expect(receiver.received.map(({ body }) => body)).toContain('{"text":"Dana Dixon: Say \\"hi\\"","n":1}');
  });

  test.each([
    ["nobody listens", { url: "http://127.0.0.1:9" }, /ECONNREFUSED/],
    ["the receiver is elsewhere", { url: "https://hooks.example.com" }, /^a sandbox delivers to this machine only$/],
    ["the template makes no JSON", { custom_webhook_template: "{" }, /valid JSON/],
  ])("that fails is a record: %s", async (_, values, why) => {
    const id = await makeHook({ push_events: true, ...values });
    await push("main");
    await expect.poll(() => deliveries(id)).toHaveLength(1);
    const [record] = await deliveries(id);
    expect(record).toMatchObject({ response_status: "internal error", response_headers: {} });
    expect(record.response_body).toMatch(why);
  });

  test("that nobody answers ends after three seconds and holds nothing up", async () => {
    const silent = await startReceiver();
    silent.answer = "hang";
    const id = await makeHook({ url: silent.url, push_events: true });
    const started = performance.now();
    expect((await push("main")).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(1000);
    await expect.poll(() => deliveries(id), { timeout: 6000 }).toHaveLength(1);
    expect((await deliveries(id))[0].response_body).toBe("no answer within 3 seconds");
  });

  test("is not made while a hook is disabled", async () => {
    await push("main");
    await push("v2", { ref_type: "tag" });
    await expect.poll(() => deliveries(3)).not.toHaveLength(0);
    expect((await session.ask("GET /groups/acme/hooks/2/events")).headers.get("x-total")).toBe("50");
  });
});

describe("the history", () => {
  test("goes back seven days, newest first, 20 a page and no more", async () => {
    const first = await deliveries(1);
    expect(first).toHaveLength(20);
    expect(Object.keys(first[0]).sort()).toEqual(
      [
        ...["id", "url", "trigger", "request_headers", "request_data", "response_headers", "response_body"],
        ...["execution_duration", "response_status"],
      ].sort(),
    );
    expect(first[0].id).toBeGreaterThan(first[19].id);
    const large = await session.ask("GET /groups/acme/hooks/1/events?per_page=21");
    expect(large.status).toBe(400);
    expect(large.json).toEqual({ message: { per_page: ["must be less than or equal to 20"] } });
    const before = now;
    now = new Date("2026-03-08T10:00:00.000Z");
    const later = Number((await session.ask("GET /groups/acme/hooks/1/events?status=200")).headers.get("x-total"));
    now = before;
    expect(later).toBeGreaterThan(0);
    expect(later).toBeLessThan(62);
  });

  test("takes a code or a category, and nothing else", async () => {
    const rows = await deliveries(1, "?status=client_failure");
    expect(rows.map((row: { response_status: string }) => row.response_status)).toEqual(["429", "404", "404", "404"]);
    expect(await deliveries(1, "?status=404")).toHaveLength(3);
    for (const status of ["nope", "99", "toString"]) {
      expect((await session.ask(`GET /groups/acme/hooks/1/events?status=${status}`)).status).toBe(400);
    }
  });
});

describe("a resend", () => {
  test("delivers the same again, with the hook's present secrets, and makes a record of its own", async () => {
    const own = await startReceiver();
    own.answer = { status: 503, body: "later" };
    const id = await makeHook({ url: own.url, push_events: true, token: "one" });
    await push("main");
    await expect.poll(() => deliveries(id)).toHaveLength(1);
    const [failed] = await deliveries(id);
    own.answer = { status: 204 };
    await asOwner(`PUT /groups/acme/hooks/${id}`, { url: own.url, token: "two" });
    const { status, json } = await asOwner(`POST /groups/acme/hooks/${id}/events/${failed.id}/resend`);
    expect({ status, json }).toEqual({ status: 201, json: { response_status: 204 } });
    const [first, second] = own.received;
    expect(second?.body).toBe(first?.body);
    for (const name of ["x-service-event-uuid", "idempotency-key"]) {
      expect(second?.headers[name]).toBe(first?.headers[name]);
    }
    expect([first, second].map((request) => request?.headers["x-service-token"])).toEqual(["one", "two"]);
    const records = await deliveries(id);
    expect(records.map((row: { response_status: string }) => row.response_status)).toEqual(["204", "503"]);
    expect(records[0].request_data).toEqual(records[1].request_data);
  });

  test("of what is not there, or to nobody, is refused", async () => {
    expect((await asOwner("POST /groups/acme/hooks/3/events/99999/resend")).json).toEqual({
      message: "404 Hook Event Not Found",
    });
    const id = await makeHook({ url: "http://127.0.0.1:9", push_events: true });
    await push("main");
    await expect.poll(() => deliveries(id)).toHaveLength(1);
    const [{ id: event }] = await deliveries(id);
    const answer = await asOwner(`POST /groups/acme/hooks/${id}/events/${event}/resend`);
    expect(answer.status).toBe(422);
    expect(answer.json.message).toMatch(/^The event was not delivered: .*ECONNREFUSED/);
    expect(await deliveries(id)).toHaveLength(2);
  });

  test("is limited to 5 a minute for a hook and a user", async () => {
    const resend = (hook: number, event: number, as: "owner" | "administrator" = "owner") =>
      session.ask(`POST /groups/acme/hooks/${hook}/events/${event}/resend`, { as });
    now = new Date(now.getTime() + 1000);
    for (let n = 0; n < 5; n += 1) {
      expect((await resend(1, 10)).status).toBe(201);
      now = new Date(now.getTime() + 1000);
    }
    const refused = await resend(1, 10);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("55");
    expect((await resend(1, 10, "administrator")).status).toBe(201);
    expect((await resend(2, 70)).json).toEqual({ response_status: 202 });
    now = new Date(now.getTime() + 54_999);
    expect((await resend(1, 10)).status).toBe(429);
    now = new Date(now.getTime() + 1);
    expect((await resend(1, 10)).status).toBe(201);
    expect((await resend(1, 10)).status).toBe(429);
  });
});

test("a sandbox closes at once while a receiver is silent", async () => {
  const own = await openWith(happenings, {}, areas);
  const silent = await startReceiver();
  silent.answer = "hang";
  await own.ask("POST /groups/acme/hooks", { json: { url: silent.url } });
  const push_data = { commit_count: 0, action: "created", ref_type: "branch", ref: "x" };
  await own.ask("POST /happen", { json: { event: { project_id: 7, push_data } } });
  await silent.wait(1);
  const started = performance.now();
  await own.sandbox.close();
  expect(performance.now() - started).toBeLessThan(1000);
});

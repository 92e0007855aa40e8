import { beforeAll, describe, expect, test } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import { type Hooking, openHooking } from "./hooking.ts";
import { openSession } from "./session.ts";

let hooking: Hooking;
beforeAll(async () => {
  hooking = await openHooking();
});

describe("a delivery", () => {
  test("is sent for events below the group, with the documented headers and fields", async () => {
    const id = await hooking.makeHook({
      url: `${hooking.receiver.url}/in?a=b`,
      push_events: true,
      token: "s3cret",
      custom_headers: [{ key: "X-Team", value: "blue" }],
    });
    const before = hooking.receiver.received.length;
    // Terraform is two groups further down.
    await hooking.push("main", {}, 5);
    const [request] = (await hooking.receiver.wait(before + 1)).slice(before);
    expect(request).toMatchObject({ method: "POST", url: "/in?a=b" });
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "forgectl-sandbox",
      "x-service-event": "Push Hook",
      "x-service-instance": hooking.session.sandbox.url,
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
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(1);
    const [record] = await hooking.deliveries(id);
    expect(record).toMatchObject({
      url: `${hooking.receiver.url}/in?a=b`,
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

  test("of a push lists its commits with their files", async () => {
    const id = await hooking.makeHook({ push_events: true });
    const commit = async (method: string, json: object) => {
      const request = `${method} /projects/7/repository/files/hooked.txt`;
      const { status, text } = await hooking.session.ask(request, {
        as: "developer",
        json: { branch: "main", ...json },
      });
      expect(status, text).toBeLessThan(300);
    };
    await commit("POST", { content: "a", commit_message: "Add\n\nWith a body." });
    await commit("PUT", { content: "b", commit_message: "Change" });
    await commit("DELETE", { commit_message: "Remove" });
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(3);
    const rows: { request_data: { commits: object[] } }[] = await hooking.deliveries(id);
    const commits = rows.flatMap(({ request_data }) => request_data.commits);
    const none = { added: [], modified: [], removed: [] };
    expect(commits).toHaveLength(3);
    expect(commits).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...none, title: "Add", message: "Add\n\nWith a body.", added: ["hooked.txt"] }),
        expect.objectContaining({ ...none, title: "Change", modified: ["hooked.txt"] }),
        expect.objectContaining({ ...none, title: "Remove", removed: ["hooked.txt"] }),
      ]),
    );
  });

  test("is sent only for enabled kinds, and only from the group", async () => {
    const id = await hooking.makeHook({ note_events: true, confidential_issues_events: true, tag_push_events: true });
    const elsewhere = await hooking.makeHook({ push_events: true }, "globex");
    await hooking.push("main");
    await hooking.push("v1.0.0", { ref_type: "tag", commit_count: 0, commit_from: null });
    const issue = { target_type: "Issue", target_id: 9, target_iid: 3, target_title: "Slow", action_name: "opened" };
    const { happen } = hooking;
    await happen(issue);
    await happen({ ...issue, confidential: true });
    const note = { id: 5, body: "Why?", created_at: "", noteable_id: 9, noteable_type: "Issue", noteable_iid: 3 };
    await happen({ action_name: "commented on", target_type: "Note", note });
    await happen({ action_name: "commented on", target_type: "Note", note, confidential: true });
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(3);
    const triggers = (await hooking.deliveries(id)).map((row: { trigger: string }) => row.trigger);
    expect(triggers.sort()).toEqual(["confidential_issue_hooks", "note_hooks", "tag_push_hooks"]);
    expect((await hooking.session.ask(`GET /groups/globex/hooks/${elsewhere}/events`)).json).toEqual([]);
  });

  test("distinguishes comments, internal ones, and emoji", async () => {
    const id = await hooking.makeHook({ note_events: true, confidential_note_events: true, emoji_events: true });
    const say = async (json: object) => {
      expect((await hooking.session.ask("POST /projects/7/issues/1/notes", { as: "developer", json })).status).toBe(
        201,
      );
    };
    await say({ body: "Hooked" });
    await say({ body: "Hush", internal: true });
    await say({ body: ":tada:" });
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(3);
    const rows: { trigger: string; request_data: { object_attributes: object } }[] = await hooking.deliveries(id);
    const byTrigger = Object.fromEntries(rows.map((row) => [row.trigger, row.request_data.object_attributes]));
    expect(byTrigger).toMatchObject({
      note_hooks: { note: "Hooked", noteable_type: "Issue", noteable_iid: 1 },
      confidential_note_hooks: { note: "Hush" },
      emoji_hooks: { name: "tada", action: "award" },
    });
    const feed = await hooking.session.ask("GET /projects/7/events?per_page=100&target_type=note");
    expect(feed.text).toContain("Hooked");
    expect(feed.text).not.toContain("Hush");
  });

  test("is sent for a group imported into another, and for its members", async () => {
    const id = await hooking.makeHook({ subgroup_events: true, member_events: true });
    await hooking.session.ask("POST /groups/globex%2Fresearch/export");
    hooking.now = new Date(hooking.now.getTime() + 60_000);
    const archive = await fetch(`${hooking.session.sandbox.url}/api/v4/groups/globex%2Fresearch/export/download`, {
      headers: { "private-token": hooking.session.sandbox.tokens.administrator },
    });
    const body = new FormData();
    body.set("file", await archive.blob(), "archive.tar.gz");
    for (const [name, value] of Object.entries({ name: "Lab", path: "lab", parent_id: "1" })) body.set(name, value);
    expect((await hooking.session.ask("POST /groups/import", { as: "owner", body })).status).toBe(202);
    let rows: { trigger: string; request_data: object }[] = [];
    const triggers = async () => {
      rows = await hooking.deliveries(id);
      return rows.map(({ trigger }) => trigger);
    };
    await expect.poll(triggers).toEqual(expect.arrayContaining(["subgroup_hooks", "member_hooks"]));
    expect(rows.find(({ trigger }) => trigger === "subgroup_hooks")?.request_data).toMatchObject({
      event_name: "subgroup_create",
      full_path: "acme/lab",
      parent_group_id: 1,
    });
    expect(rows.find(({ trigger }) => trigger === "member_hooks")?.request_data).toMatchObject({
      event_name: "user_add_to_group",
      group_path: "lab",
      user_username: expect.any(String),
    });
  });

  test.each([
    ["wildcard", "rel*/*", ["release/1", "rel/x"]],
    ["regex", "^release/\\d+$", ["release/1"]],
    ["all_branches", "nothing", ["release/1", "rel/x", "main", "xrelease/1"]],
  ])("of a push follows the branch filter: %s", async (branch_filter_strategy, push_events_branch_filter, expected) => {
    const id = await hooking.makeHook({ push_events: true, push_events_branch_filter, branch_filter_strategy });
    const every = await hooking.makeHook({ push_events: true });
    for (const branch of ["release/1", "rel/x", "main", "xrelease/1"]) await hooking.push(branch);
    await expect.poll(() => hooking.deliveries(every)).toHaveLength(4);
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(expected.length);
    const refs = (await hooking.deliveries(id)).map((row: { request_data: { ref: string } }) => row.request_data.ref);
    expect(refs.sort()).toEqual(expected.map((branch) => `refs/heads/${branch}`).sort());
  });

  test("has the body of a custom template", async () => {
    const id = await hooking.makeHook({
      push_events: true,
      custom_webhook_template: '{"text": "{{ user_name }}: {{commits.0.title}}{{nope}}", "n": {{total_commits_count}}}',
    });
    await hooking.push("main", { commit_title: 'Say "hi"' });
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(1);
    expect((await hooking.deliveries(id))[0].request_data).toEqual({ text: 'Dana Dixon: Say "hi"', n: 1 });
    expect(hooking.receiver.received.map(({ body }) => body)).toContain('{"text":"Dana Dixon: Say \\"hi\\"","n":1}');
  });

  test.each([
    ["nothing listens", { url: "http://127.0.0.1:9" }, /ECONNREFUSED/],
    ["the receiver is elsewhere", { url: "https://hooks.example.com" }, /^a sandbox delivers to this machine only$/],
    ["the template is not JSON", { custom_webhook_template: "{" }, /valid JSON/],
  ])("that fails is a record: %s", async (_, values, why) => {
    const id = await hooking.makeHook({ push_events: true, ...values });
    await hooking.push("main");
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(1);
    const [record] = await hooking.deliveries(id);
    expect(record).toMatchObject({ response_status: "internal error", response_headers: {} });
    expect(record.response_body).toMatch(why);
  });

  test("without an answer ends after three seconds and blocks nothing", async () => {
    const silent = await startReceiver();
    silent.answer = "hang";
    const id = await hooking.makeHook({ url: silent.url, push_events: true });
    const started = performance.now();
    await hooking.push("main");
    expect(performance.now() - started).toBeLessThan(1000);
    await expect.poll(() => hooking.deliveries(id), { timeout: 6000 }).toHaveLength(1);
    expect((await hooking.deliveries(id))[0].response_body).toBe("no answer within 3 seconds");
  });

  test("is not sent while a hook is disabled", async () => {
    await hooking.push("main");
    await hooking.push("v2", { ref_type: "tag" });
    await expect.poll(() => hooking.deliveries(3)).not.toHaveLength(0);
    expect((await hooking.session.ask("GET /groups/acme/hooks/2/events")).headers.get("x-total")).toBe("50");
  });
});

test("a sandbox closes at once while a receiver is silent", async () => {
  const silent = await startReceiver();
  silent.answer = "hang";
  const own = await openSession();
  await own.ask("POST /groups/acme/hooks", { json: { url: silent.url, note_events: true } });
  await own.ask("POST /projects/7/issues/1/notes", { json: { body: "Hello" } });
  await silent.wait(1);
  const started = performance.now();
  await own.sandbox.close();
  expect(performance.now() - started).toBeLessThan(1000);
});

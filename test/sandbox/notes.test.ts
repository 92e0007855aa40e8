import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Asking, Session } from "./session.ts";
import { openSession } from "./session.ts";

let now = new Date("2026-03-04T10:00:00.000Z");
let session: Session;
beforeAll(async () => {
  session = await openSession({ now: () => now });
});
afterAll(() => session.sandbox.close());

const issue = "/projects/acme%2Fstorefront/issues/28";
const mergeRequest = "/projects/7/merge_requests/19";
const snippet = "/projects/7/snippets/7001";
const epic = "/groups/acme/epics/104";

const ask = (request: string, as: Asking["as"] = "developer", json?: unknown) => session.ask(request, { as, json });
const post = (place: string, json: object, as: Asking["as"] = "developer") => ask(`POST ${place}/notes`, as, json);
const ids = async (path: string, as?: Asking["as"]) =>
  (await ask(`GET ${path}`, as)).json.map(({ id }: { id: number }) => id);

describe("reading", () => {
  test("a note has the document's fields; imported is missing on merge requests", async () => {
    const { json } = await ask(`GET ${issue}/notes/300002`);
    expect(json).toEqual({
      id: 300_002,
      body: expect.stringContaining("📱"),
      attachment: null,
      author: {
        id: 4,
        username: "dana.dixon",
        email: "dana.dixon@acme.example",
        name: "Dana Dixon",
        state: "active",
        created_at: expect.any(String),
      },
      created_at: "2026-02-26T01:00:00.000Z",
      updated_at: "2026-02-26T01:00:00.000Z",
      system: false,
      noteable_id: 7028,
      noteable_type: "Issue",
      project_id: 7,
      noteable_iid: 28,
      resolvable: false,
      confidential: false,
      internal: false,
      imported: false,
      imported_from: "none",
    });
    expect((await ask(`GET ${mergeRequest}/notes/300056`)).json).not.toHaveProperty("imported");
    expect((await ask(`GET ${snippet}/notes/300061`)).json).toMatchObject({
      noteable_type: "Snippet",
      noteable_id: 7001,
      noteable_iid: null,
    });
    expect((await ask(`GET ${epic}/notes/300081`)).json).toMatchObject({
      noteable_type: "Epic",
      noteable_id: 104,
      noteable_iid: 4,
      project_id: null,
    });
  });

  test("a list is newest first, and sorted as asked; what threads hold is not in it", async () => {
    const newest = [300_011, 300_021, 300_003, 300_002, 300_001];
    expect(await ids(`${issue}/notes`)).toEqual(newest);
    expect(await ids(`${issue}/notes?sort=asc`)).toEqual(newest.toReversed());
    expect(await ids(`${issue}/notes?sort=asc&per_page=2&page=2`)).toEqual([300_003, 300_021]);
    await ask(`PUT ${issue}/notes/300002`, "developer", { body: "Changed." });
    expect((await ids(`${issue}/notes?order_by=updated_at`))[0]).toBe(300_002);
    expect((await ask(`GET ${issue}/notes?sort=up`)).json).toEqual({
      message: { sort: ["does not have a valid value"] },
    });
    expect((await ask(`GET ${issue}/notes/300031`)).status).toBe(404);
  });

  test("everyone reads in a public project, members in a private one", async () => {
    expect((await ask(`GET ${issue}/notes`, null)).status).toBe(200);
    expect((await ask("GET /projects/4/issues/1/notes", null)).status).toBe(404);
    expect((await ask("GET /projects/4/issues/1/notes", "outsider")).status).toBe(404);
    expect((await ask("GET /projects/4/issues/1/notes", "guest")).status).toBe(200);
  });

  test("internal notes show from the Reporter role up", async () => {
    expect(await ids(`${issue}/notes`, "reporter")).toContain(300_011);
    for (const as of ["planner", "guest", "outsider", null] as const) {
      expect(await ids(`${issue}/notes`, as), String(as)).not.toContain(300_011);
      expect((await ask(`GET ${issue}/notes/300011`, as)).json).toEqual({ message: "404 Note Not Found" });
    }
  });

  test("what is not there is named in the 404", async () => {
    const message = async (path: string) => (await ask(`GET ${path}`)).json.message;
    expect(await message("/projects/7/issues/999/notes")).toBe("404 Issue Not Found");
    expect(await message("/projects/7/merge_requests/999/notes")).toBe("404 Merge Request Not Found");
    // A snippet is looked for in its own project.
    expect(await message("/projects/1/snippets/7001/notes")).toBe("404 Snippet Not Found");
    expect(await message(`${issue}/notes/1`)).toBe("404 Note Not Found");
  });

  test("an epic is found by its ID in its own group, and in paid tiers only", async () => {
    expect((await ask("GET /groups/acme/epics/4/notes")).json).toEqual({ message: "404 Epic Not Found" });
    expect((await ask("GET /groups/open-tools/epics/104/notes")).status).toBe(404);
    const free = await openSession({ tier: "free" });
    expect((await free.ask(`GET ${epic}/notes`)).status).toBe(404);
    await free.sandbox.close();
  });

  test("the comments of the activity feed are there", async () => {
    const { json } = await ask("GET /projects/7/events?target_type=note&per_page=100");
    expect(json.length).toBeGreaterThan(20);
    const kinds = { Issue: "issues", MergeRequest: "merge_requests" } as const;
    for (const { note } of json) {
      const path = kinds[note.noteable_type as keyof typeof kinds];
      const answer = await ask(`GET /projects/7/${path}/${note.noteable_iid}/notes/${note.id}`);
      expect(answer.json).toMatchObject({ body: note.body, created_at: note.created_at });
    }
  });
});

describe("creating", () => {
  test("answers the note and tells the activity feed", async () => {
    const { status, json } = await post(issue, { body: "A *new* note" });
    expect({ status, json }).toMatchObject({ status: 201, json: { body: "A *new* note", internal: false } });
    const [event] = (await ask("GET /projects/7/events?per_page=1")).json;
    expect(event).toMatchObject({
      action_name: "commented on",
      target_type: "Note",
      target_id: json.id,
      note: { id: json.id, body: "A *new* note", noteable_type: "Issue", noteable_iid: 28 },
    });
  });

  test("internal notes and those on epics are not told to the feed", async () => {
    const newest = async () => (await ask("GET /events?scope=all&per_page=1", "administrator")).json[0].id;
    const before = await newest();
    expect((await post(issue, { body: "psst", internal: true })).json.internal).toBe(true);
    expect((await post(issue, { body: "psst", internal: false, confidential: true })).json.internal).toBe(false);
    const told = await newest();
    expect(told).toBe(before + 1);
    expect((await post(epic, { body: "psst", confidential: true })).json.confidential).toBe(true);
    expect(await newest()).toBe(told);
    expect((await post(issue, { body: "psst", internal: true }, "guest")).status).toBe(403);
    // What a kind does not take is passed over.
    expect((await post(snippet, { body: "psst", internal: true })).json.internal).toBe(false);
  });

  test("is for anyone signed in who sees the project, and nobody else", async () => {
    expect((await post(issue, { body: "Hello" }, "outsider")).status).toBe(201);
    expect((await post(issue, { body: "Hello" }, null)).status).toBe(401);
    expect((await post(issue, { body: "Hello" }, "readApi")).status).toBe(403);
    expect((await post("/projects/4/issues/1", { body: "Hello" }, "outsider")).status).toBe(404);
  });

  test("needs a text of at most a million characters, however many bytes they take", async () => {
    expect((await post(issue, {})).json).toEqual({ message: '400 (Bad request) "body" not given' });
    expect((await post(issue, { body: " \n" })).json).toEqual({ message: { body: ["can't be blank"] } });
    const longest = "😀".repeat(1_000_000);
    const { status, json } = await post(snippet, { body: longest });
    expect([status, json.body === longest]).toEqual([201, true]);
    expect((await post(snippet, { body: `${longest}!` })).json).toEqual({
      message: { body: ["is too long (maximum is 1000000 characters)"] },
    });
  });

  test("dates back for administrators and owners, to after 1970-01-01", async () => {
    const created_at = "2020-02-29T12:00:00+02:00";
    expect((await post(snippet, { body: "then", created_at }, "owner")).json).toMatchObject({
      created_at: "2020-02-29T10:00:00.000Z",
      updated_at: "2020-02-29T10:00:00.000Z",
    });
    expect((await post(snippet, { body: "then", created_at }, "maintainer")).status).toBe(403);
    expect((await post(snippet, { body: "then", created_at: "1970-01-01" }, "administrator")).json).toEqual({
      message: { created_at: ["must be after 1970-01-01"] },
    });
    expect((await post(snippet, { body: "then", created_at: "soon" }, "owner")).json).toEqual({
      message: { created_at: ["is invalid"] },
    });
  });

  test("an emoji and nothing else becomes a reaction, once a person", async () => {
    const { status, json } = await post(snippet, { body: " :+1: " });
    expect({ status, json }).toMatchObject({
      status: 201,
      json: { name: "thumbsup", awardable_type: "Snippet", awardable_id: 7001, user: { username: "dana.dixon" } },
    });
    expect((await post(snippet, { body: "👍🏽" })).json.id).toBe(json.id);
    expect((await post(snippet, { body: "👍" }, "reporter")).json.id).not.toBe(json.id);
    expect((await post(snippet, { body: "❤️" })).json.name).toBe("heart");
    for (const body of ["👍 good", ":nothing:", ":tada: :tada:", "thumbsup"]) {
      expect((await post(snippet, { body })).json.body, body).toBe(body);
    }
  });

  test("is limited to 300 a minute for each user", async () => {
    now = new Date(now.getTime() + 120_000);
    for (let count = 0; count < 300; count += 1) await post(snippet, { body: "x" }, "planner");
    now = new Date(now.getTime() + 20_000);
    const { status, headers } = await post(snippet, { body: "x" }, "planner");
    expect([status, headers.get("retry-after")]).toEqual([429, "40"]);
    expect((await post(snippet, { body: "x" }, "guest")).status).toBe(201);
    now = new Date(now.getTime() + 40_000);
    expect((await post(snippet, { body: "x" }, "planner")).status).toBe(201);
  });
});

describe("spam", () => {
  const body = "buy sandbox-spam now";
  const answer = (id: number, text = body, as: Asking["as"] = "developer") =>
    session.ask(`POST ${snippet}/notes`, {
      as,
      json: { body: text },
      headers: { "X-Service-Captcha-Response": "answer", "X-Service-Spam-Log-Id": String(id) },
    });

  test("is met with a challenge whose answer is good for that text of that user, once", async () => {
    const { status, json } = await post(snippet, { body });
    expect({ status, json }).toEqual({
      status: 400,
      json: {
        needs_captcha_response: true,
        spam_log_id: expect.any(Number),
        captcha_site_key: expect.any(String),
        message: { error: expect.stringContaining("recognized as spam") },
      },
    });
    const id = json.spam_log_id;
    expect((await answer(id, `${body}!`)).status).toBe(400);
    expect((await answer(id, body, "reporter")).status).toBe(400);
    expect((await answer(id)).status).toBe(201);
    expect((await answer(id)).status).toBe(400);
  });

  test("is refused without one where there is no CAPTCHA", async () => {
    const { status, json } = await post(snippet, { body: "sandbox-refused-spam" });
    expect([status, Object.keys(json)]).toEqual([400, ["message"]]);
  });
});

describe("changing and deleting", () => {
  test("is for the author and for maintainers", async () => {
    const { id } = (await post(issue, { body: "mine" }, "reporter")).json;
    const change = (as: Asking["as"], json: object) => ask(`PUT ${issue}/notes/${id}`, as, json);
    expect((await change("developer", { body: "yours" })).status).toBe(403);
    now = new Date(now.getTime() + 5_000);
    const changed = (await change("reporter", { body: "mine, better" })).json;
    expect(changed).toMatchObject({ body: "mine, better", updated_at: now.toISOString() });
    expect(changed.created_at < changed.updated_at).toBe(true);
    expect((await change("maintainer", { confidential: true })).json).toMatchObject({
      body: "mine, better",
      internal: true,
    });
    expect((await change("reporter", { body: "  " })).json).toEqual({ message: { body: ["can't be blank"] } });
    expect((await ask(`DELETE ${issue}/notes/${id}`)).status).toBe(403);
    expect((await ask(`DELETE ${issue}/notes/${id}`, "maintainer")).status).toBe(204);
    expect((await ask(`GET ${issue}/notes/${id}`)).status).toBe(404);
  });

  test("leaves alone what the instance wrote", async () => {
    expect((await ask(`PUT ${issue}/notes/300021`, "administrator", { body: "x" })).status).toBe(403);
    expect((await ask(`DELETE ${issue}/notes/300021`, "administrator")).status).toBe(403);
  });

  test("is not there for epics", async () => {
    expect((await ask(`PUT ${epic}/notes/300081`, "administrator", { body: "x" })).status).toBe(405);
    expect((await ask(`DELETE ${epic}/notes/300081`, "administrator")).status).toBe(405);
  });

  test("a note changed meanwhile is not deleted", async () => {
    const { id } = (await post(mergeRequest, { body: "text" })).json;
    const since = (ms: number) => ({ "If-Unmodified-Since": new Date(now.getTime() + ms).toUTCString() });
    const remove = (headers: Record<string, string>) =>
      session.ask(`DELETE ${mergeRequest}/notes/${id}`, { as: "developer", headers });
    expect((await remove(since(-60_000))).status).toBe(412);
    expect((await remove(since(0))).status).toBe(204);
  });
});

describe("the merge quick action", () => {
  const sha = createHash("sha1").update("head of merge request 7019").digest("hex");
  const merge = (head: string | undefined, as?: Asking["as"], body = "/merge") =>
    post(mergeRequest, { body, merge_request_diff_head_sha: head }, as);

  test("needs the head commit, a developer, and an open merge request that still has that head", async () => {
    const { json } = await ask(`GET ${mergeRequest}/notes/300051`);
    expect([json.system, json.body]).toEqual([true, expect.stringContaining(sha)]);
    expect((await merge(undefined)).json).toEqual({
      message: '400 (Bad request) "merge_request_diff_head_sha" not given',
    });
    expect((await merge("0".repeat(40))).status).toBe(409);
    expect((await merge(sha, "reporter")).status).toBe(403);
    expect(await merge(sha)).toMatchObject({ status: 202, json: { commands_changes: { merge: sha } } });
    expect((await merge(sha)).json).toEqual({ message: "409 Conflict - the merge request is not open" });
    expect((await ask(`GET ${mergeRequest}/notes?per_page=1`)).json).toMatchObject([
      { system: true, body: `merged at ${sha}` },
    ]);
  });

  test("is taken out of a text that says more", async () => {
    const iids = async (action: string): Promise<number[]> => {
      const { json } = await ask(`GET /projects/7/events?action=${action}&target_type=merge_request&per_page=100`);
      return json.map(({ target_iid }: { target_iid: number }) => target_iid);
    };
    const merged = await iids("merged");
    const open = (await iids("opened")).find((iid) => !merged.includes(iid));
    const place = `/projects/7/merge_requests/${open}`;
    const { json } = await ask(`GET ${place}/notes?per_page=100`);
    const pushed = json.find(({ body }: { body: string }) => body.startsWith("added 1 commit")).body;
    const head = /[0-9a-f]{40}/.exec(pushed)?.[0];
    const body = "Thanks!\n\n/merge\n";
    const answer = await post(place, { body, merge_request_diff_head_sha: head });
    expect(answer).toMatchObject({ status: 201, json: { body: "Thanks!" } });
    expect(await iids("merged")).toContain(open);
  });

  test("means nothing inside of a line, and on an issue", async () => {
    expect((await merge(undefined, "developer", "do not /merge yet")).json.body).toBe("do not /merge yet");
    expect((await post(issue, { body: "/merge" })).json.body).toBe("/merge");
  });
});

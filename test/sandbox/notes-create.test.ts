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

describe("creating", () => {
  test("returns the note and adds to the activity feed", async () => {
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

  test("internal notes and those on epics are not in the feed", async () => {
    const newest = async () => (await ask("GET /events?scope=all&per_page=1", "administrator")).json[0].id;
    const before = await newest();
    expect((await post(issue, { body: "psst", internal: true })).json.internal).toBe(true);
    expect((await post(issue, { body: "psst", internal: false, confidential: true })).json.internal).toBe(false);
    const told = await newest();
    expect(told).toBe(before + 1);
    expect((await post(epic, { body: "psst", confidential: true })).json.confidential).toBe(true);
    expect(await newest()).toBe(told);
    expect((await post(issue, { body: "psst", internal: true }, "guest")).status).toBe(403);
    // Parameters that a kind does not have are ignored.
    expect((await post(snippet, { body: "psst", internal: true })).json.internal).toBe(false);
  });

  test("requires sign-in and a visible project", async () => {
    expect((await post(issue, { body: "Hello" }, "outsider")).status).toBe(201);
    expect((await post(issue, { body: "Hello" }, null)).status).toBe(401);
    expect((await post(issue, { body: "Hello" }, "readApi")).status).toBe(403);
    expect((await post("/projects/4/issues/1", { body: "Hello" }, "outsider")).status).toBe(404);
  });

  test("needs a text of at most a million characters, of any number of bytes", async () => {
    expect((await post(issue, {})).json).toEqual({ message: '400 (Bad request) "body" not given' });
    expect((await post(issue, { body: " \n" })).json).toEqual({ message: { body: ["can't be blank"] } });
    const longest = "😀".repeat(1_000_000);
    const { status, json } = await post(snippet, { body: longest });
    expect([status, json.body === longest]).toEqual([201, true]);
    expect((await post(snippet, { body: `${longest}!` })).json).toEqual({
      message: { body: ["is too long (maximum is 1000000 characters)"] },
    });
  });

  test("backdating requires an administrator or owner, and a date after 1970-01-01", async () => {
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

  test("a single emoji becomes a reaction, once per user", async () => {
    const { status, json } = await post(snippet, { body: " :+1: " });
    expect({ status, json }).toMatchObject({
      status: 201,
      json: { name: "thumbsup", awardable_type: "Snippet", awardable_id: 7001, user: { username: "dana.dixon" } },
    });
    expect((await post(snippet, { body: "👍🏽" })).json.id).toBe(json.id);
    expect((await post(snippet, { body: "👍" }, "reporter")).json.id).not.toBe(json.id);
    expect((await post(snippet, { body: "❤️" })).json.name).toBe("heart");
    for (const [body, name] of [
      ["🦆", "duck"],
      [":rocket:", "rocket"],
      [":pizza:", "pizza"],
      ["🍕", "pizza"],
      [":beer:", "beer"],
      [":white_check_mark:", "white_check_mark"],
      ["✅", "white_check_mark"],
      ["🏳️‍🌈", "white_flag_rainbow"],
      ["🇩🇪", "d_e"],
      ["1️⃣", "1"],
    ]) {
      expect((await post(snippet, { body })).json.name, body).toBe(name);
    }
    for (const body of ["👍 good", "7", "🇩", ":nothing:", ":tada: :tada:", "thumbsup"]) {
      expect((await post(snippet, { body })).json.body, body).toBe(body);
    }
  });

  test("is limited to 300 per minute for each user", async () => {
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

  test("gets a challenge whose answer is valid for that text of that user, once", async () => {
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

  test("is refused without one if there is no CAPTCHA", async () => {
    const { status, json } = await post(snippet, { body: "sandbox-refused-spam" });
    expect([status, Object.keys(json)]).toEqual([400, ["message"]]);
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

  test("is removed from a longer text", async () => {
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

  test("has no meaning within a line, and on an issue", async () => {
    expect((await merge(undefined, "developer", "do not /merge yet")).json.body).toBe("do not /merge yet");
    expect((await post(issue, { body: "/merge" })).json.body).toBe("/merge");
  });
});

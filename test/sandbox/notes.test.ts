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
  test("a note has the documented fields; imported is missing on merge requests", async () => {
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
      project_id: 1,
    });
  });

  test("a list is newest first, and sorted as requested; notes in threads are not in it", async () => {
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

  test("internal notes are visible from the Reporter role up", async () => {
    expect(await ids(`${issue}/notes`, "reporter")).toContain(300_011);
    for (const as of ["planner", "guest", "outsider", null] as const) {
      expect(await ids(`${issue}/notes`, as), String(as)).not.toContain(300_011);
      expect((await ask(`GET ${issue}/notes/300011`, as)).json).toEqual({ message: "404 Note Not Found" });
    }
  });

  test("the 404 names what is missing", async () => {
    const message = async (path: string) => (await ask(`GET ${path}`)).json.message;
    expect(await message("/projects/7/issues/999/notes")).toBe("404 Issue Not Found");
    expect(await message("/projects/7/merge_requests/999/notes")).toBe("404 Merge Request Not Found");
    // A snippet is looked up in its own project.
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

  test("the comments of the activity feed exist", async () => {
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

describe("changing and deleting", () => {
  test("requires the author or a Maintainer", async () => {
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

  test("of a snippet accepts only a text", async () => {
    const made = await ask(`POST ${snippet}/notes`, "developer", { body: "Mine." });
    const changed = await ask(`PUT ${snippet}/notes/${made.json.id}`, "developer", {
      body: "Better.",
      confidential: true,
    });
    expect(changed.json).toMatchObject({ body: "Better.", internal: false });
    expect((await ask(`PUT ${snippet}/notes/${made.json.id}`, "developer", { confidential: true })).status).toBe(400);
  });

  test("does not apply to system notes", async () => {
    expect((await ask(`PUT ${issue}/notes/300021`, "administrator", { body: "x" })).status).toBe(403);
    expect((await ask(`DELETE ${issue}/notes/300021`, "administrator")).status).toBe(403);
  });

  test("does not exist for epics", async () => {
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

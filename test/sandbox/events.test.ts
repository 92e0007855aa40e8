import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { people } from "../../src/sandbox/areas/places/people.ts";
import { events } from "../../src/sandbox/store/model.ts";
import { type Asking, openSession, type Session } from "./session.ts";

interface Shown {
  readonly id: number;
  readonly project_id: number;
  readonly created_at: string;
  readonly author_id: number;
  readonly action_name: string;
  readonly target_type: string | null;
}

const now = new Date("2024-05-15T12:00:00Z");
let session: Session;
beforeAll(async () => {
  session = await openSession({ now: () => now });
  const add = (created_at: string, project_id = 7) =>
    session.sandbox.store.table(events).insert({
      project_id,
      author_id: people.outsider,
      action_name: "opened",
      target_id: 1,
      target_iid: 1,
      target_type: "Issue",
      target_title: "Dates",
      created_at,
    });
  for (const instant of [
    "2024-05-01T23:59:59.999Z",
    "2024-05-02T00:00:00.000Z",
    "2024-05-02T23:59:59.999Z",
    "2024-05-03T00:00:00.000Z",
  ]) {
    add(instant);
  }
  add("2021-05-15T11:59:59.999Z");
  add("2021-05-15T12:00:00.000Z");
});
afterAll(() => session.sandbox.close());

async function list(path: string, as: Asking["as"] = "administrator"): Promise<Shown[]> {
  const { status, json } = await session.ask(`GET ${path}${path.includes("?") ? "&" : "?"}per_page=100`, {
    as: as ?? null,
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

describe("dates", () => {
  const dates = async (query: string) =>
    (await list(`/users/wanda.wolf/events?${query}`)).map((event) => event.created_at);

  test("newest first by default; three years back at most", async () => {
    const down = await dates("");
    expect(down).toEqual([
      "2024-05-03T00:00:00.000Z",
      "2024-05-02T23:59:59.999Z",
      "2024-05-02T00:00:00.000Z",
      "2024-05-01T23:59:59.999Z",
      "2021-05-15T12:00:00.000Z",
    ]);
    expect(await dates("sort=asc")).toEqual([...down].reverse());
  });
  test("before and after exclude their day", async () => {
    expect(await dates("before=2024-05-02")).toEqual(["2024-05-01T23:59:59.999Z", "2021-05-15T12:00:00.000Z"]);
    expect(await dates("after=2024-05-01")).toHaveLength(3);
    expect(await dates("after=2024-05-02")).toEqual(["2024-05-03T00:00:00.000Z"]);
    expect(await dates("after=2024-05-01&before=2024-05-03")).toHaveLength(2);
  });
  test.each(["before=yesterday", "after=2024-13-01", "before=2024-05-02T00:00:00Z"])("%s is refused", async (query) => {
    const { status, json } = await session.ask(`GET /events?${query}`);
    expect([status, Object.values(json.message)]).toEqual([400, [["is invalid"]]]);
  });
});

describe("sources of events", () => {
  test("the caller's own at /events", async () => {
    const own = await list("/events", "developer");
    expect(own.length).toBeGreaterThan(10);
    expect(new Set(own.map((event) => event.author_id))).toEqual(new Set([people.developer]));
  });
  test("everyone's in visible projects, with scope=all", async () => {
    const all = await list("/events?scope=all", "developer");
    expect(new Set(all.map((event) => event.author_id)).size).toBeGreaterThan(5);
    const { headers } = await session.ask("GET /events?scope=all", { as: "developer" });
    const everything = await session.ask("GET /events?scope=all");
    expect(Number(headers.get("x-total"))).toBeLessThan(Number(everything.headers.get("x-total")));
    expect((await session.ask("GET /events?scope=mine")).status).toBe(400);
  });
  test("another user's by id or name, if the projects are visible", async () => {
    const byId = await list(`/users/${people.developer}/events`, "outsider");
    expect(await list("/users/Dana.Dixon/events", "outsider")).toEqual(byId);
    const hidden = [4, 5, 9, 10];
    expect(byId.filter((event) => hidden.includes(event.project_id))).toEqual([]);
    const mine = await session.ask(`GET /users/${people.developer}/events?per_page=1`, { as: "developer" });
    const theirs = await session.ask(`GET /users/${people.developer}/events?per_page=1`, { as: "outsider" });
    expect(Number(theirs.headers.get("x-total"))).toBeLessThan(Number(mine.headers.get("x-total")));
    expect((await session.ask("GET /users/no.such.user/events")).json).toEqual({ message: "404 User Not Found" });
  });
  test("a project's, without a token if it is public", async () => {
    const open = await list("/projects/acme%2Fstorefront/events", null);
    expect(new Set(open.map((event) => event.project_id))).toEqual(new Set([7]));
    expect((await session.ask("GET /projects/acme%2Fplatform%2Fbilling/events", { as: null })).status).toBe(404);
    expect((await session.ask("GET /projects/4/events", { as: "outsider" })).status).toBe(404);
    expect((await session.ask("GET /projects/4/events", { as: "guest" })).status).toBe(200);
  });
  test("with scope read_user or api; a project's with read_api too", async () => {
    const statuses = async (path: string) =>
      Promise.all(
        (["developer", "readUser", "readApi"] as const).map(
          async (as) => (await session.ask(`GET ${path}`, { as })).status,
        ),
      );
    expect(await statuses("/events")).toEqual([200, 200, 403]);
    expect(await statuses("/users/4/events")).toEqual([200, 200, 403]);
    expect(await statuses("/projects/7/events")).toEqual([200, 200, 200]);
  });
});

describe("kinds of events", () => {
  test.each([
    ["action=pushed", (event: Shown) => event.action_name === "pushed"],
    ["action=commented", (event: Shown) => event.action_name === "commented on"],
    ["action=created", (event: Shown) => event.action_name === "opened"],
    ["action=merged", (event: Shown) => event.action_name === "accepted"],
    ["target_type=issue", (event: Shown) => event.target_type === "Issue"],
    ["target_type=merge_request&action=closed", () => false],
    ["target_type=note", (event: Shown) => event.target_type === "Note"],
  ])("%s", async (query, test) => {
    const found = await list(`/projects/7/events?${query}`);
    expect(found.filter((event) => !test(event))).toEqual([]);
    if (!query.includes("&")) expect(found.length).toBeGreaterThan(2);
  });
  test.each(["action=Pushed", "target_type=Issue", "action=danced", "target_type=epic", "sort=up"])(
    "%s is refused",
    async (query) => {
      const { status, json } = await session.ask(`GET /events?${query}`);
      expect([status, Object.keys(json.message)]).toEqual([400, [query.split("=")[0]]]);
    },
  );
  test("months of events", async () => {
    const oldest = (await list("/projects/7/events?sort=asc&after=2021-12-31"))[0];
    expect(String(oldest?.created_at) < "2024-01-01").toBe(true);
  });
});

describe("an event", () => {
  const common = [
    ...["id", "title", "project_id", "action_name", "target_id", "target_iid", "target_type", "author_id"],
    ...["target_title", "created_at", "author", "imported", "imported_from", "author_username"],
  ];
  const fields = async (path: string) => Object.keys((await list(path, "developer"))[0] ?? {}).sort();

  test("has the fields of its kind", async () => {
    expect(await fields("/events?action=closed")).toEqual([...common].sort());
    expect(await fields("/events?action=pushed")).toEqual([...common, "push_data"].sort());
    expect(await fields("/events?action=commented")).toEqual([...common, "note"].sort());
    expect(await fields("/projects/7/events?action=closed")).toEqual([...common, "data"].sort());
  });
  test("of a push says what was pushed", async () => {
    const [event] = (await session.ask("GET /projects/7/events?action=pushed")).json;
    expect(event.push_data).toEqual({
      commit_count: expect.any(Number),
      action: expect.stringMatching(/^(created|pushed)$/),
      ref_type: expect.stringMatching(/^(branch|tag)$/),
      commit_from: event.push_data.action === "created" ? null : expect.stringMatching(/^[0-9a-f]{40}$/),
      commit_to: expect.stringMatching(/^[0-9a-f]{40}$/),
      ref: expect.any(String),
      commit_title: expect.any(String),
    });
    expect(Object.keys(event.author).sort()).toEqual(["avatar_url", "id", "name", "state", "username", "web_url"]);
    expect(event.author_username).toBe(event.author.username);
  });
  test("of a comment has the note, with its iid only in the list of a project", async () => {
    const [own] = (await session.ask("GET /events?action=commented", { as: "developer" })).json;
    const [shared] = (await session.ask("GET /projects/7/events?action=commented")).json;
    expect(own.note).not.toHaveProperty("noteable_iid");
    expect(shared.note).toMatchObject({ noteable_iid: expect.any(Number), system: false, attachment: null });
    expect(shared.target_id).toBe(shared.note.id);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import type { Asking, Session } from "./session.ts";
import { openSession } from "./session.ts";

const now = new Date("2026-03-04T10:00:00.000Z");
let session: Session;
beforeAll(async () => {
  session = await openSession({ now: () => now });
});
afterAll(() => session.sandbox.close());

const issue = "/projects/7/issues/28";
const epic = "/groups/acme/epics/104";
const open = "45e1ded38990e86b70bc91ffbf1f90b1d0e47350";
const resolved = "2d6848d60163d216866dfa3c044db52f468dbd69";

const ask = (request: string, as: Asking["as"] = "developer", json?: unknown) => session.ask(request, { as, json });

interface Thread {
  id: string;
  individual_note: boolean;
  notes: {
    id: number;
    type: string | null;
    body: string;
    resolvable: boolean;
    resolved?: boolean;
    internal: boolean;
  }[];
}
const thread = async (id: string, place = issue): Promise<Thread> => (await ask(`GET ${place}/discussions/${id}`)).json;

/** A new single comment on the issue, and its discussion. */
async function comment(body: string): Promise<{ discussion: string; note: number }> {
  const { id } = (await ask(`POST ${issue}/notes`, "developer", { body })).json;
  const list: Thread[] = (await ask(`GET ${issue}/discussions?per_page=100`)).json;
  return { note: id, discussion: list.find(({ notes }) => notes[0]?.id === id)?.id ?? "none" };
}

describe("reading", () => {
  test("single comments, system notes, and threads, in the order of their start", async () => {
    const list: Thread[] = (await ask(`GET ${issue}/discussions`)).json;
    expect(list.map(({ individual_note, notes }) => [individual_note, ...notes.map(({ id }) => id)])).toEqual([
      [true, 300_001],
      [true, 300_002],
      [true, 300_003],
      [true, 300_021],
      [true, 300_011],
      [false, 300_031, 300_032, 300_033],
      [false, 300_041, 300_042],
    ]);
    for (const { id } of list) expect(id).toMatch(/^[0-9a-f]{40}$/);
    expect((await ask(`GET ${issue}/discussions?per_page=2&page=2`)).json).toEqual(list.slice(2, 4));
  });

  test("notes have their type, and whether they are resolved if they can be", async () => {
    const types = async (id: string) =>
      (await thread(id)).notes.map((note) => [note.type, note.resolvable, note.resolved]);
    expect(await types(open)).toEqual(Array(3).fill(["DiscussionNote", true, false]));
    expect(await types(resolved)).toEqual(Array(2).fill(["DiscussionNote", true, true]));
    const { discussion } = await comment("alone");
    expect(await types(discussion)).toEqual([[null, false, undefined]]);
  });

  test("internal ones are hidden below the Reporter role", async () => {
    const seen = async (as: Asking["as"]) => (await ask(`GET ${epic}/discussions`, as)).json.length;
    expect([await seen("reporter"), await seen("guest"), await seen(null)]).toEqual([3, 2, 2]);
  });

  test("undocumented endpoints do not exist", async () => {
    expect((await ask(`GET ${issue}/discussions/${"0".repeat(40)}`)).json).toEqual({
      message: "404 Discussion Not Found",
    });
    expect((await ask("POST /projects/7/issues/999/discussions", "developer", { body: "x" })).json).toEqual({
      message: "404 Issue Not Found",
    });
  });
});

describe("writing", () => {
  test("a thread is started, on an epic too, without activity", async () => {
    const newest = async () => (await ask("GET /events?scope=all&per_page=1", "administrator")).json[0].id;
    const before = await newest();
    for (const place of [issue, "/projects/7/snippets/7001", epic]) {
      const { status, json } = await ask(`POST ${place}/discussions`, "developer", { body: "Well?" });
      expect({ status, json }).toMatchObject({
        status: 201,
        json: { individual_note: false, notes: [{ type: "DiscussionNote", body: "Well?", resolved: false }] },
      });
      expect(await thread(json.id, place)).toEqual(json);
    }
    expect(await newest()).toBe(before);
  });

  test("follows the rules of notes: text, permission to backdate, spam", async () => {
    const start = (json: object, as?: Asking["as"]) => ask(`POST ${issue}/discussions`, as, json);
    expect((await start({ body: "" })).json).toEqual({ message: { body: ["can't be blank"] } });
    expect((await start({ body: "x", created_at: "2020-01-01" })).status).toBe(403);
    expect((await start({ body: "x", created_at: "2020-01-01" }, "owner")).json.notes[0].created_at).toBe(
      "2020-01-01T00:00:00.000Z",
    );
    expect((await start({ body: "sandbox-spam" })).json.needs_captcha_response).toBe(true);
    expect((await start({ body: "x" }, null)).status).toBe(401);
    // Only the notes API turns an emoji into a reaction.
    expect((await start({ body: ":tada:" })).json.notes[0].body).toBe(":tada:");
  });

  test("a reply turns a single comment into a thread, which the notes API no longer shows", async () => {
    const { note, discussion } = await comment("First.");
    expect((await ask(`GET ${issue}/notes/${note}`)).status).toBe(200);
    const reply = { body: "Second.", note_id: note };
    const { status, json } = await ask(`POST ${issue}/discussions/${discussion}/notes`, "reporter", reply);
    expect({ status, json }).toMatchObject({ status: 201, json: { type: "DiscussionNote", body: "Second." } });
    const { individual_note, notes } = await thread(discussion);
    expect([individual_note, notes.map(({ body }) => body)]).toEqual([false, ["First.", "Second."]]);
    expect((await ask(`GET ${issue}/notes/${note}`)).status).toBe(404);
  });

  test("a reply in a resolved thread leaves it resolved, one in an internal one is internal", async () => {
    const add = async (id: string, note_id: number) =>
      (await ask(`POST ${issue}/discussions/${id}/notes`, "developer", { body: "More.", note_id })).json;
    expect((await add(resolved, 300_041)).resolved).toBe(true);
    const internal: Thread = (await ask(`GET ${issue}/discussions?per_page=100`)).json.find(
      ({ notes }: Thread) => notes[0]?.id === 300_011,
    );
    expect(await add(internal.id, 300_011)).toMatchObject({ internal: true, resolved: false });
  });

  test("group hooks receive notes in threads", async () => {
    const receiver = await startReceiver();
    const hook = { url: receiver.url, push_events: false, note_events: true, confidential_note_events: true };
    await ask("POST /groups/acme/hooks", "owner", hook);
    const { id, notes } = (await ask(`POST ${issue}/discussions`, "developer", { body: "Start" })).json;
    await receiver.wait(1);
    await ask(`POST ${issue}/discussions/${id}/notes`, "developer", { body: "Continue", note_id: notes[0].id });
    await receiver.wait(2);
    const hush = "51cd38d25bb9c7a394dc6b9ac5f7f9cbfe4b6e46";
    await ask(`POST ${issue}/discussions/${hush}/notes`, "developer", { body: "Hush", note_id: 300_011 });
    const told = (await receiver.wait(3)).map(({ headers, body }) => [
      headers["x-service-event"],
      JSON.parse(body).object_attributes.note,
    ]);
    expect(told).toEqual([
      ["Note Hook", "Start"],
      ["Note Hook", "Continue"],
      ["Confidential Note Hook", "Hush"],
    ]);
  });

  test("a reply names a note of that discussion", async () => {
    const add = (json: object) => ask(`POST ${issue}/discussions/${open}/notes`, "developer", json);
    expect((await add({ body: "x" })).json).toEqual({ message: '400 (Bad request) "note_id" not given' });
    expect((await add({ body: "x", note_id: 300_041 })).json).toEqual({ message: "404 Note Not Found" });
  });

  test("a note of a thread is changed and deleted; the discussion is deleted with its last note", async () => {
    const { json } = await ask(`POST ${issue}/discussions`, "reporter", { body: "Typo" });
    const path = `${issue}/discussions/${json.id}/notes/${json.notes[0].id}`;
    expect((await ask(`PUT ${path}`, "developer", { body: "No" })).status).toBe(403);
    expect((await ask(`PUT ${path}`, "reporter", {})).status).toBe(400);
    expect((await ask(`PUT ${path}`, "reporter", { body: "Right" })).json).toMatchObject({
      body: "Right",
      type: "DiscussionNote",
    });
    expect((await ask(`DELETE ${path}`, "developer")).status).toBe(403);
    expect((await ask(`DELETE ${path}`, "reporter")).status).toBe(204);
    expect((await ask(`GET ${issue}/discussions/${json.id}`)).status).toBe(404);
    expect((await ask(`PUT ${epic}/discussions/${json.id}/notes/1`, "reporter", { body: "x" })).status).toBe(404);
  });
});

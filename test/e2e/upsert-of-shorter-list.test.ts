import { expect, test } from "vitest";
import { type Answer, json, signedIn } from "../support/answering.ts";

// Others delete notes while notes upsert looks for its own: that moves to a page that was read already.

const bot = { id: 7, username: "bot", name: "Bot", state: "active" };
const note = (id: number, body = `text ${id}`) => ({ id, body, author: bot, system: false });
const own = note(1, "old\n\n<!-- forgectl:coverage -->");

/** Two notes a page; for as many times as `deletions`, the newest one is deleted after the first page was sent. */
const shrinking = (rows: readonly object[], deletions: number): Answer => {
  let left = rows;
  return (request, response, origin) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    if (pathname.endsWith("/user")) return json(200, JSON.stringify(bot))(request, response, origin);
    if (request.method === "POST") return json(201, JSON.stringify(note(5000, "new")))(request, response, origin);
    if (request.method === "PUT") return json(200, JSON.stringify(note(1, "new")))(request, response, origin);
    const page = Number(searchParams.get("page") ?? 1);
    const headers = { "x-total": `${left.length}`, "x-next-page": page * 2 < left.length ? `${page + 1}` : "" };
    const body = JSON.stringify(left.slice(page * 2 - 2, page * 2));
    if (page === 1 && rows.length - left.length < deletions) left = left.slice(1);
    return json(200, body, headers)(request, response, origin);
  };
};

const others = (count: number) => Array.from({ length: count }, (_, index) => note(100 - index));

/** The exit code, what was printed, and the changes. */
async function upsert(rows: readonly object[], deletions: number) {
  const there = await signedIn(shrinking(rows, deletions));
  const line = "notes upsert --mr 1 -p 7 --key coverage --body new --jq .status";
  const { code, stdout, stderr } = await there.run(...line.split(" "));
  const sent = there.seen.filter((request) => !request.startsWith("GET "));
  return { code, stdout, stderr, sent: sent.map((request) => request.replace(/ .*\/notes/, " notes")) };
}

test("the list is read again, and the note is found", async () => {
  const { code, stdout, stderr, sent } = await upsert([...others(2), own, note(0)], 1);
  expect([code, stdout, sent]).toEqual([0, "updated\n", ["PUT notes/1"]]);
  expect(stderr).toMatch(/^undo: .*\n$/);
});

test("if it is not there once the list has its length, it is made", async () => {
  const { code, stdout, stderr, sent } = await upsert(others(6), 2);
  expect([code, stdout, sent]).toEqual([0, "created\n", ["POST notes"]]);
  expect(stderr).toMatch(/^undo: .*\n$/);
});

test("none is made while the list becomes shorter each time", async () => {
  const { code, stdout, stderr, sent } = await upsert(others(9), 9);
  expect([code, stdout, sent]).toEqual([6, "", []]);
  expect(stderr.split("\n")).toEqual([
    "error: the note was not created: there may be one with the key",
    "cause: entries left the list of notes each of the 3 times that it was read",
    "outcome: nothing was changed",
    "try:   run the command again",
    "",
  ]);
});

test("a note that was found is changed, with the warning that others may be missing", async () => {
  const { code, stdout, stderr, sent } = await upsert([own, ...others(4)], 1);
  expect([code, stdout, sent]).toEqual([0, "updated\n", ["PUT notes/1"]]);
  expect(stderr).toContain("warning: entries left a list while it was read");
});

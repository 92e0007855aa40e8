import { expect, test } from "vitest";
import { type Answer, json, signedIn } from "../support/answering.ts";

// Instances page the lists of notes, discussions, and events before they take out what the token may not see. Behind a
// proxy that removes the paging headers, a page that is not full does not end one, nor does an empty page.

const bot = { id: 7, username: "bot", name: "Bot", state: "active" };
const note = (id: number, body = `text ${id}`) => ({ id, body, author: bot, system: false });

/** The rows of all pages, of which those that are undefined are hidden. Other requests are for the user or a place. */
const hiding =
  (rows: readonly (object | undefined)[], headersOf = (): Record<string, string> => ({})): Answer =>
  (request, response, origin) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    if (pathname.endsWith("/user")) return json(200, JSON.stringify(bot))(request, response, origin);
    if (request.method === "POST") return json(201, JSON.stringify(note(5000, "new")))(request, response, origin);
    if (request.method === "PUT") return json(200, JSON.stringify(note(740, "new")))(request, response, origin);
    const size = Number(searchParams.get("per_page") ?? 20);
    const from = (Number(searchParams.get("page") ?? 1) - 1) * size;
    const shown = rows.slice(from, from + size).filter((row) => row !== undefined);
    return json(200, JSON.stringify(shown), headersOf())(request, response, origin);
  };

/** Of 300 rows, the first 250 are hidden, but for one: so is all of the second page. */
const mostlyHidden = (row: (id: number) => object) =>
  Array.from({ length: 300 }, (_, index) => (index < 250 && index !== 3 ? undefined : row(1000 - index)));

const discussion = (id: number) => ({ id: `${id}`.padStart(40, "0"), individual_note: true, notes: [note(id)] });
const event = (id: number) => ({ id, action_name: "pushed to", created_at: "2026-11-30T02:25:00.000Z" });

test.each([
  ["notes list --mr 1 -p 7", note],
  ["notes list --epic 1 -g 4", note],
  ["discussions list --issue 1 -p 7", discussion],
  ["events list -p 7", event],
  ["events list", event],
] as const)("%s is read to its end", async (line, row) => {
  const there = await signedIn(hiding(mostlyHidden(row)));
  const { code, stdout } = await there.run(...line.split(" "), "-L", "all", "--jq", ".[].id");
  expect([code, stdout.split("\n").length - 1]).toEqual([0, 51]);
  const some = await there.run(...line.split(" "), "-L", "3", "--jq", ".[].id");
  expect([some.code, some.stdout.split("\n").length - 1]).toEqual([0, 1]);
});

test("an empty list is read for two pages", async () => {
  const there = await signedIn(hiding([]));
  const { code } = await there.run(..."notes list --mr 1 -p 7 -L all".split(" "));
  expect([code, there.seen.filter((line) => line.includes("/notes")).length]).toEqual([0, 2]);
});

test("pages of hidden rows do not end a list whose rows are counted", async () => {
  const rows = [...Array.from({ length: 350 }, () => undefined), note(1)];
  const there = await signedIn(hiding(rows, () => ({ "x-total": `${rows.length}` })));
  const { code, stdout } = await there.run(..."notes list --mr 1 -p 7 -L all --jq .[].id".split(" "));
  expect([code, stdout]).toEqual([0, "1\n"]);
});

test("notes upsert finds its note behind them, and makes no second one", async () => {
  const rows = mostlyHidden((id) => (id === 740 ? note(id, "old\n\n<!-- forgectl:coverage -->") : note(id)));
  const there = await signedIn(hiding(rows));
  const line = "notes upsert --mr 1 -p 7 --key coverage --body new --jq .status";
  const { code, stdout } = await there.run(...line.split(" "));
  expect([code, stdout]).toEqual([0, "updated\n"]);
  expect(there.seen.filter((request) => !request.startsWith("GET "))).toEqual([
    expect.stringMatching(/^PUT .*\/merge_requests\/1\/notes\/740$/),
  ]);
});

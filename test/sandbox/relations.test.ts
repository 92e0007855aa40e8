import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

let session: Session;
let now = Date.parse("2026-03-01T12:00:00.000Z");
beforeAll(async () => {
  session = await openSession({ now: () => new Date(now) });
});
afterAll(() => session.sandbox.close());

const base = "/projects/7/export_relations";
const statuses = async () => (await session.ask(`GET ${base}/status`)).json;
const statusOf = async (relation: string) => (await session.ask(`GET ${base}/status?relation=${relation}`)).json[0];

async function lines(query: string): Promise<unknown[]> {
  const response = await fetch(`${session.sandbox.url}/api/v4${base}/download?${query}`, {
    headers: { "private-token": session.sandbox.tokens.administrator },
  });
  expect([query, response.status]).toEqual([query, 200]);
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

test("an export is scheduled, takes its time, and then exists", async () => {
  expect(await statuses()).toEqual([]);
  const scheduled = await session.ask(`POST ${base}`);
  expect([scheduled.status, scheduled.json]).toEqual([202, { message: "202 Accepted" }]);
  const [settings] = await statuses();
  expect(settings).toEqual({
    relation: "auto_devops",
    status: 0,
    error: null,
    updated_at: "2026-03-01T12:00:00.000Z",
    batched: false,
    batches_count: 0,
  });
  expect((await session.ask(`GET ${base}/download?relation=auto_devops`)).status).toBe(404);
  now += 40;
  const [first, second] = await statuses();
  expect(first).toEqual({ ...settings, status: 1, updated_at: "2026-03-01T12:00:00.040Z" });
  expect(second).toMatchObject({ relation: "boards", status: 0 });
  now += 2000;
  expect((await statuses()).every((entry: { status: number }) => entry.status === 1)).toBe(true);
  expect(await lines("relation=labels")).toContainEqual(expect.objectContaining({ title: "bug" }));
  expect(await lines("relation=releases")).toEqual([]);
});

test("a batched one has batches, which together are the whole", async () => {
  await session.ask(`POST ${base}`);
  now += 2000;
  const whole = await lines("relation=issues");
  expect(whole.length).toBeGreaterThan(20);
  expect(whole[0]).toMatchObject({ iid: expect.any(Number), notes: expect.any(Array) });
  await session.ask(`POST ${base}`, { json: { batched: true } });
  now += 370;
  const half = await statusOf("issues");
  expect([half.status, half.batches.map((batch: { status: number }) => batch.status)]).toEqual([0, [0, 0, 0]]);
  now += 3;
  expect((await statusOf("issues")).batches[0]).toEqual({
    status: 1,
    batch_number: 1,
    objects_count: 10,
    error: null,
    updated_at: new Date(now).toISOString(),
  });
  now += 2000;
  expect(await statusOf("issues")).toMatchObject({ status: 1, batched: true, batches_count: 3 });
  const parts = [1, 2, 3].map((number) => lines(`relation=issues&batched=true&batch_number=${number}`));
  expect((await Promise.all(parts)).flat()).toEqual(whole);
  expect(await lines("relation=issues&batched=true")).toEqual(whole);
});

describe("a download is refused", () => {
  test.each([
    ["", 400],
    ["relation=nothing", 404],
    ["relation=issues", 400],
    ["relation=issues&batched=true&batch_number=4", 404],
    ["relation=issues&batched=true&batch_number=0", 400],
  ])("of %j of a batched export", async (query, status) => {
    await session.ask(`POST ${base}`, { json: { batched: true } });
    now += 2000;
    expect((await session.ask(`GET ${base}/download?${query}`)).status).toBe(status);
  });
});

test("in project 4 one relation fails, and has no file", async () => {
  const failing = "/projects/4/export_relations";
  await session.ask(`POST ${failing}`);
  now += 2000;
  const { json } = await session.ask(`GET ${failing}/status`);
  expect(json.filter((entry: { status: number }) => entry.status !== 1)).toEqual([
    expect.objectContaining({
      relation: "merge_requests",
      status: -1,
      error: "Timed out while reading merge_requests",
    }),
  ]);
  expect((await session.ask(`GET ${failing}/download?relation=merge_requests`)).status).toBe(404);
});

test("the demo instance has an export finished days ago", async () => {
  const { json } = await session.ask("GET /projects/3/export_relations/status");
  expect(json.length).toBeGreaterThan(5);
  for (const entry of json)
    expect(entry).toMatchObject({ status: 1, updated_at: expect.stringMatching(/^2026-02-26T12/) });
});

test("requires a Maintainer", async () => {
  for (const request of [`POST ${base}`, `GET ${base}/status`, `GET ${base}/download?relation=issues`]) {
    expect([request, (await session.ask(request, { as: "developer" })).status]).toEqual([request, 403]);
  }
  expect((await session.ask(`GET ${base}/status`, { as: "maintainer" })).status).toBe(200);
});

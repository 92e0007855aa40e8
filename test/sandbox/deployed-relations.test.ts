import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

// Exports of relations on real instances.

let session: Session;
let now = Date.parse("2026-03-01T12:00:00.000Z");
beforeAll(async () => {
  session = await openSession({ asDeployed: true, now: () => new Date(now) });
  await session.ask("PUT /application/settings", { json: { bulk_import_enabled: true } });
});
afterAll(() => session.sandbox.close());

interface Status {
  readonly relation: string;
  readonly status: number;
  readonly updated_at: string;
  readonly total_objects_count: number;
}
const base = (project: number) => `/projects/${project}/export_relations`;
const statuses = async (project: number): Promise<Status[]> => (await session.ask(`GET ${base(project)}/status`)).json;
const times = (rows: Status[]) => rows.map(({ relation, updated_at }) => [relation, updated_at]);
const start = async (project: number, batched = false) =>
  expect((await session.ask(`POST ${base(project)}`, { json: { batched } })).status).toBe(202);

test("within three minutes of its end, an export is not made again", async () => {
  await start(7);
  now += 5000;
  const first = await statuses(7);
  expect(first.every(({ status }) => status === 1)).toBe(true);
  now += 170_000;
  await start(7);
  now += 1000;
  expect(times(await statuses(7))).toEqual(times(first));
  now += 7000;
  await start(7, true);
  now += 5000;
  const again = await statuses(7);
  expect(again.every(({ updated_at }) => updated_at > "2026-03-01T12:03:00")).toBe(true);
  // Batches are always made again; what has none is not.
  now += 10_000;
  await start(7, true);
  now += 5000;
  const changed = (await statuses(7)).filter(
    ({ relation, updated_at }) => updated_at !== again.find((row) => row.relation === relation)?.updated_at,
  );
  expect(changed.length).toBe(again.length - 5);
  expect(changed.map(({ relation }) => relation)).not.toContain("repository");
});

test("an export begins a second after its request: until then the one before is shown", async () => {
  const before = times(await statuses(3));
  await start(3);
  now += 999;
  expect(times(await statuses(3))).toEqual(before);
  now += 1;
  expect((await statuses(3)).every(({ status }) => status < 1)).toBe(true);
  now += 600_000;
});

test("the contributions of users are pending until the others have ended, and objects are counted", async () => {
  await start(3);
  now += 1000;
  const last = async () => (await statuses(3)).find(({ relation }) => relation === "user_contributions")?.status;
  expect(await last()).toBe(-2);
  now += 22 * 40;
  expect(await last()).toBe(0);
  now += 40;
  expect(await last()).toBe(1);
  const labels = (await statuses(3)).find(({ relation }) => relation === "labels");
  expect(labels?.total_objects_count).toBe(6);
});

test("a relation that is no longer exported keeps its old status forever", async () => {
  const [old] = await statuses(1);
  expect(old).toMatchObject({ relation: "metrics_setting", status: 1, updated_at: expect.stringMatching(/^2024/) });
  await start(1);
  now += 5000;
  const rows = await statuses(1);
  expect(rows[0]).toEqual(old);
  expect(rows.length).toBeGreaterThan(9);
});

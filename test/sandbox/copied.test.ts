import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { groupExports } from "../../src/sandbox/areas/groups/parts.ts";
import { type Sandbox, startSandbox as startFresh } from "../../src/sandbox/index.ts";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";

/** All that a sandbox holds, but for times of the start and what contains them. */
async function contentsOf({ store }: Sandbox) {
  const times = /\d{4}-\d\d-\d\d[T_][\d:.-]+Z?/g;
  const plain = (value: unknown) =>
    JSON.stringify(value, (name, each) => (name === "blob" ? each.id : each)).replace(times, "time");
  // The archive of a group contains the times of its files.
  const archives = store.table(groupExports).all();
  const digests = store.blobs.all().map(async ({ id, size }) => {
    const content = await store.blobs.read(id);
    return archives.some(({ blob }) => blob.id === id)
      ? { id }
      : { id, size, sha256: createHash("sha256").update(content).digest("hex") };
  });
  return {
    tables: new Map([...store.tables()].map(([name, table]) => [name, plain(table.dump())])),
    values: new Map([...store.values()].map(([name, value]) => [name, plain(value)])),
    blobs: await Promise.all(digests),
  };
}

it.each([{}, { tier: "free" as const }, { hosting: "hosted" as const }, { asDeployed: true }])(
  "the demo data that tests copy is that of a fresh sandbox, whatever a test removes, with %j",
  async (options) => {
    const fresh = await startFresh(options);
    const first = await startSandbox(options);
    atEnd(() => Promise.all([fresh.close(), first.close()]));
    expect((await contentsOf(fresh)).tables.size).toBeGreaterThan(30);
    for (const table of first.store.tables().values()) for (const { id } of table.all()) table.delete(id);
    for (const { id } of first.store.blobs.all()) first.store.blobs.delete(id);
    const second = await startSandbox(options);
    atEnd(() => second.close());
    expect(await contentsOf(second)).toEqual(await contentsOf(fresh));
  },
);

it("no test can change what others copy: rows and values are replaced, and never changed in place", async () => {
  const { store, close } = await startSandbox();
  atEnd(close);
  const rows = [...store.tables().values()].flatMap((table) => table.all());
  expect(rows.length).toBeGreaterThan(1000);
  expect([...rows, ...store.values().values()].filter((each) => !isFrozen(each))).toEqual([]);
});

function isFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

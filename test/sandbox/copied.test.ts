import { expect, it } from "vitest";
import { type Sandbox, startSandbox as startOwn } from "../../src/sandbox/index.ts";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";

/** All that a sandbox holds, but for times of the start and what contains them. */
function held({ store }: Sandbox) {
  const times = /\d{4}-\d\d-\d\d[T_][\d:.-]+Z?/g;
  const plain = (value: unknown) =>
    JSON.stringify(value, (name, each) => (name === "blob" ? each.id : each)).replace(times, "time");
  return {
    tables: new Map([...store.tables()].map(([name, table]) => [name, plain(table.dump())])),
    values: new Map([...store.values()].map(([name, value]) => [name, plain(value)])),
    blobs: store.blobs.all().map(({ id }) => id),
  };
}

it.each([{}, { tier: "free" as const }, { asDeployed: true }])(
  "what tests copy from another sandbox is what a sandbox makes by itself, with %j",
  async (options) => {
    const own = await startOwn(options);
    const first = await startSandbox(options);
    atEnd(() => Promise.all([own.close(), first.close()]));
    expect(held(own).tables.size).toBeGreaterThan(30);
    // Whatever a test changes.
    for (const table of first.store.tables().values()) for (const { id } of table.all()) table.delete(id);
    for (const { id } of first.store.blobs.all()) first.store.blobs.delete(id);
    const second = await startSandbox(options);
    atEnd(() => second.close());
    expect(held(second)).toEqual(held(own));
  },
);

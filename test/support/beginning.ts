import type { Sandbox } from "../../src/sandbox/index.ts";

/**
 * Remembers what a sandbox holds; what this gives puts it back, in a fiftieth of the time that another sandbox takes to
 * start. Only for tests whose requests set nothing going that would end later.
 */
export async function beginningOf({ store }: Sandbox): Promise<() => void> {
  const tables = [...store.tables()].map(([name, table]) => ({ name, ...table.dump() }));
  const values = [...store.values()];
  const contents = await Promise.all(
    store.blobs.all().map(async (blob) => ({ blob, bytes: await store.blobs.read(blob.id) })),
  );
  return () => {
    for (const table of store.tables().values()) table.restore(1, []);
    for (const { name, nextId, rows } of tables) store.table({ name }).restore(nextId, rows);
    // Others have their initial value again when they are asked for.
    const held = store.values() as Map<string, unknown>;
    held.clear();
    for (const [name, value] of values) held.set(name, value);
    for (const { id } of store.blobs.all()) store.blobs.delete(id);
    for (const { blob, bytes } of contents) store.blobs.restore(blob, bytes);
  };
}

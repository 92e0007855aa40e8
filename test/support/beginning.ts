import type { Sandbox } from "../../src/sandbox/index.ts";

/**
 * Saves the contents of a sandbox; the returned function restores them, which is faster than starting another sandbox.
 * Only for tests that leave nothing running in the sandbox.
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
    // Missing values get their initial value when they are read.
    const held = store.values() as Map<string, unknown>;
    held.clear();
    for (const [name, value] of values) held.set(name, value);
    for (const { id } of store.blobs.all()) store.blobs.delete(id);
    for (const { blob, bytes } of contents) store.blobs.restore(blob, bytes);
  };
}

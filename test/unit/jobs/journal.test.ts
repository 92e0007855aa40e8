import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileError } from "../../../src/base/errors.ts";
import { bulk } from "../../../src/jobs/bulk.ts";
import { openJournal } from "../../../src/jobs/journal.ts";
import { nodeFiles } from "../../../src/node/files.ts";
import { contextFor } from "../../support/context.ts";

const head = { command: "prune", instance: "http://127.0.0.1:1" };

/** A disk with room for this many writes to a journal, and half of the next. */
function almostFull(writes: number) {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  let taken = 0;
  return async (path: string) => {
    const file = await nodeFiles("/").createPrivate(path);
    return {
      ...file,
      write: async (chunks: readonly Uint8Array[]) => {
        taken += 1;
        if (taken <= writes) return file.write(chunks);
        const [chunk = new Uint8Array()] = chunks;
        if (taken === writes + 1) await file.write([chunk.subarray(0, chunk.length / 2)]);
        throw new FileError(path, "written", full);
      },
    };
  };
}

/** The outcome of three items with room for this many journal writes, its first line included. */
async function pruned(writes: number) {
  const context = contextFor("http://127.0.0.1:1", { files: { createPrivate: almostFull(writes) } });
  Object.assign(context.config, { concurrency: 1 });
  const path = join(context.folder, "run.journal");
  const journal = await openJournal(context, path, head);
  const deleted: string[] = [];
  const act = async (name: string) => {
    await journal.begin(name);
    deleted.push(name);
    await journal.end(name, "deleted");
    return { name, status: "deleted" };
  };
  const rows: object[] = [];
  const error = await (async () => {
    for await (const row of await bulk(context, ["a", "b", "c"], act, (name) => ({ name }))) rows.push(row);
  })().catch((thrown: unknown) => thrown);
  await journal.close();
  return { rows, error, deleted, path, context };
}

test("a full disk: nothing is started that cannot be recorded, and the journal is still readable", async () => {
  const { rows, error, deleted, path, context } = await pruned(3);
  expect(deleted).toEqual(["a"]);
  expect(rows).toMatchObject([
    { name: "a", status: "deleted" },
    { name: "b", status: "not_tried" },
    { name: "c", status: "not_tried" },
  ]);
  expect(error).toMatchObject({ exit: "integrity", details: { code: "journal_failed" } });
  expect(readFileSync(path, "utf8")).not.toMatch(/\n$/);
  const again = await openJournal({ ...context, files: nodeFiles("/") }, path, head);
  expect([...again.seen.keys()]).toEqual(["a"]);
  await again.begin("b");
  await again.close();
  expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(4);
});

test("a full disk after a change: it was made, and is not reported as failed", async () => {
  const { rows, deleted } = await pruned(2);
  expect(deleted).toEqual(["a"]);
  expect(rows).toMatchObject([
    { name: "a", status: "made", error: expect.stringContaining("ENOSPC") },
    { name: "b", status: "not_tried" },
    { name: "c", status: "not_tried" },
  ]);
});

test("an invalid line in the middle is a usage error, and the file is not changed", async () => {
  const context = contextFor("http://127.0.0.1:1");
  const path = join(context.folder, "run.journal");
  const text = `${JSON.stringify({ journal: 2, ...head })}\nnull\n{"id":"a","event":"begin"}\n`;
  writeFileSync(path, text, { mode: 0o600 });
  await expect(openJournal(context, path, head)).rejects.toMatchObject({
    exit: "usage",
    message: expect.stringContaining("line 2 is not an entry"),
  });
  expect(readFileSync(path, "utf8")).toBe(text);
});

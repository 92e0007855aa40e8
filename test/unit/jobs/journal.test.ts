import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileError } from "../../../src/base/errors.ts";
import { bulk } from "../../../src/jobs/bulk.ts";
import { openJournal, recallJournal } from "../../../src/jobs/journal.ts";
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

const begun = `${JSON.stringify({ journal: 2, ...head })}\n`;
const done = '{"id":"a","event":"end","status":"done","at":"2026-11-21T16:45:02.000Z"}\n';

test.each([
  ["null", "null"],
  ["a list", "[]"],
  ["a text", '"a"'],
  ["no ID", '{"event":"end","status":"done"}'],
  ["no event", '{"id":"b","status":"done"}'],
  ["another event", '{"id":"b","event":"done","status":"done"}'],
  ["a start that is done", '{"id":"b","event":"begin","status":"done"}'],
  ["an end without a status", '{"id":"b","event":"end"}'],
  ["a status that is no text", '{"id":"b","event":"end","status":{"done":true}}'],
  ["facts that are null", '{"id":"b","event":"plan","facts":null}'],
  ["a time that is none", '{"id":"b","event":"end","status":"done","at":7}'],
  ["inherited fields", '{"__proto__":{"id":"b","event":"end","status":"done"}}'],
  ["the head of another run", `${JSON.stringify({ journal: 2, ...head, command: "else" })}`],
  ["half a line", '{"id":"b","event":"e'],
  ["depth", "[".repeat(2_000_000)],
])("an entry with %s is a usage error, and the file is not changed", async (_, entry) => {
  const context = contextFor("http://127.0.0.1:1");
  const path = join(context.folder, "run.journal");
  const text = `${begun}${entry}\n${done}`;
  writeFileSync(path, text, { mode: 0o600 });
  const failure = { exit: "usage", message: expect.stringContaining("line 2 is not an entry of a journal") };
  await expect(openJournal(context, path, head)).rejects.toMatchObject(failure);
  await expect(recallJournal(context, path, head)).rejects.toMatchObject(failure);
  expect(readFileSync(path, "utf8")).toBe(text);
});

test.each([
  ["whole", ""],
  ["cut", '{"id":"b","event":"end","sta'],
  ["cut within a character", Buffer.from('{"id":"é').subarray(0, -1)],
])("a journal that is %s keeps each byte of its entries, whatever their encoding", async (_, rest) => {
  const context = contextFor("http://127.0.0.1:1");
  const path = join(context.folder, "run.journal");
  const notUtf8 = Buffer.concat([
    Buffer.from('{"id":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('","event":"begin"}\n{"id":"\\ud800","event":"begin"}\n'),
  ]);
  const kept = Buffer.concat([Buffer.from(begun), notUtf8, Buffer.from(done)]);
  writeFileSync(path, Buffer.concat([kept, Buffer.from(rest)]), { mode: 0o600 });
  const journal = await openJournal(context, path, head);
  expect([...journal.seen.keys()]).toEqual(["\ufffd\ufffd", "\ud800", "a"]);
  await journal.begin("c");
  await journal.close();
  const now = readFileSync(path);
  expect(now.subarray(0, kept.length).equals(kept)).toBe(true);
  expect(JSON.parse(now.subarray(kept.length).toString())).toMatchObject({ id: "c", event: "begin" });
});

test("a journal that an editor gave a byte order mark is refused, and not cut", async () => {
  const context = contextFor("http://127.0.0.1:1");
  const path = join(context.folder, "run.journal");
  const text = `\ufeff${begun}${done}`;
  writeFileSync(path, text, { mode: 0o600 });
  await expect(openJournal(context, path, head)).rejects.toMatchObject({ exit: "usage" });
  expect(readFileSync(path, "utf8")).toBe(text);
});

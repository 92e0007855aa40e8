import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PrivateFile } from "../../../src/host.ts";
import { isOpen, type JournalHead, openJournal, recallJournal } from "../../../src/jobs/journal.ts";
import { contextFor } from "../../support/context.ts";

const head: JournalHead = { command: "prune", instance: "https://forge.example.com" };
const now = new Date("2026-11-21T16:45:02.000Z");

function place() {
  const context = Object.assign(contextFor("http://127.0.0.1:1"), { now: () => now });
  return { context, path: join(context.folder, "run.journal") };
}

const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);

/** Opens a journal that an earlier run with this head wrote. */
async function reopened(earlier: JournalHead, later: JournalHead) {
  const { context, path } = place();
  await (await openJournal(context, path, earlier)).close();
  return openJournal(context, path, later);
}

describe("a journal", () => {
  test("has a line for what it belongs to, and one for each plan, beginning, and end, with its time", async () => {
    const { context, path } = place();
    const journal = await openJournal(context, path, { ...head, caller: 7, inputs: { a: "00" } });
    expect(journal.seen.size).toBe(0);
    await journal.plan([
      { id: "a", facts: { old: 1 } },
      { id: "b", facts: { old: 2 } },
    ]);
    await journal.begin("a");
    await journal.end("a", "done");
    await journal.begin("b", { temporary: "x" });
    await journal.end("b", "failed", { why: "no" });
    await journal.close();
    const at = now.toISOString();
    expect(linesOf(path)).toEqual([
      { journal: expect.any(Number), ...head, caller: 7, inputs: { a: "00" }, at },
      { id: "a", event: "plan", facts: { old: 1 }, at },
      { id: "b", event: "plan", facts: { old: 2 }, at },
      { id: "a", event: "begin", at },
      { id: "a", event: "end", status: "done", at },
      { id: "b", event: "begin", facts: { temporary: "x" }, at },
      { id: "b", event: "end", status: "failed", facts: { why: "no" }, at },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    const again = await openJournal(context, path, { ...head, caller: 7, inputs: { a: "00" } });
    await again.close();
    expect([...again.seen]).toEqual([
      ["a", { id: "a", event: "end", status: "done", at }],
      ["b", { id: "b", event: "end", status: "failed", facts: { why: "no" }, at }],
    ]);
  });

  test("is held by one run at a time, until it is closed, or could not be read", async () => {
    const { context, path } = place();
    Object.assign(context, { holder: { name: "1:1@test", alive: () => true } });
    const journal = await openJournal(context, path, head);
    await expect(openJournal(context, path, head)).rejects.toMatchObject({
      exit: "conflict",
      details: { code: "journal_in_use", reason: expect.stringContaining(".lock exists; if no other forgectl") },
    });
    await journal.close();
    await (await openJournal(context, path, head)).close();
    await expect(openJournal(context, path, { ...head, command: "other" })).rejects.toMatchObject({ exit: "usage" });
    await (await openJournal(context, path, head)).close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test("is on the disk before the work continues, and each of its handles is closed", async () => {
    const { context, path } = place();
    const events: string[] = [];
    const watched = (file: PrivateFile): PrivateFile => ({
      ...file,
      write: (chunks) => file.write(chunks).then(() => void events.push("write")),
      sync: () => file.sync().then(() => void events.push("sync")),
      close: () => file.close().then(() => void events.push("close")),
    });
    const { createPrivate, openOwn } = context.files;
    const openWatched = async (name: string) => {
      const file = await openOwn(name);
      return typeof file === "object" ? watched(file) : file;
    };
    const files = { ...context.files, createPrivate: async (name: string) => watched(await createPrivate(name)) };
    Object.assign(context, { files: { ...files, openOwn: openWatched } });
    const journal = await openJournal(context, path, head);
    await journal.begin("a");
    expect(events.splice(0)).toEqual(["write", "sync", "write", "sync"]);
    await journal.close();
    await recallJournal(context, path, head);
    await expect(openJournal(context, path, { ...head, command: "other" })).rejects.toThrow();
    expect(events).toEqual(["close", "close", "close"]);
  });

  test("is only read in a dry run", async () => {
    const { context, path } = place();
    const journal = await openJournal(context, path, head);
    await journal.begin("a");
    await journal.close();
    const text = readFileSync(path, "utf8");
    Object.assign(context.config, { dryRun: true });
    const dry = await openJournal(context, path, head);
    expect([...dry.seen.keys()]).toEqual(["a"]);
    await dry.plan([{ id: "b", facts: {} }]);
    await dry.begin("b");
    await dry.end("b", "done");
    await dry.close();
    expect(readFileSync(path, "utf8")).toBe(text);
    const none = join(context.folder, "none");
    expect((await openJournal(context, none, head)).seen.size).toBe(0);
    expect((await recallJournal(context, none, head)).size).toBe(0);
    expect(existsSync(none)).toBe(false);
  });

  test("that is cut in its first line is started again; another file is refused, and stays as it is", async () => {
    const { context, path } = place();
    writeFileSync(path, '{"journal"', { mode: 0o600 });
    await (await openJournal(context, path, head)).close();
    expect(linesOf(path)).toHaveLength(1);
    const whole = readFileSync(path, "utf8");
    writeFileSync(path, whole.replace(/"journal":\d+/, '"journal":99'), { mode: 0o600 });
    await expect(openJournal(context, path, head)).rejects.toThrow("is a journal of another version of this program");
    for (const text of ["notes", "notes\n", '{"name":1}\n', '{"journal":"2"}\n', "[]\n"]) {
      writeFileSync(path, text, { mode: 0o600 });
      await expect(openJournal(context, path, head)).rejects.toThrow(`${path} is not a journal of this program`);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
  });
});

describe("a journal of another run is refused", () => {
  test.each<[JournalHead, JournalHead, string]>([
    [head, { ...head, command: "prune --wait" }, "of the command prune"],
    [head, { ...head, instance: "https://other" }, "of the instance https://forge.example.com"],
    [{ ...head, caller: 7 }, { ...head, caller: 8 }, "of user 7"],
    [{ ...head, callers: { a: 1, b: 2 } }, { ...head, callers: { a: 1, b: 3 } }, "of user 2 of profile b"],
    [{ ...head, inputs: { map: "00" } }, { ...head, inputs: { map: "01" } }, "map had other content"],
    [{ ...head, inputs: { map: "00" } }, head, "map had other content"],
    [head, { ...head, inputs: { map: "00" } }, "map had other content"],
  ])("%j for %j: %s", async (earlier, later, what) => {
    await expect(reopened(earlier, later)).rejects.toMatchObject({
      exit: "usage",
      message: expect.stringMatching(new RegExp(`is the journal of another run: ${what}$`)),
      details: { hint: "name another file with --journal" },
    });
  });

  test.each<[string, JournalHead, JournalHead]>([
    ["the user was not known then", head, { ...head, caller: 8 }],
    ["the user is not known now", { ...head, caller: 7 }, head],
    ["a user of a profile was not known then", { ...head, callers: { a: 1 } }, { ...head, callers: { a: 1, b: 2 } }],
    ["all is the same", { ...head, caller: 7, inputs: { a: "00" } }, { ...head, caller: 7, inputs: { a: "00" } }],
  ])("but not if %s", async (_, earlier, later) => {
    await (await reopened(earlier, later)).close();
  });
});

test.each([
  [undefined, false],
  [{ id: "a", event: "plan" }, false],
  [{ id: "a", event: "begin" }, true],
  [{ id: "a", event: "end", status: "made" }, true],
  [{ id: "a", event: "end", status: "done" }, false],
  [{ id: "a", event: "end", status: "failed" }, false],
] as const)("an item with the last entry %j was started and is not known to be complete: %s", (entry, is) => {
  expect(isOpen(entry)).toBe(is);
});

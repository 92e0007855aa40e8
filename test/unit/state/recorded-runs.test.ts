import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listRuns, readRun, runIn, runsSince } from "../../../src/state/runs/recorded-runs.ts";
import type { RunEntry } from "../../../src/state/runs/runs.ts";
import { contextFor } from "../../support/context.ts";

const here = "https://forge.example.com";
const head = {
  run: "20261121T164502Z-7f3a",
  instance: here,
  what: "apply",
  only: "hooks",
  started: "2026-11-21T16:45:02Z",
};
const end = { ended: "2026-11-21T16:46:00Z", complete: true };

function entry(status: RunEntry["status"], more: Partial<RunEntry> = {}): RunEntry {
  return {
    address: "acme#hooks/Deploys",
    at: "group",
    scope: "acme",
    kind: "hooks",
    key: "Deploys",
    id: 1,
    action: "update",
    status,
    error: null,
    before: { url: "a" },
    after: null,
    sent: {},
    secrets: [],
    hidden: [],
    time: "t",
    version: "v",
    ...more,
  };
}

const journal = (...lines: unknown[]) =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
const statuses = (text: string) => runIn(text)?.entries.map(({ status }) => status);

describe("the run that a journal holds", () => {
  test("has its head, its end, and an entry for each change", () => {
    const text = journal(
      head,
      { n: 1, planned: entry("not_tried") },
      { n: 1, begin: entry("unknown") },
      { n: 1, end: entry("done") },
      { preimage: "x" },
      end,
    );
    expect(runIn(text)).toEqual({ ...head, ended: end.ended, complete: true, damaged: [], entries: [entry("done")] });
  });

  test("without a head there is none", () => {
    expect([runIn(""), runIn("x\n"), runIn(journal({ run: 1 })), runIn(journal([head]))]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("one that was killed has no end, and what it had begun is unknown", () => {
    const text = journal(
      head,
      { n: 1, planned: entry("not_tried") },
      { n: 2, planned: entry("not_tried") },
      { n: 2, begin: entry("unknown") },
    );
    expect(runIn(text)).toMatchObject({
      ended: null,
      complete: false,
      entries: [{ status: "not_tried" }, { status: "unknown" }],
    });
  });

  test("a later end replaces an earlier one; each change has its own", () => {
    const second = { address: "acme#hooks/Chat" };
    const text = journal(
      head,
      { n: 1, begin: entry("unknown") },
      { n: 2, begin: entry("unknown", second) },
      { n: 1, end: entry("unknown") },
      { n: 2, end: entry("refused", second) },
      { n: 1, end: entry("done") },
    );
    expect(statuses(text)).toEqual(["done", "refused"]);
  });

  test("an end without a beginning is an entry", () => {
    expect(statuses(journal(head, { n: 4, end: entry("done") }))).toEqual(["done"]);
  });

  test("older runs have no numbers: an end is that of the last entry of its address", () => {
    const other = { address: "acme#hooks/Chat" };
    const text = journal(
      head,
      { begin: entry("unknown") },
      { begin: entry("unknown", other) },
      { begin: entry("unknown") },
      { end: entry("done") },
    );
    expect(statuses(text)).toEqual(["unknown", "unknown", "done"]);
  });

  test.each<[complete: unknown, status: RunEntry["status"], isComplete: boolean]>([
    [true, "done", true],
    [false, "done", false],
    ["yes", "done", false],
    // Older runs do not say.
    [undefined, "done", true],
    [undefined, "refused", false],
  ])("with the end `complete: %j` and a change that is %s it is complete: %s", (complete, status, isComplete) => {
    expect(runIn(journal(head, { n: 1, end: entry(status) }, { ...end, complete }))?.complete).toBe(isComplete);
  });

  test("a last line that is cut is dropped; a change that it begins is unknown", () => {
    const text = journal(head, { n: 1, planned: entry("not_tried") }, { n: 12, planned: entry("not_tried") });
    expect(statuses(`${text}{"n":1,"begin":{"addr`)).toEqual(["unknown", "not_tried"]);
    expect(statuses(`${text}{"n":12,"begin":`)).toEqual(["not_tried", "unknown"]);
    expect(runIn(`${text}{"n":12,"begin":`)?.entries[1]?.error).toBe("the record is cut within this change");
    for (const cut of ['{"n":3,"begin":{', '{"n":1,"end":{', "{", ' {"n":1,"begin":{'])
      expect([cut, statuses(text + cut)]).toEqual([cut, ["not_tried", "not_tried"]]);
  });
});

describe("a line that no run writes is counted as damaged, with its number", () => {
  const { sent: _, hidden: __, time: ___, version: ____, ...older } = entry("done");
  test.each<[line: unknown, damaged: boolean]>([
    ["{", true],
    [[], true],
    [{}, true],
    [{ ended: 3 }, true],
    [{ preimage: 3 }, true],
    [{ n: 1, begin: null }, true],
    [{ n: 1, end: older }, false],
    [{ n: 1, end: entry("done", { sent: null, before: null, after: {} }) }, false],
    [{ n: 1, end: { ...older, error: undefined } }, false],
    ...["address", "at", "scope", "kind", "key", "action", "status"].map((name): [unknown, boolean] => [
      { n: 1, end: entry("done", { [name]: 1 }) },
      true,
    ]),
    ...["id", "before", "after", "sent", "error", "time", "version"].map((name): [unknown, boolean] => [
      { n: 1, end: entry("done", { [name]: [] }) },
      true,
    ]),
    ...["secrets", "hidden"].flatMap((name) =>
      [null, "x", [1]].map((value): [unknown, boolean] => [{ n: 1, end: entry("done", { [name]: value }) }, true]),
    ),
    [{ n: 1, end: { ...older, secrets: undefined } }, true],
    [{ n: 1, end: { ...older, before: undefined } }, true],
  ])("%j: %s", (line, damaged) => {
    expect(runIn(journal(head, { preimage: "" }, line, end))?.damaged).toEqual(damaged ? [3] : []);
  });
});

describe("the runs of this machine", () => {
  const machine = () => {
    const context = contextFor(here);
    const write = (id: string, text = journal({ ...head, run: id }), name = "journal.ndjson") => {
      mkdirSync(join(context.stateFolder("runs"), id), { recursive: true });
      writeFileSync(join(context.stateFolder("runs"), id, name), text, { mode: 0o600 });
    };
    return { context, write };
  };
  const id = (second: number, more = "7f3a") => `20261121T1645${String(second).padStart(2, "0")}Z-${more}`;
  const started = (second: number, more: object = {}) =>
    journal({ ...head, run: id(second), started: `2026-11-21T16:45:${String(second).padStart(2, "0")}Z`, ...more });

  test("are listed with the newest first; what is no run is passed over", async () => {
    const { context, write } = machine();
    expect(await listRuns(context)).toEqual([]);
    for (const second of [4, 30, 9]) write(id(second), started(second));
    write(id(31), "", "preimage.yaml");
    write("forge.example.com.lock");
    write(`${id(32)}x`);
    expect((await listRuns(context)).map(({ run }) => run)).toEqual([30, 9, 4].map((second) => id(second)));
  });

  test("of the same second have the order in which they say they started", async () => {
    const { context, write } = machine();
    write(id(4, "aaaa"), started(4, { run: "a", started: "2026-11-21T16:45:04.900Z" }));
    write(id(4, "bbbb"), started(4, { run: "b", started: "2026-11-21T16:45:04.100Z" }));
    expect((await listRuns(context)).map(({ run }) => run)).toEqual(["a", "b"]);
  });

  test("those of this instance since a second are found, however many of others there were since", async () => {
    const { context, write } = machine();
    for (const second of [1, 2, 3])
      write(id(second), started(second, second === 2 ? { instance: "https://other.example" } : {}));
    const since = async (second: number) =>
      (await runsSince(context, new Date(Date.UTC(2026, 10, 21, 16, 45, second)))).map(({ run }) => run);
    expect([await since(3), await since(2), await since(1)]).toEqual([[id(3)], [id(3)], [id(3), id(1)]]);
  });

  test("one is read by its ID, which is no path", async () => {
    const { context, write } = machine();
    write(id(4));
    expect((await readRun(context, id(4)))?.run).toBe(id(4));
    expect(await readRun(context, id(5))).toBeUndefined();
    expect(await readRun(context, `../runs/${id(4)}`)).toBeUndefined();
  });
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import type { Entry } from "../../../src/commands/relations/export-end.ts";
import { isAfter, settled } from "../../../src/commands/relations/export-wait.ts";
import { contextFor } from "../../support/context.ts";
import { usualRelations } from "../../support/exporting.ts";

const earlier = "2026-01-01T10:00:00.000Z";
const later = "2026-01-01T10:00:00.001Z";

function entry(relation: string, status: number, updated_at = later, more: Partial<Entry> = {}): object {
  return { relation, status, error: null, updated_at, batched: false, batches_count: 0, ...more };
}

/** Finished statuses of the usual relations but these. */
function others(...names: string[]): object[] {
  return usualRelations.filter((name) => !names.includes(name)).map((name) => entry(name, 1));
}

interface Waiting {
  start?: number;
  limitSeconds?: number;
  isFirst?: boolean;
  batched?: boolean;
}

/** Waits against an instance that answers with these lists of statuses, or a 500, in order; the last one repeats. */
async function waiting(
  looks: readonly (readonly object[] | 500)[],
  since: string | undefined = earlier,
  { start = 0, limitSeconds = 30, isFirst = false, batched = false }: Waiting = {},
) {
  let asked = 0;
  const server = createServer((_, response) => {
    const answer = looks[Math.min(asked++, looks.length - 1)];
    // Its clock is that of the context.
    response.sendDate = false;
    response.setHeader("content-type", "application/json");
    response.writeHead(answer === 500 ? 500 : 200).end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  let seconds = 0;
  const labels: string[] = [];
  const warnings: string[] = [];
  const context = {
    ...contextFor(`http://127.0.0.1:${port}`),
    now: () => new Date(start + seconds * 1000),
    elapsedMs: () => seconds++ * 1000,
    // The clock runs by itself.
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (signal === undefined) return;
      await new Promise((done) => {
        setTimeout(done, Math.min(ms, 5000));
        signal.addEventListener("abort", done);
      });
    },
    notice: (text: string) => void labels.push(text),
    warn: (text: string) => void warnings.push(text),
    closing: (text: string) => void labels.push(text),
    progress: {
      start: () => ({ update: (_: number, { label = "" } = {}) => void labels.push(label), stop() {} }),
    },
  };
  const result = settled(context, {
    project: "7",
    since: isFirst ? undefined : since,
    batched,
    limitSeconds,
    resume: "relations status -p 7 --watch",
  });
  const entries = await result.catch((error: unknown) => error);
  return { entries, asked, labels, warnings };
}

describe("waiting for an export", () => {
  test("does not mistake a status of an earlier one for the new one's", async () => {
    const old = [entry("boards", 1, "2026-01-01T09:59:00.000Z"), entry("issues", 1, earlier)];
    const rest = others("boards", "issues");
    const half = [entry("boards", 1), entry("issues", 1, earlier), ...rest];
    const done = [entry("boards", 1), entry("issues", 1), ...rest];
    const { entries, asked } = await waiting([old, old, half, half, done, done]);
    expect([entries, asked]).toEqual([done, 6]);
  });

  test("does not end between two relations that start one by one", async () => {
    const first = [entry("boards", 1)];
    const both = [entry("boards", 1), entry("issues", 0)];
    const two = [entry("boards", 1), entry("issues", 1)];
    const done = [...two, ...others("boards", "issues")];
    const { entries, asked } = await waiting([[], first, both, two, done], undefined, {
      limitSeconds: 60,
      isFirst: true,
    });
    expect(entries).toEqual(done);
    // The others may begin within ten seconds after.
    expect(asked).toBeGreaterThanOrEqual(4 + 10 / 2);
  });

  test("ends with the errors of failed relations, including batches", async () => {
    const batches = [
      { status: 1, batch_number: 1, objects_count: 10, error: null, updated_at: later },
      { status: -1, batch_number: 2, objects_count: 3, error: "no room", updated_at: later },
    ];
    const done = [
      entry("boards", 1),
      entry("issues", -1, later, { batched: true, batches_count: 2, batches, error: "a batch failed" }),
      entry("labels", -1),
    ];
    const { entries } = await waiting([done, done]);
    expect(entries).toBeInstanceOf(Failure);
    expect(entries).toMatchObject({
      exit: "partial",
      message: "2 of 3 relations could not be exported",
      details: { fields: { "issues.2": ["no room"], issues: ["a batch failed"], labels: ["failed"] } },
    });
  });

  test("uses an export that ended less than three minutes before, if the instance makes no new one", async () => {
    const begin = Date.parse(earlier) + 60_000;
    const recent = usualRelations.map((name) =>
      entry(name, 1, name === "boards" ? "2026-01-01T09:59:50.000Z" : earlier),
    );
    const { entries, labels } = await waiting([recent], earlier, { start: begin, limitSeconds: 60 });
    expect(entries).toEqual(recent);
    expect(labels.at(-1)).toContain("27 of 27 relations were not exported again");
    // An older one is not the one that was asked for.
    const old = await waiting([recent], earlier, { start: begin + 3_600_000, limitSeconds: 200 });
    expect(old.entries).toMatchObject({
      exit: "notReady",
      details: { reason: expect.stringContaining("an export that ended before") },
    });
  });

  test("leaves out a relation that is no longer exported, once nothing has changed for a while", async () => {
    const old = entry("metrics_setting", 1, "2024-01-01T10:00:00.000Z");
    const running = [...others("issues"), entry("issues", 0), old];
    const done = [...others("issues"), entry("issues", 1), old];
    const { entries, labels } = await waiting([running, done], earlier, { limitSeconds: 200 });
    expect(entries).toEqual(done.slice(0, -1));
    expect(labels.at(-1)).toBe(
      "left out, since the instance no longer exports them: metrics_setting (2024-01-01T10:00:00.000Z)",
    );
  });

  test("a relation of the export before that is not exported again has failed, once it was waited for", async () => {
    const old = entry("merge_requests", 1, "2024-01-01T10:00:00.000Z");
    const done = [...others("merge_requests"), old];
    const begun = [...others("merge_requests"), entry("merge_requests", 1)];
    const slow = await waiting([...Array(60).fill(done), begun], earlier, { limitSeconds: 1800 });
    expect(slow.entries).toEqual(begun);
    const never = await waiting([done], earlier, { limitSeconds: 1800 });
    expect(never.entries).toMatchObject({
      exit: "partial",
      details: { fields: { merge_requests: [expect.stringContaining("has not exported it again")] } },
    });
  });

  test.each(usualRelations)("%s is waited for, whether an export before had it or not", async (late) => {
    const most = others(late);
    const all = [...most, entry(late, 1)];
    for (const isFirst of [true, false]) {
      const { entries, warnings } = await waiting([most.slice(1), ...Array(30).fill(most), all], earlier, {
        limitSeconds: 600,
        isFirst,
      });
      expect([entries, warnings]).toEqual([all, []]);
    }
  });

  test("what every release exports, and an export has not begun after five minutes, has failed", async () => {
    const most = others("repository", "uploads", "push_rule", "commit_notes");
    const { entries, labels, warnings } = await waiting([others("repository"), most], undefined, {
      limitSeconds: 900,
      isFirst: true,
    });
    expect([entries, warnings]).toEqual([
      expect.objectContaining({ exit: "partial", message: "2 of 26 relations could not be exported" }),
      [expect.stringContaining("the instance has not exported commit_notes, or not yet: forgectl relations status ")],
    ]);
    expect(entries).toMatchObject({ details: { fields: { repository: [expect.stringContaining("every release")] } } });
    expect(labels).toContain("exporting relations of project 7: 24 of 24 relations, repository not begun");
    const late = await waiting([others("repository"), ...Array(100).fill(most), others()], undefined, {
      limitSeconds: 900,
      isFirst: true,
    });
    expect(late.entries).toEqual(others());
  });

  test("the time in which the instance does not answer is not quiet", async () => {
    const most = others("user_contributions");
    const all = [...most, entry("user_contributions", 1)];
    for (const isFirst of [true, false]) {
      const looks = [most.slice(1), most, ...Array(100).fill(500), most, all];
      const { entries } = await waiting(looks, earlier, { limitSeconds: 900, isFirst });
      expect(entries).toEqual(all);
    }
  });

  test("what failed a minute before, and is not exported again, is waited for, and has failed", async () => {
    const begin = Date.parse(earlier) + 60_000;
    const reused = usualRelations
      .filter((name) => name !== "pipeline_schedules")
      .map((name) => entry(name, 1, earlier));
    const failed = [...reused, entry("pipeline_schedules", -1, earlier, { error: "no room" })];
    const again = [...reused, entry("pipeline_schedules", 1, new Date(begin + 90_000).toISOString())];
    const late = await waiting([...Array(90).fill(failed), again], earlier, { start: begin, limitSeconds: 1800 });
    expect(late.entries).toEqual(again);
    const never = await waiting([failed], earlier, { start: begin, limitSeconds: 1800 });
    expect(never.entries).toMatchObject({
      exit: "partial",
      details: {
        fields: { pipeline_schedules: [expect.stringMatching(/^no room; the instance has not exported it again/)] },
      },
    });
  });

  test("one of current releases that is not exported again is waited for, and then left out", async () => {
    const before = "2026-01-01T09:00:00.000Z";
    const left = [...others("user_contributions"), entry("user_contributions", 1, before)];
    const all = [...others("user_contributions"), entry("user_contributions", 1)];
    const late = await waiting([...Array(100).fill(left), all], earlier, { limitSeconds: 1800 });
    expect(late.entries).toEqual(all);
    const never = await waiting([left], earlier, { limitSeconds: 1800 });
    expect(never.entries).toEqual(left.slice(0, -1));
    expect(never.labels.at(-1)).toContain("left out, since the instance no longer exports them: user_contributions");
  });

  test("lists are exported again if batches are requested, and if they were in batches", async () => {
    const begin = Date.parse(earlier) + 60_000;
    const old = usualRelations.map((name) => entry(name, 1, earlier));
    const batches = usualRelations.map((name) => entry(name, 1, earlier, { batched: name === "issues" }));
    const anew = usualRelations.map((name) => entry(name, 1, new Date(begin + 40_000).toISOString()));
    for (const [before, batched] of [
      [old, true],
      [batches, false],
    ] as const) {
      const looks = [...Array(40).fill(before), anew];
      const { entries } = await waiting(looks, earlier, { start: begin, limitSeconds: 1800, batched });
      expect(entries).toEqual(anew);
    }
  });

  test("rows in another order are the same rows", async () => {
    const all = usualRelations.map((name) => entry(name, 1));
    const { entries } = await waiting([all, all.toReversed(), all, all.toReversed()], undefined, { isFirst: true });
    expect(entries).toHaveLength(all.length);
  });

  test("a pending relation has not ended", async () => {
    const pending = [...others("issues"), entry("issues", -2)];
    const done = [...others("issues"), entry("issues", 1)];
    const { entries, asked } = await waiting([pending, pending, pending, done], earlier, { limitSeconds: 60 });
    expect([entries, asked]).toEqual([done, 5]);
  });

  test("times out with the command to resume, and shows the progress meanwhile", async () => {
    const batches = [
      { status: 1, batch_number: 1, objects_count: 10, error: null, updated_at: later },
      { status: 0, batch_number: 2, objects_count: 3, error: null, updated_at: later },
    ];
    const running = [entry("boards", 1), entry("issues", 0, later, { batched: true, batches_count: 2, batches })];
    const { entries, labels } = await waiting([running]);
    expect(entries).toMatchObject({ exit: "notReady", details: { hint: "forgectl relations status -p 7 --watch" } });
    expect(new Set(labels)).toEqual(
      new Set(["exporting relations of project 7: 1 of 2 relations, issues: 1 of 2 batches"]),
    );
  });
});

test("times are compared as instants, not as texts", () => {
  expect(isAfter("2026-01-01T11:00:00.000+01:00", earlier)).toBe(false);
  expect(isAfter("2026-01-01T11:00:00.001+01:00", earlier)).toBe(true);
  expect(isAfter("2000-01-01T00:00:00Z", undefined)).toBe(true);
});

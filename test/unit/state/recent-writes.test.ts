import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { cacheSeconds, recallWrites } from "../../../src/state/runs/recent-writes.ts";
import type { RunEntry } from "../../../src/state/runs/runs.ts";
import { contextFor } from "../../support/context.ts";

const here = "https://forge.example.com";
const now = Date.parse("2026-11-21T16:45:00Z");
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

/** A change of a setting from one value to another, some seconds ago. */
function write(from: unknown, to: unknown, seconds = 30, more: Partial<RunEntry> = {}): RunEntry {
  return {
    address: "#settings",
    at: "instance",
    scope: "",
    kind: "settings",
    key: "",
    id: 1,
    action: "update",
    status: "done",
    error: null,
    before: { max_login_attempts: from },
    after: { max_login_attempts: to },
    sent: { max_login_attempts: to },
    secrets: [],
    time: ago(seconds),
    ...more,
  };
}

/** The change, interrupted. */
const lost = (from: unknown, to: unknown, more: Partial<RunEntry> = {}) =>
  write(from, to, 30, { status: "unknown", after: null, ...more });

/** What is known of the settings that a read shows so, after runs of one change each, the oldest first. */
async function recalled(shown: Values, entries: RunEntry[], { kind = settingsKind, instance = here, first = "" } = {}) {
  const context = contextFor(here);
  Object.assign(context, { now: () => new Date(now) });
  for (const [at, entry] of entries.entries()) {
    const run = at === 0 && first !== "" ? first : `20261121T1644${String(10 + at)}Z-7f3a`;
    const folder = join(context.stateFolder("runs"), run);
    mkdirSync(folder, { recursive: true });
    const head = { run, instance, what: "apply", started: ago(60 - at) };
    writeFileSync(
      join(folder, "journal.ndjson"),
      `${JSON.stringify(head)}\n${JSON.stringify({ n: 1, end: entry })}\n`,
      { mode: 0o600 },
    );
  }
  const found = await recallWrites(context, kind, { values: shown });
  if (found === undefined) return undefined;
  return { live: found.live.values, doubts: Object.fromEntries(found.doubts), unsure: found.unsure };
}

const shows = (value: unknown, more: Values = {}) => ({
  ...{ max_login_attempts: value, signup_enabled: true, updated_at: ago(600) },
  ...more,
});
const is = (value: unknown, ...doubts: unknown[]) => ({
  live: shows(value),
  doubts: { max_login_attempts: doubts },
  unsure: [],
});

describe("what a recent run wrote counts where the instance still shows what was there before it", () => {
  test.each<[law: string, shown: Values, entries: RunEntry[], expected: unknown]>([
    ["it does", shows(10), [write(10, 5)], is(5, 10)],
    ["in another form of the same value", shows("10"), [write(10, 5)], is(5, "10")],
    ["it shows what was written", shows(5), [write(10, 5)], undefined],
    ["it shows what another user wrote", shows(7), [write(10, 5)], undefined],
    ["it shows what was before an earlier run", shows(10), [write(10, 7), write(7, 5)], is(5, 10)],
    ["it shows what an earlier run wrote", shows(7), [write(10, 7), write(7, 5)], is(5, 7)],
    ["it shows that, although it was changed by hand in between", shows(7), [write(10, 7), write(8, 5)], is(5, 7)],
    ["it shows what was there five runs ago", shows(1), [0, 1, 2, 3, 4, 5].map((at) => write(at, at + 1)), is(6, 1)],
    [
      "many other runs later, too",
      shows(10),
      [write(10, 5), ...Array.from({ length: 12 }, () => write(1, 2, 30, { kind: "hooks" }))],
      is(5, 10),
    ],
    ["the last run wrote it back", shows(10), [write(10, 7), write(7, 10)], undefined],
    ["a run too long ago does not count", shows(10), [write(10, 5, cacheSeconds + 1)], undefined],
    ["one just not too long ago does", shows(10), [write(10, 5, cacheSeconds)], is(5, 10)],
    ["a refused change does not count", shows(10), [write(10, 5, 30, { status: "refused", after: null })], undefined],
    ["nor one that was done without an answer", shows(10), [write(10, 5, 30, { after: null })], undefined],
    ["what the instance altered does", shows(10), [write(10, 6, 30, { status: "altered" })], is(6, 10)],
    ["a change of another kind does not", shows(10), [write(10, 5, 30, { kind: "hooks" })], undefined],
    [
      "the date of a copy is none of the settings",
      { updated_at: "a" },
      [write(1, 2, 30, { before: { updated_at: "a" }, after: { updated_at: "b" }, sent: {} })],
      undefined,
    ],
    ["nothing was written", shows(10), [], undefined],
  ])("%s", async (_law, shown, entries, expected) => {
    expect(await recalled(shown, entries)).toEqual(expected);
  });

  test("runs that started more than an hour before are read only if they are among the newest five", async () => {
    const hooks = write(0, 0, 30, { kind: "hooks" });
    const started = (time: string, later: number) =>
      recalled(shows(10), [write(10, 5), ...Array<RunEntry>(later).fill(hooks)], { first: `${time}Z-7f3a` });
    expect(await started("20261121T154331", 5)).toEqual(is(5, 10));
    expect(await started("20261121T154329", 5)).toBeUndefined();
    expect(await started("20261121T120000", 4)).toEqual(is(5, 10));
  });

  test("only of this instance, and only of a kind whose reads are cached", async () => {
    expect(await recalled(shows(10), [write(10, 5)], { instance: "https://other.example" })).toBeUndefined();
    expect(await recalled(shows(10), [write(10, 5, 30, { kind: "hooks" })], { kind: hooksKind })).toBeUndefined();
  });

  test("older runs say only when they started", async () => {
    const { time: _, ...older } = write(10, 5);
    expect(await recalled(shows(10), [older])).toEqual(is(5, 10));
  });
});

describe("the date of a copy", () => {
  const dated = (seconds: number) => ({ version: ago(seconds) });
  test.each<[law: string, copy: unknown, entry: RunEntry, counts: boolean]>([
    ["an older copy than the run saw", ago(40), write(10, 5, 30, dated(30)), true],
    ["one that is as old as the run's answer is from after it", ago(30), write(10, 5, 30, dated(30)), false],
    ["a newer one, too", ago(20), write(10, 5, 30, dated(30)), false],
    ["one that is as old as what an interrupted run saw before it", ago(30), lost(10, 5, dated(30)), true],
    ["a newer one is from after it", ago(20), lost(10, 5, dated(30)), false],
    ["no date says nothing", undefined, write(10, 5, 30, dated(30)), true],
    ["nor does a run without one", ago(20), write(10, 5), true],
    ["settings that never had one are not cached", undefined, write(10, 5), false],
    ["what a lost change wrote may still be made of them, too", undefined, lost(10, 5), true],
  ])("%s: what was written counts: %s", async (_law, updated_at, entry, counts) => {
    expect((await recalled(shows(10, { updated_at }), [entry])) !== undefined).toBe(counts);
  });
});

describe("an interrupted run may have written it", () => {
  test("so that both values are possible, and what was there before is not certain", async () => {
    expect(await recalled(shows(10), [lost(10, 5)])).toEqual({
      live: shows(10),
      doubts: { max_login_attempts: [10, 5] },
      unsure: ["max_login_attempts"],
    });
  });

  test("what it shows now is then the run's", async () => {
    expect(await recalled(shows(5), [lost(10, 5)])).toBeUndefined();
    expect(await recalled(shows(7), [write(10, 7), lost(7, 5)])).toMatchObject({ unsure: ["max_login_attempts"] });
    expect(await recalled(shows(10), [write(10, 7), lost(7, 5)])).toEqual({
      live: shows(7),
      doubts: { max_login_attempts: [10, 5] },
      unsure: ["max_login_attempts"],
    });
  });

  test.each<[which: string, first: RunEntry]>([
    ["of the same setting", write(10, 7, 30, { version: ago(30) })],
    ["of another one", write(0, 0, 30, { version: ago(30), before: {}, sent: { a: 1 }, after: { a: 1 } })],
  ])("a copy that shows the change before it, %s, is not from after it", async (_which, first) => {
    // What it saw was of before both, as of a process of the instance with an older cache.
    const second = lost(7, 5, { version: ago(40) });
    const found = (at: number) => recalled(shows(7, { updated_at: ago(at) }), [first, second]);
    expect(await found(30)).toMatchObject({ unsure: ["max_login_attempts"] });
    expect(await found(29)).toBeUndefined();
  });
});

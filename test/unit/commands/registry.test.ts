import { describe, expect, test } from "vitest";
import {
  deleteRepository,
  deleteTag,
  deleteTagsInBulk,
  getRepository,
  getTag,
  listTags,
} from "../../../src/api/endpoints/registry.ts";
import { Failure } from "../../../src/base/errors.ts";
import { deleteRepositories } from "../../../src/commands/registry/delete.ts";
import { prune } from "../../../src/commands/registry/tags/prune.ts";
import type { Context } from "../../../src/context.ts";
import type { RecordView, RowsView } from "../../../src/terminal/view.ts";

/** A repository on a simulated platform, and a simulated user at the terminal. */
interface Place {
  tags: string[];
  /** The user's answer; undefined fails the test if there is a prompt. */
  answer?: string | boolean;
  /** Called when a bulk delete was accepted, with a function that schedules an action after that many seconds. */
  onBulk?: (place: Place, inSeconds: (seconds: number, act: () => void) => void) => void;
  /** Deletions are answered with success, but nothing is deleted. */
  ignoresDeletes?: boolean;
}

function open(place: Place) {
  let clock = Date.parse("2026-06-15T12:00:00Z");
  const started = clock;
  const due: { at: number; act: () => void }[] = [];
  const asked: string[] = [];
  const sent: string[] = [];
  const answer = async (question: string) => {
    asked.push(question);
    return place.answer;
  };
  const call = async (endpoint: unknown, input: Record<string, unknown>) => {
    if (endpoint === getRepository) return { path: `acme/repository-${input.repository_id}`, tags_count: 3 };
    if (endpoint === getTag) return { created_at: "2026-06-01T12:00:00Z" };
    if (endpoint === deleteRepository) sent.push(`repository ${input.repository_id}`);
    else if (endpoint === deleteTag) {
      sent.push(`tag ${input.tag_name}`);
      if (!place.ignoresDeletes) place.tags = place.tags.filter((tag) => tag !== input.tag_name);
    } else if (endpoint === deleteTagsInBulk) {
      sent.push(`bulk ${input.name_regex_delete}`);
      place.onBulk?.(place, (seconds, act) => due.push({ at: clock + seconds * 1000, act }));
    } else throw new Error("an unexpected endpoint");
    return undefined;
  };
  async function* list(endpoint: unknown) {
    if (endpoint === listTags) for (const name of place.tags) yield { name };
  }
  const context = {
    now: () => new Date(clock),
    elapsedMs: () => clock,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // A wait that can be canceled is a timeout, which is not reached here.
      if (signal !== undefined) return new Promise(() => undefined);
      clock += ms;
      for (const { act } of due.splice(0, due.filter(({ at }) => at <= clock).length)) act();
    },
    config: {
      yes: false,
      dryRun: false,
      concurrency: 4,
      store: { folder: "/config", readText: async () => undefined, change: async () => undefined },
    },
    prompt: { available: true, text: answer, confirm: answer },
    progress: { start: () => ({ update() {}, stop() {} }) },
    notice: () => undefined,
    closing: () => undefined,
    redact: (text: string) => text,
    uninterrupted: (act: () => Promise<unknown>) => act(),
    ifCutOff: () => undefined,
    signal: new AbortController().signal,
    api: { call, list, made: [], raw: async () => ({ status: 405, headers: {}, body: [] }), fork: () => api },
  } as unknown as Context;
  const { api } = context;
  return { context, asked, sent, seconds: () => (clock - started) / 1000 };
}

const at = { project: "acme/shop", repository_id: 12 };
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `build-${100 + index}`);

const rowsIn = (view: unknown) => (view as RowsView).rows as AsyncIterable<{ tag_name?: string }>;

async function rowsOf(view: unknown): Promise<object[]> {
  const rows: object[] = [];
  for await (const row of rowsIn(view)) rows.push(row);
  return rows;
}

async function failureOf(run: Promise<unknown>): Promise<Failure> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}

describe("the confirmation", () => {
  test.each([undefined, "build-100"])(
    "a pattern that matches everything requires the path to be typed (keep: %s)",
    async (keep) => {
      for (const via of ["bulk", "tags"]) {
        const input = { ...at, via, delete_regex: "(.|x)*", keep_regex: keep };
        const wrong = open({ tags: numbered(2), answer: "acme/shop" });
        const refusal = await failureOf(prune.run(wrong.context, input as never));
        expect([refusal.exit, refusal.message]).toEqual(["usage", "not confirmed"]);
        expect(wrong.sent).toEqual([]);
        expect(wrong.asked[0]).toMatch(/\? Type acme\/repository-12 to confirm:$/);
        const right = open({ tags: numbered(2), answer: " acme/repository-12 " });
        const view = await prune.run(right.context, input as never);
        if (via === "tags") await rowsOf(view);
        expect(right.sent).toHaveLength(via === "bulk" || keep !== undefined ? 1 : 2);
        expect(right.asked[0]).toMatch(keep === undefined ? /^Delete 2 of 2 tags: / : /^Delete 1 of 2 tags: /);
      }
    },
  );

  test("another pattern asks for yes or no, with the number of tags and the rules in words", async () => {
    const place = open({ tags: [...numbered(2), "build-1", "v1"], answer: false });
    const rules = { delete_regex: "build-.*", keep_regex: "build-1", keep_n: 0, older_than: "1 week" };
    await failureOf(prune.run(place.context, { ...at, ...rules } as never));
    expect(place.asked).toEqual([
      "Delete 2 of 4 tags: the tags of repository 12 in project acme/shop that match build-.*, not build-1, but for the " +
        "0 newest, if older than 1 week?",
    ]);
    expect(place.sent).toEqual([]);
    // For a tie there is no prompt, since only the instance knows which tags it keeps.
    const tied = open({ tags: numbered(2) });
    const failure = await failureOf(prune.run(tied.context, { ...at, ...rules, keep_n: 1 } as never));
    expect([failure.code, tied.asked, tied.sent]).toEqual(["tie", [], []]);
    const none = open({ tags: ["v1"] });
    expect(await prune.run(none.context, { ...at, ...rules } as never)).toMatchObject({ record: { deleted: 0 } });
    expect([none.asked, none.sent]).toEqual([[], []]);
  });

  test("tag by tag, it names the tags, up to ten of them", async () => {
    const place = open({ tags: numbered(13), answer: true });
    const rows = await rowsOf(
      await prune.run(place.context, { ...at, via: "tags", delete_regex: "build-.*" } as never),
    );
    expect(place.asked).toEqual([
      `Delete 13 of 13 tags: ${numbered(10).join(", ")} and 3 more (repository 12, project acme/shop)?`,
    ]);
    expect(rows).toHaveLength(13);
    const one = open({ tags: ["v1", "latest"], answer: true });
    await rowsOf(await prune.run(one.context, { ...at, via: "tags", delete_regex: "v.*" } as never));
    expect(one.asked).toEqual(["Delete 1 of 2 tags: v1 (repository 12, project acme/shop)?"]);
  });

  test("whole repositories require their paths to be typed", async () => {
    const place = open({ tags: [], answer: "acme/repository-12 acme/repository-13" });
    const view = await deleteRepositories.run(place.context, { project: "7", repository_id: [12, 13, 12] } as never);
    expect(await rowsOf(view)).toEqual([
      { repository_id: 12, status: "scheduled" },
      { repository_id: 13, status: "scheduled" },
    ]);
    expect(place.asked).toEqual([
      "Delete repositories 12 (acme/repository-12, 3 tags), 13 (acme/repository-13, 3 tags) of project 7? " +
        "Type acme/repository-12 acme/repository-13 to confirm:",
    ]);
    expect(place.sent).toEqual(["repository 12", "repository 13"]);
  });
});

describe("--repeat", () => {
  const repeat = (more: object = {}) => ({ ...at, delete_regex: "build-.*", repeat: true, ...more }) as never;

  test("in bulk: a job that stopped early is distinguished from a running one, long before the timeout", async () => {
    const place = open({
      tags: [...numbered(40), "v1"],
      answer: true,
      onBulk: (self, inSeconds) => inSeconds(5, () => self.tags.splice(0, 25)),
    });
    const failure = await failureOf(prune.run(place.context, repeat()));
    expect([failure.exit, failure.message]).toEqual(["notReady", "15 of 40 tags still exist"]);
    expect(failure.details.reason).toMatch(/the next call is allowed from 2026-06-15T13:00:00Z$/);
    expect(failure.details.hint).toBe(
      "forgectl registry tags prune 12 -p acme/shop --delete-regex 'build-.*' --repeat",
    );
    expect(place.seconds()).toBeGreaterThan(15);
    expect(place.seconds()).toBeLessThan(60);
    expect(place.sent).toEqual(["bulk build-.*"]);
  });

  test("in bulk: a job that starts late is waited for", async () => {
    const place = open({
      tags: numbered(4),
      answer: true,
      onBulk: (self, inSeconds) => {
        inSeconds(100, () => self.tags.splice(0, 2));
        inSeconds(110, () => self.tags.splice(0, 2));
      },
    });
    const { record } = (await prune.run(place.context, repeat())) as RecordView;
    expect(record).toMatchObject({ status: "done", deleted: 4, next_allowed_at: "2026-06-15T13:00:00Z" });
  });

  test("in bulk: a timeout before it started", async () => {
    const place = open({ tags: numbered(4), answer: true });
    const failure = await failureOf(prune.run(place.context, repeat({ wait_timeout: 60 })));
    expect([failure.exit, failure.message]).toEqual(["notReady", "4 of 4 tags still exist"]);
    expect(Math.round(place.seconds())).toBe(60);
  });

  test("tag by tag: tags pushed meanwhile are deleted in the next round", async () => {
    const place: Place = { tags: numbered(3), answer: true };
    const { context, sent } = open(place);
    const view = await prune.run(context, repeat({ via: "tags" }));
    const names: unknown[] = [];
    for await (const { tag_name } of rowsIn(view)) {
      names.push(tag_name);
      if (names.length === 3) place.tags.push("build-late");
    }
    expect(names).toEqual([...numbered(3), "build-late"]);
    expect(sent).toHaveLength(4);
  });

  test("tag by tag: an instance that still lists deleted tags does not cause an endless loop", async () => {
    const place = open({ tags: numbered(2), answer: true, ignoresDeletes: true });
    const failure = await failureOf(prune.run(place.context, repeat({ via: "tags" })).then(rowsOf));
    expect([failure.exit, failure.message]).toEqual([
      "notReady",
      "tags are still listed after they were deleted: build-100, build-101",
    ]);
    expect(place.sent).toHaveLength(2);
  });
});

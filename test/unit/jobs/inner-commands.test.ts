import { describe, expect, test } from "vitest";
import { type ExitName, Failure, type FailureDetails } from "../../../src/base/errors.ts";
import type { InnerCommand, InnerRun } from "../../../src/context.ts";
import { startedBefore } from "../../../src/jobs/begun-changes.ts";
import { type Ended, Runner } from "../../../src/jobs/inner-commands.ts";
import type { Journal } from "../../../src/jobs/journal.ts";
import { refuseUnfit } from "../../../src/jobs/unfit-commands.ts";
import type { ExitView, View } from "../../../src/terminal/view.ts";
import { contextFor } from "../../support/context.ts";

type Run = (more: InnerRun) => Promise<View | ExitView | undefined>;

interface Case {
  run: Run;
  /** The last entries of an earlier run, by ID. */
  seen?: Record<string, object>;
  ids?: readonly (string | undefined)[];
  repeatable?: boolean;
  changes?: boolean;
  yes?: boolean;
  /** Ends the entry of this task with a full disk. */
  brokenAt?: string;
  isThere?: () => Promise<object>;
}

/** Runs tasks with these IDs, one after the other, and returns what is recorded and how the run ended. */
async function runOf({ run, seen = {}, ids = ["a"], yes = false, brokenAt, isThere, ...how }: Case) {
  const context = contextFor("http://127.0.0.1:1");
  Object.assign(context.config, { concurrency: 1 });
  const api = isThere ? { ...context.api, call: isThere } : context.api;
  context.conceal("hunter2");
  const events: string[] = [];
  const journal = {
    seen: new Map(Object.entries(seen)),
    begin: async (id: string) => void events.push(`begin ${id}`),
    end: async (id: string, status: string) => {
      events.push(`end ${id} ${status}`);
      if (id === brokenAt) throw new Failure("integrity", "full", { code: "journal_failed" });
    },
    close: async () => void events.push("close"),
  } as unknown as Journal;
  const remove = async () => void events.push("remove");
  const { repeatable = true, changes = false } = how;
  const inner: InnerCommand["run"] = async (more, read) => read(await run(more));
  const command = { api, run: inner, repeatable, changes } as unknown as InnerCommand;
  const tasks = ids.map((id) => ({ id }));
  const runner = new Runner(context, { journal, names: [], remove }, tasks, { yes });
  const rows: Ended[] = [];
  const prepare = async () => ({ command, scope: { project: "7" } });
  const error = await (async () => {
    for await (const { ended } of runner.results(prepare, { ordered: true, rest: { hint: "rest" } })) rows.push(ended);
  })().catch((thrown: unknown) => thrown);
  return { rows, row: rows[0], events, error, context };
}

const fail = (exit: ExitName, details: FailureDetails = {}) => new Failure(exit, "no", details);
const failing = (exit: ExitName, details?: FailureDetails) => () => Promise.reject(fail(exit, details));
const gone = failing("notFound", { method: "DELETE", status: 404, path: "/api/v4/projects/7/envs/1", reason: "x" });
const begun = { a: { id: "a", event: "begin" } };

describe("a task", () => {
  test("is recorded before and after it; when all are done the record is removed", async () => {
    const given: unknown[] = [];
    const { rows, events, error } = await runOf({
      run: async (how) => {
        given.push(how);
        return { record: { id: 1, token: "x" } };
      },
      ids: ["a", "a"],
      yes: true,
    });
    expect(rows).toEqual([1, 2].map(() => expect.objectContaining({ exit: 0, status: "done", error: null })));
    expect(rows[0]?.result).toMatchObject({ id: 1 });
    expect(events).toEqual(["begin a", "end a done", "begin a#2", "end a#2 done", "close", "remove"]);
    expect(error).toBeUndefined();
    expect(given).toMatchObject([1, 2].map(() => ({ scope: { project: "7" }, outputs: undefined, yes: true })));
  });

  test("without an ID is not recorded", async () => {
    const { rows, events } = await runOf({ run: async () => ({ exit: 10 }), ids: [undefined] });
    expect(rows).toEqual([{ exit: 10, status: "done", result: null, error: null, about: undefined }]);
    expect(events).toEqual(["close", "remove"]);
  });

  test("that an earlier run has done is skipped, with its time", async () => {
    const at = "2026-11-21T16:45:02.000Z";
    const { rows, events, context } = await runOf({
      run: failing("refused"),
      seen: { a: { id: "a", event: "end", status: "done", at } },
      ids: ["a"],
    });
    expect(rows).toEqual([{ exit: null, status: "skipped", result: null, error: null, doneAt: at }]);
    expect(events).toEqual(["close", "remove"]);
    expect(context.notices).toEqual(["nothing was sent: it was done before"]);
  });

  test("that fails has its exit code and its error, without what was sent; the record stays", async () => {
    const { row, events, error } = await runOf({
      run: failing("notFound", { status: 404, reason: "hunter2 not found" }),
      ids: ["a", "b"],
    });
    expect(row).toMatchObject({ exit: 3, status: "refused", result: null, error: { code: "not_found", status: 404 } });
    expect(JSON.stringify(row)).not.toContain("hunter2");
    expect(events).toEqual(["begin a", "end a refused", "begin b", "end b refused", "close"]);
    expect(error).toMatchObject({ exit: "partial", details: { hint: "rest" } });
  });

  test("through a bug is exit 70, and no other is started", async () => {
    const bug = new TypeError("x of undefined");
    const { rows, error } = await runOf({ run: () => Promise.reject(bug), ids: ["a", "b"] });
    expect(rows).toMatchObject([
      { exit: 70, status: "unknown", error: { code: "bug", message: "x of undefined" } },
      { exit: null, status: "not_tried", result: null, error: null },
    ]);
    expect(error).toBe(bug);
  });

  test("keeps the rows before its failure; cut off by Ctrl-C between them, its changes were made in part", async () => {
    async function* rows() {
      yield { id: 1 };
      throw fail("interrupted");
    }
    const view = async () => ({ rows: rows(), validIfPartial: true }) as unknown as View;
    const { row } = await runOf({ run: view });
    expect(row).toMatchObject({ status: "made", result: [{ id: 1 }], exit: 130 });
    async function* refused() {
      yield { id: 1 };
      throw fail("refused", { status: 400 });
    }
    const other = await runOf({ run: async () => ({ rows: refused(), validIfPartial: true }) as unknown as View });
    expect(other.row).toMatchObject({ status: "refused", result: [{ id: 1 }], exit: 1 });
  });

  test("whose outcome is unknown has no end in the record: the next run finds its start", async () => {
    const { events } = await runOf({ run: failing("network", { outcome: "unknown" }) });
    expect(events).toEqual(["begin a", "close"]);
  });

  test("whose end cannot be recorded ends the run", async () => {
    const { rows, error } = await runOf({ run: async () => ({ exit: 0 }), ids: ["a", "b"], brokenAt: "a" });
    expect(rows.map(({ status }) => status)).toEqual(["done", "not_tried"]);
    expect(error).toMatchObject({ details: { code: "journal_failed" } });
  });

  test("with a result that is bytes is refused", async () => {
    const bytes = (async function* () {
      yield new Uint8Array([0xff]);
    })();
    const { row } = await runOf({ run: async () => ({ bytes }) as unknown as View });
    expect(row).toMatchObject({ exit: 2, error: { message: "the result is more than a short text" } });
  });

  test.each([
    ["not text", 1, async () => new Uint8Array([0xff])],
    ["interrupted", 130, failing("interrupted")],
  ])("that changes something and answers with bytes, %s, was made: it is not repeated", async (_, exit, next) => {
    const bytes = (async function* () {
      yield await next();
    })();
    const run: Run = async ({ watch }) => {
      watch?.(["POST /projects/7/notes"]);
      return { bytes } as unknown as View;
    };
    const { row, events } = await runOf({ run, changes: true });
    expect(row).toMatchObject({ exit, status: "made", error: { outcome: "made", retryable: false } });
    expect(events).toContain("end a made");
  });
});

describe("a task that an earlier run started", () => {
  test("is not repeated if it may have been made, and a repetition would make it twice", async () => {
    const { row, events } = await runOf({ run: async () => ({ exit: 0 }), seen: begun, repeatable: false });
    expect(row).toMatchObject({
      exit: 8,
      status: "unknown",
      error: { code: "unknown", message: startedBefore, retryable: false },
    });
    expect(events).toEqual(["close"]);
    const made = await runOf({
      run: async () => ({ exit: 0 }),
      seen: { a: { id: "a", event: "end", status: "made" } },
      repeatable: false,
    });
    expect(made.row).toMatchObject({ exit: 8, status: "made", error: { code: "made", retryable: false } });
  });

  test("and that failed is tried again", async () => {
    const failed = { a: { id: "a", event: "end", status: "failed" } };
    const { row } = await runOf({ run: async () => ({ exit: 0 }), seen: failed, repeatable: false });
    expect(row).toMatchObject({ status: "done" });
    expect((await runOf({ run: async () => ({ exit: 0 }), seen: begun })).row).toMatchObject({ status: "done" });
  });

  test("is done if it was a deletion, and what it deletes is gone from a project that exists", async () => {
    const { row } = await runOf({ run: gone, seen: begun, isThere: async () => ({ id: 7 }) });
    expect(row).toEqual({ exit: 0, status: "done", result: null, error: null });
  });

  test("is unknown if the project cannot be seen, or asked for", async () => {
    for (const isThere of [failing("notFound", { status: 404 }), failing("network")]) {
      const { row } = await runOf({ run: gone, seen: begun, isThere });
      expect(row).toMatchObject({
        status: "unknown",
        error: { cause: `${startedBefore}; now: x`, retryable: false },
      });
    }
  });

  test("is refused if its 404 is not that of a deletion, and so is a deletion that no run started", async () => {
    const isThere = async () => ({ id: 7 });
    const read = failing("notFound", { method: "GET", status: 404 });
    expect((await runOf({ run: read, seen: begun, isThere })).row).toMatchObject({ status: "refused", exit: 3 });
    const forbidden = failing("forbidden", { method: "DELETE", status: 403 });
    expect((await runOf({ run: forbidden, seen: begun, isThere })).row).toMatchObject({ status: "refused", exit: 5 });
    expect((await runOf({ run: gone, isThere })).row).toMatchObject({ status: "refused", exit: 3 });
  });
});

describe("a command inside another one", () => {
  const inner = (path: string, ...globals: string[]) => ({ path: path.split(" "), globals }) as unknown as InnerCommand;

  test.each([
    ...["auth login", "profiles list", "sandbox start", "batch", "each", "completion bash", "__complete"],
    ...["state apply", "doctor", "hooks listen", "files edit", "settings edit"],
  ])("cannot be %s: it uses the terminal, or runs others", (path) => {
    for (const inside of ["batch", "each"]) {
      expect(() => refuseUnfit(inner(path), inside)).toThrow(
        expect.objectContaining({ message: `${path} cannot be run by ${inside}`, code: "unfit_command" }),
      );
    }
  });

  test.each(["hooks list", "files put", "settings set", "registry tags delete"])("can be %s", (path) => {
    expect(() => refuseUnfit(inner(path, "header"), "each")).not.toThrow();
  });

  test("takes --header, in a batch --yes too, and no other global flag", () => {
    expect(() => refuseUnfit(inner("hooks list", "yes", "header"), "batch")).not.toThrow();
    expect(() => refuseUnfit(inner("hooks list", "yes"), "each")).toThrow(
      "--yes: give this to each, not to the command that it runs",
    );
    expect(() => refuseUnfit(inner("hooks list", "yes_for"), "batch")).toThrow("--yes=<profile>: give this to batch");
    expect(() => refuseUnfit(inner("hooks list", "dry_run", "header", "base_url"), "batch")).toThrow(
      expect.objectContaining({
        message: "--dry-run, --base-url: give this to batch, not to the command that it runs",
        details: { hint: "put it before: forgectl batch --dry-run, --base-url ..." },
      }),
    );
  });
});

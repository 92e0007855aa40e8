import { describe, expect, test } from "vitest";
import { type ExitName, Failure, type FailureDetails } from "../../../src/base/errors.ts";
import { type EndedRow, journalFailed, staleCode, Tally } from "../../../src/jobs/tally.ts";

/** A tally of a run of this size, what it said at its end, and Ctrl-C. */
function tallyOf(total: number) {
  const ctrlC = new AbortController();
  const said: string[] = [];
  const redact = (text: string) => text.replaceAll("hunter2", "[redacted]");
  const closing = (text: string) => void said.push(text);
  const tally = new Tally({ signal: ctrlC.signal, redact, closing }, total);
  const concluded = (rest: Pick<FailureDetails, "hint" | "left"> = {}) => {
    try {
      tally.conclude(rest);
    } catch (error) {
      return error as Failure;
    }
    return undefined;
  };
  return { tally, said, ctrlC, concluded };
}

const failure = (details: FailureDetails = {}, exit: ExitName = "refused") => new Failure(exit, "no", details);
const status = (details: FailureDetails, exit?: ExitName) => tallyOf(2).tally.ended(failure(details, exit)).status;

describe("an item that did not succeed", () => {
  test.each<[FailureDetails, EndedRow["status"]]>([
    [{ status: 399 }, "failed"],
    [{ status: 400 }, "refused"],
    [{ status: 404 }, "refused"],
    [{ status: 499 }, "refused"],
    [{ status: 500 }, "failed"],
    [{}, "failed"],
    [{ status: 502, outcome: "unknown" }, "unknown"],
    [{ outcome: "made" }, "made"],
    [{ outcome: "altered" }, "altered"],
    [{ outcome: "not_taken" }, "not_taken"],
    [{ status: 409, code: staleCode }, "stale"],
    [{ status: 409, code: staleCode, outcome: "made" }, "made"],
  ])("with %j is %s: what happened to the change comes first, then the status", (details, word) => {
    expect(status(details)).toBe(word);
  });

  test("is not tried if Ctrl-C, or a journal that cannot be written, came before it was sent", () => {
    expect(status({}, "interrupted")).toBe("not_tried");
    expect(status({ outcome: "none" }, "interrupted")).toBe("not_tried");
    expect(status({ code: journalFailed }, "integrity")).toBe("not_tried");
  });

  test("has the server's reason; one of the network also says what was broken off", () => {
    const { tally } = tallyOf(3);
    expect(tally.ended(failure({ reason: "hunter2 is taken" })).error).toBe("[redacted] is taken");
    expect(tally.ended(failure()).error).toBe("no");
    expect(tally.ended(failure({ reason: "reset" }, "network")).error).toBe("no; reset");
  });

  test("through a bug ends the run; what is thrown need not be an error", () => {
    for (const [bug, text] of [
      [new TypeError("x is not a function"), "x is not a function"],
      ["hunter2", "[redacted]"],
    ] as const) {
      const { tally, concluded } = tallyOf(2);
      expect(tally.ended(bug)).toEqual({ status: "unknown", error: text });
      expect(tally.isOver).toBe(true);
      expect(concluded()).toBe(bug);
    }
  });

  test("through something else than a failure after Ctrl-C is unknown, and no bug", () => {
    const { tally, ctrlC, concluded } = tallyOf(2);
    ctrlC.abort();
    expect(tally.ended(new Error("aborted"))).toEqual({ status: "unknown", error: "aborted" });
    expect(concluded()).toMatchObject({ exit: "interrupted", message: "interrupted: 1 of 2 done, 1 unknown" });
  });
});

describe("an attempt", () => {
  test("returns what was done, or how it ended and why", async () => {
    const { tally } = tallyOf(2);
    expect(await tally.attempt(async () => 7)).toEqual({ done: 7 });
    const gone = failure({ status: 404 });
    expect(await tally.attempt(() => Promise.reject(gone))).toEqual({
      ended: { status: "refused", error: "no" },
      error: gone,
    });
    expect(tally.isOver).toBe(false);
  });

  test("is not begun once the run is over, and says why", async () => {
    const begun: string[] = [];
    const act = async () => void begun.push("begun");
    const stopped = tallyOf(2);
    const first = new Error("first");
    stopped.tally.stop(first);
    stopped.tally.stop(new Error("second"));
    expect(await stopped.tally.attempt(act)).toEqual({
      ended: { status: "not_tried", error: "the run ended before its turn" },
    });
    expect(stopped.concluded()).toBe(first);

    const interrupted = tallyOf(2);
    interrupted.ctrlC.abort();
    expect(await interrupted.tally.attempt(act)).toEqual({ ended: { status: "not_tried", error: "interrupted" } });
    expect(interrupted.concluded()?.message).toBe("interrupted: 1 of 2 done, 1 not tried");
    expect(begun).toEqual([]);
  });
});

describe("the last line of a run in which nothing went wrong", () => {
  const line = (total: number, skipped: number, ...passed: string[]) => {
    const { tally, said, concluded } = tallyOf(total);
    for (let each = 0; each < skipped; each++) tally.skip();
    for (const word of passed) tally.pass(word);
    expect(concluded()).toBeUndefined();
    return said;
  };

  test.each([
    [1, 0, [], []],
    [2, 0, [], ["2 of 2 done"]],
    [5, 2, [], ["3 of 5 done, 2 skipped: done before"]],
    [5, 0, ["waiting", "waiting"], ["3 of 5 done, 2 waiting"]],
    [6, 1, ["waiting", "skipped"], ["3 of 6 done, 1 waiting, 1 skipped, 1 skipped: done before"]],
    [1, 1, [], ["nothing was sent: it was done before"]],
    [3, 3, [], ["nothing was sent: all 3 were done before"]],
    [0, 0, [], []],
  ])("of %i items, %i of them done before, %j not changed: %j", (total, skipped, passed, said) => {
    expect(line(total, skipped, ...passed)).toEqual(said);
  });
});

describe("the error of a run", () => {
  test("of several items is exit 9, and counts what failed first", () => {
    const { tally, said, concluded } = tallyOf(20);
    for (const word of ["failed", "refused", "refused", "made", "altered", "altered", "not_taken"] as const) {
      tally.count(word);
    }
    for (const word of ["stale", "unknown", "not_tried"] as const) tally.count(word);
    expect(concluded({ hint: "the rest" })).toMatchObject({
      exit: "partial",
      message:
        "3 of 20 failed, 1 made, but not confirmed as complete, 2 altered, 1 not taken, 1 stale, 1 unknown, 1 not tried",
      details: { code: "partial", hint: "the rest" },
    });
    expect(said).toEqual([]);
  });

  test("of one item is its own; of one that the caller counted it is exit 9", () => {
    const single = tallyOf(1);
    const own = failure({ status: 404 }, "notFound");
    single.tally.ended(own);
    expect(single.concluded({ hint: "the rest" })).toBe(own);

    const counted = tallyOf(1);
    counted.tally.count("stale");
    expect(counted.concluded()).toMatchObject({ exit: "partial", message: "0 of 1 failed, 1 stale" });

    const several = tallyOf(2);
    several.tally.ended(own);
    expect(several.concluded()?.message).toBe("1 of 2 failed");
  });

  test("after Ctrl-C is 130 only if something was left undone", () => {
    const left = tallyOf(5);
    left.tally.skip();
    left.tally.count("refused");
    left.tally.count("failed");
    left.tally.count("not_tried");
    left.ctrlC.abort();
    expect(left.concluded({ left: ["d"] })).toMatchObject({
      exit: "interrupted",
      message: "interrupted: 1 of 5 done, 2 failed, 1 not tried",
      details: { code: "interrupted", retryable: false, left: ["d"] },
    });

    const complete = tallyOf(2);
    complete.tally.count("failed");
    complete.ctrlC.abort();
    expect(complete.concluded()).toMatchObject({ exit: "partial", message: "1 of 2 failed" });

    const done = tallyOf(2);
    done.ctrlC.abort();
    expect(done.concluded()).toBeUndefined();
    expect(done.said).toEqual(["2 of 2 done"]);
  });

  test("that ended it is thrown as it is, also a journal that could not be written", () => {
    const { tally, concluded } = tallyOf(2);
    const full = failure({ code: journalFailed, outcome: "made" }, "integrity");
    expect(tally.ended(full).status).toBe("made");
    expect(concluded()).toBe(full);
    const hint = "forgectl batch --resume 20261121T164502Z-7f3a";
    expect(concluded({ hint })).toMatchObject({ details: { code: journalFailed, outcome: "made", hint } });
  });
});

import { describe, expect, test } from "vitest";
import { createHook, deleteHook, getHook, listHooks } from "../../../src/api/endpoints/hooks.ts";
import { integer, required, string } from "../../../src/api/field.ts";
import { inspectLine, withOutcome } from "../../../src/app/outcome-hint.ts";
import { type ExitName, Failure, type FailureDetails, UsageError } from "../../../src/base/errors.ts";
import { command, group } from "../../../src/declare/command.ts";

const look = "forgectl hooks get 1";
const hook = "POST /api/v4/groups/acme/hooks";

function told(exit: ExitName, details: FailureDetails, made: string[] = [hook]) {
  return withOutcome(new Failure(exit, "no", details), made, look);
}

describe("an error after a change", () => {
  test("that only read something says that the change was made, and how to look", () => {
    expect(told("network", { method: "GET", nothing: "changed", retryable: true })).toMatchObject({
      exit: "network",
      message: `the change was made (${hook}), but then: no`,
      details: { outcome: "made", retryable: false, hint: look },
    });
    expect(told("network", { method: "GET", nothing: "changed" }).details).not.toHaveProperty("nothing");
    expect(told("network", { method: "GET", hint: "own" }).details.hint).toBe("own");
    expect(told("refused", { method: "GET" }, ["first", "last"]).message).toContain("(last)");
  });

  test("whose answer was lost says that it may have been made, and a failed output is not exit 2 then either", () => {
    const lost = ["DELETE /a", "DELETE /b"];
    const details = { outcome: "unknown", outcomeText: "the change may have been made: DELETE /a (and 1 more)" };
    for (const error of [new UsageError("--jq"), new Failure("integrity", "full", { code: "output_failed" })]) {
      expect(withOutcome(error, [], look, lost).details).toMatchObject({ ...details, hint: look, retryable: false });
      expect(withOutcome(error, [hook], look, lost).details).toMatchObject({
        ...{ ...details, hint: look, retryable: false },
        outcomeText: `the change was made: ${hook}; another one may have been made: DELETE /a (and 1 more)`,
      });
    }
    expect(withOutcome(new UsageError("--jq"), [], look, lost).exit).toBe("refused");
    const other = new Failure("partial", "1 of 2 failed");
    expect(withOutcome(other, [], look, lost)).toBe(other);
  });

  test("that Ctrl-C ended, at a read or between two, says so too", () => {
    expect(told("interrupted", { method: "GET" })).toMatchObject({
      exit: "interrupted",
      message: `the change was made (${hook}), but then: no`,
      details: { outcome: "made", hint: look },
    });
    expect(told("interrupted", {}).details).toEqual({ outcome: "made", outcomeText: `the change was made: ${hook}` });
  });

  test("of another change names the one before it, and is not to be repeated", () => {
    const error = told("refused", { method: "PUT", reason: "taken", retryable: true });
    expect(error.message).toBe("no");
    expect(error.details).toEqual({
      method: "PUT",
      reason: "taken",
      outcomeText: `before it, another change was made: ${hook}`,
      retryable: false,
    });
  });

  test("that is of a file is not exit 2, which means that nothing was sent", () => {
    expect(told("usage", { reason: "full" })).toMatchObject({
      exit: "refused",
      message: "no",
      details: { outcome: "made" },
    });
    // The output could not be written: who sees no result would repeat the change.
    const outcomeText = `the change was made: ${hook}`;
    expect(told("integrity", {})).toMatchObject({ exit: "integrity", details: { outcome: "made", outcomeText } });
    expect(told("integrity", {}, [hook, "b"]).details.outcomeText).toBe(`${outcomeText} (and 1 more)`);
    expect(told("integrity", { outcomeText: "own" }).details.outcomeText).toBe("own");
  });

  test("whose own outcome is known, or not, has only the hint; one that changed nothing stays as it is", () => {
    expect(told("network", { method: "POST", outcome: "unknown" })).toMatchObject({
      message: "no",
      details: { outcome: "unknown", hint: look },
    });
    for (const error of [
      new Failure("refused", "no", { outcome: "none" }),
      new Failure("partial", "no", { method: "GET" }),
      new Failure("interrupted", "interrupted: 1 of 2 done", { code: "interrupted" }),
      new Failure("interrupted", "no", { method: "GET", outcomeText: "1 done; run r" }),
    ]) {
      expect(withOutcome(error, [hook], look)).toBe(error);
    }
    const error = new Failure("refused", "no", { method: "GET" });
    expect(withOutcome(error, [], look)).toBe(error);
  });

  test("that is a flag's says that the change was made anyway, and is not exit 2", () => {
    const error = (made: string[], details: FailureDetails = {}) =>
      withOutcome(new UsageError("--jq: no number", { nothing: "sent", ...details }), made, look);
    expect(error([hook])).toMatchObject({ exit: "refused", message: "--jq: no number" });
    expect(error([hook]).details).toEqual({ outcome: "made", outcomeText: `the change was made: ${hook}` });
    expect(error([hook, "b", "c"]).details.outcomeText).toBe(`the change was made: ${hook} (and 2 more)`);
    expect(error([hook], { hint: "own" }).details.hint).toBe("own");
    expect(error([])).toMatchObject({ exit: "usage", details: { nothing: "sent" } });
  });
});

describe("the command that shows a change", () => {
  const run = async () => undefined;
  const args = { hook: required(integer("Hook")) };
  const params = {
    group: required(string("Group", { short: "g", scope: "group" })),
    verbose: string("Not needed"),
    part: string("A part", { within: "group" }),
  };
  const declared = (name: string, more: object = {}) => command({ name, examples: [], run, ...more });
  const rootOf = (...children: ReturnType<typeof command>[]) =>
    group("hooks", "", [group("deep", "", []), ...children]);
  const lineOf = (children: ReturnType<typeof command>[], input: object, path = ["hooks", "update"]) =>
    inspectLine(rootOf(...children), path, input);
  const list = declared("list", { params, requests: [listHooks] });
  const get = declared("get", { args, params, requests: [getHook] });

  test("is a sibling that reads, one thing before all of them, with what was typed", () => {
    const input = { hook: 2, group: "acme a", verbose: "x" };
    expect(lineOf([list, get], input)).toBe("hooks get 2 -g 'acme a'");
    expect(lineOf([list, get], { ...input, part: "p" })).toBe("hooks get 2 -g 'acme a' --part p");
    expect(lineOf([list, declared("show", { args, params })], input)).toBe("hooks show 2 -g 'acme a'");
  });

  test("lists, if one thing cannot be named", () => {
    expect(lineOf([list, get], { group: "acme" })).toBe("hooks list -g acme");
    expect(lineOf([list, get], { group: "acme", hook: [1, 2] })).toBe("hooks list -g acme");
    expect(lineOf([list, get], { hook: 2 })).toBeUndefined();
  });

  test("does not change anything itself", () => {
    const changing = declared("get", { args, params, requests: [getHook, createHook] });
    expect(lineOf([changing, list], { hook: 2, group: "acme" })).toBe("hooks list -g acme");
    expect(lineOf([declared("status", { requests: [deleteHook] })], { group: "acme" })).toBeUndefined();
  });

  test("is the command's own, if it has one; names are encoded where it is a path of api", () => {
    const update = (inspectWith: string) => declared("update", { inspectWith });
    expect(lineOf([update("hooks health -g {group}"), get], { group: "a b" })).toBe("hooks health -g 'a b'");
    expect(lineOf([update("api groups/{group}/x"), get], { group: "a/b" })).toBe("api groups/a%2Fb/x");
    expect(lineOf([update("hooks health -g {group}"), list], {})).toBeUndefined();
  });

  test("of a command that does not exist is none", () => {
    expect(lineOf([get, list], { hook: 2, group: "acme" }, ["hooks", "missing", "update"])).toBeUndefined();
    expect(lineOf([get, list], { hook: 2, group: "acme" }, ["hooks", "deep", "update"])).toBeUndefined();
  });
});

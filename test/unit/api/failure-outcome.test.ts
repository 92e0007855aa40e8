import { describe, expect, test } from "vitest";
import type { FailedCall } from "../../../src/api/failed-call.ts";
import { failureOf, unexpectedAnswer } from "../../../src/api/failure.ts";
import { afterMade, isChange, isRepeatable, mayHaveBeenMade, removeLast, unread } from "../../../src/api/outcome.ts";
import { Failure, type FailureDetails } from "../../../src/base/errors.ts";

const callOf = (method: string, more: Partial<FailedCall> = {}): FailedCall => ({
  method,
  path: "/api/v4/things/1",
  summary: "Change a thing",
  access: {},
  credential: "access",
  repeatable: isRepeatable(method),
  ...more,
});
const own = { "content-type": "application/json" };
const answer = (status: number, text = "{}", headers: Record<string, string> = own) => ({ status, headers, text });

test.each([
  ["GET", false, true],
  ["HEAD", false, true],
  ["OPTIONS", false, true],
  ["PUT", true, true],
  ["DELETE", true, true],
  ["POST", true, false],
  ["PATCH", true, false],
])("%s is a change: %s; it may be sent again after a lost answer: %s", (method, change, repeatable) => {
  expect([isChange(method), isRepeatable(method)]).toEqual([change, repeatable]);
});

const again = { retryable: true, outcome: undefined };
const refused = { retryable: false, outcome: undefined };
const unknown = { retryable: false, outcome: "unknown" };
const isAfter = { ...own, "retry-after": "1" };

/** A read; a DELETE; a POST; one with Retry-After; a DELETE after a lost answer; one after an error of the server. */
test.each([
  [400, [refused, refused, refused, refused, unknown, unknown]],
  [401, [refused, refused, refused, refused, unknown, refused]],
  [403, [refused, refused, refused, refused, unknown, unknown]],
  [404, [refused, refused, refused, refused, unknown, unknown]],
  [405, [refused, refused, refused, refused, unknown, refused]],
  [408, [refused, unknown, unknown, unknown, unknown, unknown]],
  [409, [refused, refused, refused, refused, unknown, refused]],
  [429, [again, again, again, again, unknown, again]],
  [430, [refused, refused, refused, refused, unknown, refused]],
  [460, [refused, unknown, unknown, unknown, unknown, unknown]],
  [499, [refused, unknown, unknown, unknown, unknown, unknown]],
  [500, [again, unknown, unknown, unknown, unknown, unknown]],
  [502, [again, unknown, unknown, unknown, unknown, unknown]],
  [503, [again, again, unknown, again, unknown, again]],
])("%i: whether a change may have been made, and whether the command may be repeated", (status, outcomes) => {
  const found = [
    failureOf(callOf("GET"), answer(status)),
    failureOf(callOf("DELETE"), answer(status)),
    failureOf(callOf("POST"), answer(status)),
    failureOf(callOf("POST"), answer(status, "{}", isAfter)),
    failureOf(callOf("DELETE", { repeated: true }), answer(status)),
    failureOf(callOf("DELETE", { refusedBefore: true }), answer(status)),
  ].map(({ details: { retryable, outcome } }) => ({ retryable, outcome }));
  expect(found).toEqual(outcomes);
});

test("a 503 that is no JSON may be a cache's, after the instance acted", () => {
  const page = { "content-type": "text/html", "retry-after": "5" };
  for (const method of ["POST", "PATCH", "PUT", "DELETE"]) {
    const { retryable, outcome } = failureOf(callOf(method), answer(503, "<!DOCTYPE html>", page)).details;
    expect({ method, retryable, outcome }).toEqual({ method, ...unknown });
  }
});

test("after an error of the server, only a refusal of a DELETE is in doubt", () => {
  const { details } = failureOf(callOf("PUT", { refusedBefore: true }), answer(404));
  expect(details.outcome).toBeUndefined();
});

test.each<[string, FailedCall, number, string | undefined]>([
  ["a server's error", callOf("POST"), 500, undefined],
  [
    "a lost answer",
    callOf("PUT", { repeated: true }),
    409,
    "the answer to an earlier attempt was lost, and that attempt may have made the change",
  ],
  [
    "a server's error before",
    callOf("DELETE", { refusedBefore: true }),
    404,
    "an earlier attempt was answered with an error, and may have made the change",
  ],
])("%s: the outcome is unknown, and the cause is the server's", (_, call, status, outcomeText) => {
  const text = `{"message":"${status === 404 ? "404 Not found" : "No."}"}`;
  const { details } = failureOf(call, answer(status, text));
  expect(details).toMatchObject({ ...unknown, ...(outcomeText !== undefined && { outcomeText }) });
  expect("outcomeText" in details).toBe(outcomeText !== undefined);
  expect(details.reason).toMatch(/^No\.|^not found/);
  expect(details.hint).toBeUndefined();
});

test("without a doubt there are no words for it", () => {
  const { details } = failureOf(callOf("POST"), answer(409, '{"message":"No."}'));
  expect([details.outcomeText, details.outcome, details.reason]).toEqual([undefined, undefined, "No."]);
});

describe("an answer that is not the platform's", () => {
  const page = answer(200, "<!doctype html><p>Welcome</p>");

  test("a page to a change leaves it unknown, one to a read can be asked for again elsewhere", () => {
    const changed = unexpectedAnswer(callOf("PATCH"), page, "no JSON");
    expect(changed).toMatchObject({ exit: "refused", code: "unexpected_answer" });
    expect(changed.details).toMatchObject({ ...unknown, status: 200, method: "PATCH", path: "/api/v4/things/1" });
    expect(changed.details.reason).toMatch(/with a web page, not with the platform's API$/);
    expect(changed.details.hint).toContain("the base URL");
    const read = unexpectedAnswer(callOf("GET"), page, "no JSON").details;
    expect([read.outcome, read.retryable]).toEqual([undefined, undefined]);
    expect(read.reason).toMatch(/with a web page, not with the platform's API$/);
  });

  test("anything else is named, and says nothing about the address", () => {
    const { details } = unexpectedAnswer(callOf("PATCH"), answer(200, "ok"), "the answer is not JSON");
    expect(details.reason).toBe("the answer is not JSON");
    expect([details.hint, details.outcome]).toEqual([undefined, undefined]);
  });
});

describe("after the change was made", () => {
  const network = (details: FailureDetails = {}) => new Failure("network", "it broke", details);

  test("a broken answer is the failure of a change that was made", () => {
    const failure = afterMade(network({ retryable: true, hint: "check the address", path: "/x" })) as Failure;
    expect(failure.exit).toBe("network");
    expect(failure.message).toContain("the change was made");
    expect(failure.details).toEqual({ reason: "it broke", path: "/x", outcome: "made", retryable: false });
    expect((afterMade(network({ reason: "cut" })) as Failure).details.reason).toBe("cut");
  });

  test("an interrupt stays one, an unknown outcome too, and so does what is no failure", () => {
    const interrupted = afterMade(new Failure("interrupted", "interrupted", { retryable: true })) as Failure;
    expect(interrupted).toMatchObject({ message: "interrupted", details: { outcome: "made", retryable: false } });
    const doubted = network({ outcome: "unknown" });
    expect(afterMade(doubted)).toBe(doubted);
    const bug = new TypeError("x is not a function");
    expect(afterMade(bug)).toBe(bug);
    expect([mayHaveBeenMade(doubted), mayHaveBeenMade(interrupted), mayHaveBeenMade(bug)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  const from = (made: string[]) => (change: string) => removeLast(made, change);

  test.each(["DELETE", "PATCH"])("a %s that something else may have answered is unknown, and not counted", (method) => {
    const made = [`${method} /x`, "PUT /x", `${method} /x`, `${method} /y`];
    const failure = unread(network({ path: "/x", retryable: true }), method, from(made)) as Failure;
    expect(made).toEqual([`${method} /x`, "PUT /x", `${method} /y`]);
    expect(failure.details).toMatchObject(unknown);
  });

  test("the first change of a command can be the one that is not counted", () => {
    const made = ["DELETE /x"];
    unread(network({ path: "/x" }), "DELETE", from(made));
    expect(made).toEqual([]);
  });

  test("what was not counted, or is unknown already, stays as it is", () => {
    const made = ["PUT /x"];
    const doubted = network({ path: "/x", outcome: "unknown" });
    expect(unread(doubted, "DELETE", from(made))).toBe(doubted);
    expect(made).toEqual(["PUT /x"]);
  });

  test.each([
    ["PUT", network({ path: "/x" })],
    ["DELETE", new Failure("interrupted", "interrupted", { path: "/x" })],
  ])("a %s that was answered is made", (method, error) => {
    const made = [`${method} /x`];
    expect((unread(error, method, from(made)) as Failure).details.outcome).toBe("made");
    expect(made).toEqual([`${method} /x`]);
  });
});

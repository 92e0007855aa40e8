import { describe, expect, test } from "vitest";
import { type ExitName, Failure, type FailureDetails } from "../../../src/base/errors.ts";
import {
  done,
  failed,
  failureText,
  isProof,
  madeOf,
  remarked,
  sendsWriteOnly,
  stale,
  unchanged,
  unknown,
  untouched,
  unverified,
} from "../../../src/state/apply/result.ts";
import type { Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { allowlistKind } from "../../../src/state/kinds/job-token.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import type { Comparison } from "../../../src/state/plan/live-comparison.ts";
import { changeOf, comparedWith, reference } from "../../support/compared.ts";

const url = "https://a.example/in";
const live = { id: 1, name: "Deploys", url, push_events: true, description: "was" };
const update = changeOf(hooksKind, { name: "Deploys", description: "set" }, live);
const withToken = changeOf(hooksKind, { name: "Deploys", description: "set", token: "t" }, live, { secrets: "always" });
const creation = changeOf(hooksKind, { name: "Deploys", url, token: "t" }, undefined);
const failure = (exit: ExitName, details: FailureDetails = {}) => new Failure(exit, "it failed", details);
const refusal = failure("refused", { status: 422, reason: "no" });

/** What a look shows of the hook with these values. */
const look = (values: Values | undefined, change = update) =>
  comparedWith(change, values === undefined ? [] : [{ values: { ...live, ...values } }]);
const asBefore = look({});
const asWanted = look({ description: "set" });
const asOther = look({ description: "other" });

describe("the outcome of a change with a failed request", () => {
  test.each<[law: string, failure: Failure, partly: boolean, seen: Comparison | undefined, status: string]>([
    ["a refusal is proof that nothing was done", refusal, false, undefined, "refused"],
    ["so is a redirect", failure("refused", { status: 300 }), false, asWanted, "refused"],
    ["but not an error of the server", failure("refused", { status: 500 }), false, undefined, "unknown"],
    ["nor an answer that was lost", failure("network", { outcome: "unknown" }), false, undefined, "unknown"],
    [
      "nor a 4xx of which the outcome is not known",
      failure("refused", { status: 408, outcome: "unknown" }),
      false,
      undefined,
      "unknown",
    ],
    ["nor a change that was made", failure("refused", { outcome: "made" }), false, undefined, "unknown"],
    ["a look decides: it was made", failure("network", { outcome: "unknown" }), false, asWanted, "done"],
    ["or it is not known", failure("network", { outcome: "unknown" }), false, asBefore, "unknown"],
    ["what was not sent, since the network is gone, can be tried", failure("network"), false, undefined, "not_tried"],
    ["or since it was interrupted", failure("interrupted"), false, undefined, "not_tried"],
    ["what lacks something of its own failed", failure("usage"), false, undefined, "failed"],
    ["a refusal after an earlier request of the change needs a look", refusal, true, undefined, "unknown"],
    ["which may show it as before", refusal, true, asBefore, "refused"],
    ["or half made", refusal, true, asOther, "altered"],
    ["or made", refusal, true, asWanted, "done"],
    ["nothing sent after an earlier request", failure("interrupted"), true, asOther, "unknown"],
  ])("%s", (_law, error, partly, seen, status) => {
    const result = failed(update, { failure: error, partly }, seen);
    expect(result.status).toBe(status);
    expect(result.failure).toBe(status === "done" ? undefined : error);
    expect(result.error).toBe(status === "done" ? null : (error.details.reason ?? "it failed"));
  });

  test("a secret in an existing object cannot be seen, so that a look proves nothing; a new object does", () => {
    expect([isProof(update, asWanted), isProof(withToken, asWanted), isProof(update, asBefore)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isProof(creation, look({}, creation))).toBe(true);
  });
});

describe("the outcome of a change that was answered with success", () => {
  test("is done if it is as wanted", () => {
    expect(madeOf(update, asWanted)).toEqual(done(asWanted.live));
  });

  test("was not taken if nothing changed", () => {
    expect(madeOf(update, asBefore)).toMatchObject({
      status: "not_taken",
      live: asBefore.live,
      error: "the instance accepted the change, but nothing changed",
    });
  });

  test("is altered if the instance keeps another value, which the file should have", () => {
    expect(madeOf(update, asOther)).toMatchObject({
      status: "altered",
      error: 'the instance keeps description as "other": write description: "other" in the file',
    });
    const url = changeOf(hooksKind, { name: "Deploys", description: "set", url: "https://b.example" }, live);
    expect(madeOf(url, look({ url: "https://u:p@c.example" }, url)).error).toBe(
      'the instance keeps description as "was", url as [redacted]: write description: "was" in the file',
    );
    expect(madeOf(update, look({ description: undefined })).error).toContain("description as null");
    // What a rollback restores is in no file.
    const back = { ...update, desired: update.desired && { ...update.desired, whole: true as const } };
    expect(madeOf(back, asOther).error).toBe('the instance keeps description as "other"');
  });

  test("is altered if what was created is not there", () => {
    expect(madeOf(creation, look(undefined, creation))).toMatchObject({
      status: "altered",
      error: "the instance accepted the change, but shows another value",
    });
  });
});

test.each<[law: string, values: Values, sends: boolean]>([
  ["a token", { token: "t" }, true],
  ["headers", { custom_headers: [] }, true],
  ["a text from a variable", { description: reference("ABOUT") }, true],
  ["a plain text", { description: "x" }, false],
])("%s is sent because it was asked for: %s", (_law, values, sends) => {
  expect(sendsWriteOnly(changeOf(hooksKind, { url, ...values }, undefined))).toBe(sends);
});

test("what no look can show is not called verified", () => {
  expect(unverified(creation)).toBe("secrets, which cannot be read back");
  expect(unverified(update)).toBeUndefined();
  expect(unverified(changeOf(hooksKind, undefined, live))).toBeUndefined();
  const added = changeOf(allowlistKind, { id: 9 }, undefined);
  const permissions = "the permissions of an added entry, which the API does not show; it has all";
  expect(unverified(added)).toBe(permissions);
  expect(unverified(changeOf(allowlistKind, undefined, { id: 9 }))).toBeUndefined();
  expect(remarked(added, done(undefined))).toEqual({ ...done(undefined), error: `not verified: ${permissions}` });
  expect(remarked(added, unknown("x"))).toEqual(unknown("x"));
  const link = changeOf(samlLinksKind, { name: "A", access_level: 30 }, undefined);
  expect(remarked(link, done(undefined))).toEqual(done(undefined));
  expect(remarked({ ...added, action: "update" }, done(undefined))).toEqual(done(undefined));
});

test("results say what is known", () => {
  const object = { values: live };
  expect(done(object)).toEqual({ status: "done", error: null, live: object, failure: undefined });
  expect(unchanged(object)).toEqual({ status: "unchanged", error: null, live: object, failure: undefined });
  expect(unknown("why", refusal)).toEqual({ status: "unknown", error: "why", live: undefined, failure: refusal });
  expect(untouched("skipped", "why")).toEqual({ status: "skipped", error: "why", live: undefined, failure: undefined });
  const { failure, ...rest } = stale(object);
  expect(rest).toEqual({ status: "stale", error: "it has changed since the plan was made", live: object });
  expect([failure?.exit, failure?.code]).toEqual(["conflict", "stale"]);
});

test.each<[details: FailureDetails, text: string]>([
  [{}, "it failed"],
  [{ reason: "why" }, "why"],
  [{ reason: "why", fields: {} }, "why"],
  [{ reason: "why", fields: { url: ["is blank", "is short"], name: ["x"] } }, "url: is blank, is short; name: x"],
])("the text of %j is %j", (details, text) => {
  expect(failureText(failure("refused", details))).toBe(text);
});

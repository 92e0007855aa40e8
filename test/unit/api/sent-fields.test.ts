import { describe, expect, test } from "vitest";
import type { CallOptions } from "../../../src/api/api.ts";
import { type AnyEndpoint, endpoint } from "../../../src/api/endpoint.ts";
import {
  array,
  boolean,
  code,
  date,
  entity,
  file,
  id,
  integer,
  json,
  number,
  required,
  string,
  timestamp,
} from "../../../src/api/field.ts";
import { checkStored, isComparable, showsSent } from "../../../src/api/sent-values.ts";
import type { Failure } from "../../../src/base/errors.ts";

const thing = entity("Thing", { id: id() });
const params = {
  thing_id: required(id()),
  name: string(),
  note: string("", { wire: "remark" }),
  on: boolean(),
  count: integer(),
  ratio: number(),
  owner_id: id(),
  level: code({ developer: 30 }),
  at: timestamp(),
  day: date(),
  labels: array(string()),
  extra: json(),
  token: string("", { secret: true }),
  text: string("", { answered: "never" }),
  state: string("", { answered: { as: ["status", "notes.status", "notes.1.state", "steps.of.state"] } }),
  rules: json("", { answered: { form: "rules" } }),
  keys: json("", { answered: { form: "keys" } }),
  custom: json("", { entries: true }),
  upload: file(),
};
const update: AnyEndpoint = endpoint({
  route: "PUT /things/:thing_id",
  summary: "Update a thing",
  params,
  returns: thing,
  access: {},
});
const create: AnyEndpoint = { ...update, method: "POST" };

function failureOf(sent: object, answer: unknown, options: CallOptions = {}, of = update): Failure | undefined {
  try {
    checkStored(of, sent as Record<string, unknown>, answer, options);
    return undefined;
  } catch (error) {
    return error as Failure;
  }
}
const said = (sent: object, answer: unknown) => failureOf(sent, answer)?.details.reason;

describe("the same value, in the notation of an instance", () => {
  test.each<[object, object]>([
    [{ count: 60 }, { count: "60" }],
    [{ ratio: 1.5 }, { ratio: "1.50" }],
    [{ owner_id: 7 }, { owner_id: "7" }],
    [{ level: 30 }, { level: "Developer" }],
    [{ labels: ["b", "a"] }, { labels: ["a", "b"] }],
    [{ name: " Web\r\n" }, { name: "Web" }],
    [{ day: "2020-02-02" }, { day: "2020-02-02" }],
    [{ extra: { a: 1, b: "2" } }, { extra: { b: 2, a: "1" } }],
    [{ note: "a" }, { remark: "a" }],
    [{ custom: { on: false, size: 5 } }, { on: null, size: "5" }],
    [{ state: "open" }, { status: "open", notes: [{ status: "shut" }] }],
    [{ state: "open" }, { notes: [{ status: "open" }, { status: "open" }] }],
    [{ state: "open" }, { notes: [{ state: "shut" }, { state: "open" }] }],
    [{ state: "open" }, { steps: [{ of: { state: "open" } }] }],
    [{ keys: [{ key: "X-A", value: "1" }] }, { keys: [{ key: "x-a" }, { key: "b" }] }],
    [{ keys: [] }, { keys: [{ key: "b" }] }],
  ])("%j is %j", (sent, answer) => {
    expect(said(sent, answer)).toBeUndefined();
    expect(showsSent(update, sent as Record<string, unknown>, answer)).toBe(true);
  });
});

describe("another value", () => {
  test.each<[object, object, string]>([
    [{ count: 60 }, { count: 0 }, "sent count 60, the instance stored 0"],
    [{ name: "1" }, { name: "01" }, "sent name 1, the instance stored 01"],
    [{ day: "2020-02-02" }, { day: "2020-02-03" }, "sent day 2020-02-02, the instance stored 2020-02-03"],
    [{ at: "2020-02-02" }, { at: "2020-02-03" }, "sent at 2020-02-02, the instance stored 2020-02-03"],
    [{ name: "a" }, { name: "" }, "sent name a, the instance stored nothing"],
    [{ level: 30 }, { level: 40 }, "sent level 30, the instance stored 40"],
    [{ labels: ["a"] }, { labels: ["a", "b"] }, 'sent labels ["a"], the instance stored ["a","b"]'],
    [{ note: "a" }, { remark: "b" }, "sent remark a, the instance stored b"],
    [{ custom: { on: true, size: 5 } }, { on: false, size: 5 }, "sent on true, the instance stored false"],
    [{ custom: { on: true, size: 5 } }, { size: 6 }, "sent size 5, the instance stored 6"],
    [
      { state: "open" },
      { notes: [{ status: "open" }, { status: "shut" }] },
      "sent state open, the instance stored shut",
    ],
    [
      { rules: [{ id: 1, access_level: 30 }] },
      { rules: [] },
      "sent rules 1=level:developer, the instance stored no such rule",
    ],
    [{ keys: [{ key: "a", value: "s" }] }, { keys: ["b"] }, 'sent keys ["a"], the instance stored ["b"]'],
  ])("%j is not %j", (sent, answer, reason) => expect(said(sent, answer)).toBe(reason));
});

describe("what an answer cannot show", () => {
  test.each<[object, object]>([
    [{ thing_id: 7 }, { thing_id: 8 }],
    [{ token: "a" }, { token: "b" }],
    [{ text: "a" }, { text: "b" }],
    [{ upload: { name: "a" } }, { upload: "b" }],
    [{ name: undefined }, { name: "b" }],
    [{ note: "a" }, { note: "b" }],
    [{ state: "open" }, { state: "shut" }],
    [{ name: "a" }, {}],
    [{ name: "a" }, { name: undefined }],
    [{ name: "a" }, { name: "[FILTERED]" }],
    [{ name: "a" }, Object.create({ name: "b" })],
    [{ state: "open" }, { notes: [] }],
    [{ rules: "text" }, { rules: [] }],
  ])("%j is not compared with %j", (sent, answer) => expect(said(sent, answer)).toBeUndefined());

  test("without any such value there is nothing to compare", () => {
    expect(isComparable(update, { thing_id: 7, token: "a", text: "a" })).toBe(false);
    expect(isComparable(update, { name: "a" })).toBe(true);
    expect(showsSent(update, { name: "a" }, { id: 1 })).toBe(false);
    expect(showsSent(update, { name: "a" }, "text")).toBe(false);
    expect(showsSent(update, { name: "a" }, [{ name: "a" }])).toBe(false);
    expect(said({ name: "a" }, "text")).toBeUndefined();
    expect(said({ name: "a" }, [{ name: "b" }])).toBeUndefined();
  });
});

describe("whether the change had any effect", () => {
  test.each<[string, object, object, CallOptions, AnyEndpoint, string]>([
    ["the value is as it was", { name: "a" }, { name: "b" }, { before: { name: "b" } }, update, "not_taken"],
    ["it is a third one", { name: "a" }, { name: "c" }, { before: { name: "b" } }, update, "altered"],
    ["it is not known how it was", { name: "a" }, { name: "c" }, {}, update, "altered"],
    ["a flag has no third value", { on: true }, { on: false }, {}, update, "not_taken"],
    ["a new flag had none before", { on: true }, { on: false }, {}, create, "altered"],
    ["another value was taken", { on: true, name: "a" }, { on: false, name: "a" }, {}, update, "altered"],
    ["the other value is not shown", { on: true, name: "a" }, { on: false }, {}, update, "not_taken"],
    ["a flag, and a third value", { on: true, name: "a" }, { on: false, name: "c" }, {}, update, "altered"],
    [
      "only one is as it was",
      { count: 1, name: "a" },
      { count: 2, name: "c" },
      { before: { count: 2, name: "b" } },
      update,
      "altered",
    ],
    [
      "both are as they were",
      { count: 1, name: "a" },
      { count: 2, name: "b" },
      { before: { count: "2", name: "b" } },
      update,
      "not_taken",
    ],
  ])("%s", (_, sent, answer, options, of, outcome) => {
    const failure = failureOf(sent, answer, options, of);
    expect(failure).toMatchObject({ exit: "partial", code: outcome });
    expect(failure?.details).toMatchObject({ outcome, retryable: false, stored: answer });
  });

  test("each field that differs is named, and the headline says what was being done", () => {
    const failure = failureOf({ count: 1, name: "a", on: true }, { count: 2, name: "b", on: true });
    expect(failure?.message).toBe("could not update a thing as asked: the instance stored something else");
    expect(failure?.details.fields).toEqual({ name: ["sent a, stored b"], count: ["sent 1, stored 2"] });
    expect(failure?.details.reason?.split("\n")).toHaveLength(2);
    const ignored = failureOf({ on: true }, { on: false });
    expect(ignored?.message).toBe("could not update a thing: the instance accepted the request, and changed nothing");
  });

  test("what the caller compares itself is left to it", () => {
    expect(failureOf({ name: "a" }, { name: "b" }, { mayIgnore: ["name"] })).toBeUndefined();
    expect(
      failureOf({ name: "a", count: 1 }, { name: "b", count: 2 }, { mayIgnore: ["name"] })?.details.fields,
    ).toEqual({
      count: ["sent 1, stored 2"],
    });
  });
});

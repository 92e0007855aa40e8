import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { completeKinds, kinds, kindsOf, kindsText, parseKinds } from "../../../src/commands/hooks/event-kinds.ts";

const documented = (
  "push,tag_push,merge_requests,repository_update,issues,confidential_issues,note,confidential_note,pipeline," +
  "wiki_page,job,deployment,feature_flag,releases,subgroup,emoji,resource_access_token,member"
).split(",");

/** Instances have them, the documents do not. */
const beyond = ["milestone", "project", "vulnerability"];
const all = [...documented, ...beyond];
const mustBe = `must be one of ${[...all, "all", "none"].join(", ")}`;

/** All flags with one value. */
const every = (value: boolean) => Object.fromEntries(documented.map((kind) => [`${kind}_events`, value]));

const on = (kindsOn: readonly string[]) => Object.fromEntries(kindsOn.map((kind) => [`${kind}_events`, true]));

test("the kinds are the documented flags, and those that instances have", () => {
  expect(kinds).toEqual(all);
});

describe("a list of kinds", () => {
  test.each([
    ["push", { push_events: true }],
    ["push, note", { push_events: true, note_events: true }],
    ["push,-note", { push_events: true, note_events: false }],
    ["-push", { push_events: false }],
    ["all", every(true)],
    ["none", every(false)],
    ["all,-emoji", { ...every(true), emoji_events: false }],
    ["none,push", { ...every(false), push_events: true }],
  ])("%s changes only the named kinds of an existing hook", (text, flags) => {
    expect(parseKinds(text, {})).toEqual(flags);
  });

  test.each([
    ["push", { ...every(false), push_events: true }],
    ["all,-emoji", { ...on(all), emoji_events: false }],
    ["none", every(false)],
    ["milestone", { ...every(false), milestone_events: true }],
  ])("%s is exactly what is on in a new hook", (text, flags) => {
    expect(parseKinds(text)).toEqual(flags);
  });

  test.each([
    ["-all", "only single kinds take a -", "instead of -all: none"],
    ["push,-none", "only single kinds take a -", "instead of -none: all"],
    ["pushh", `${mustBe}, not "pushh"`, "did you mean push?"],
    ["push,issue", `${mustBe}, not "issue"`, "did you mean issues?"],
    ["note_events", `${mustBe}, not "note_events"`, "did you mean note?"],
    ["-al", `${mustBe}, not "al"`, "did you mean all?"],
    ["zzzzz", `${mustBe}, not "zzzzz"`, undefined],
    ["", "missing <kind>", undefined],
    ["push,,note", "missing <kind>", undefined],
    ["-", "missing <kind>", undefined],
    ["push,none", "none means every kind; it must come first, or alone", undefined],
    ["push,-push", "push is given twice", undefined],
  ])("%j is refused", (text, message, hint) => {
    for (const of of ["new", "present"] as const) {
      const problem = caught(() => parseKinds(text, of === "new" ? undefined : {}));
      expect(problem.message).toBe(`--events: ${message}`);
      expect(problem.details.hint).toBe(hint);
    }
  });

  test("for a new hook it cannot only turn kinds off", () => {
    expect(caught(() => parseKinds("-push,-note")).details.hint).toBe("for all but these: --events all,-push,-note");
  });

  test("is shown in the form that is typed", () => {
    fc.assert(
      fc.property(fc.subarray(all), (chosen) => {
        const hook = { id: 1, ...on(all), ...parseKinds(["none", ...chosen].join(",")) };
        const live = {
          ...hook,
          ...Object.fromEntries(beyond.map((kind) => [`${kind}_events`, chosen.includes(kind)])),
        };
        expect(kindsOf(parseKinds(kindsText(kindsOf(live))))).toEqual(chosen);
      }),
    );
  });

  test("is shown with undocumented kinds", () => {
    expect(kindsText(kindsOf({ push_events: true, vulnerability_events: true, id: 4 }))).toBe("push,vulnerability");
    expect(kindsText(kindsOf(every(true)))).toBe("all");
    expect(kindsText(kindsOf({ ...every(true), milestone_events: false }))).toBe(documented.join(","));
    expect(kindsText([])).toBe("none");
  });

  test("all and none are every flag of an existing hook, known or not", () => {
    const live = { ...every(false), milestone_events: true, comet_events: true };
    expect(parseKinds("none", live)).toEqual({
      ...every(false),
      milestone_events: false,
      more_events: { comet_events: false },
    });
    expect(parseKinds("all,-comet", live)).toMatchObject({
      milestone_events: true,
      more_events: { comet_events: false },
    });
    expect(parseKinds("push", live)).toEqual({ push_events: true });
  });
});

describe("completion", () => {
  const words = (typed: string, before: string[] = []) => completeKinds(typed, before).map(([word]) => word);

  test("starts with any kind, all, or none", () => {
    expect(words("")).toEqual([...all, "all", "none"]);
    expect(completeKinds("", [])).toContainEqual(["push", "Pushes to branches"]);
  });

  test("after others it is a kind; with a - one to turn off", () => {
    expect(words("", ["all"])).toEqual(all);
    expect(words("-p")).toEqual(all.map((kind) => `-${kind}`));
  });
});

function caught(act: () => unknown): UsageError {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

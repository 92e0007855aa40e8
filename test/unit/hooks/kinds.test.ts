import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { completeKinds, kinds, kindsOf, kindsText, parseKinds } from "../../../src/commands/hooks/kinds.ts";

const documented = (
  "push,tag_push,merge_requests,repository_update,issues,confidential_issues,note,confidential_note,pipeline," +
  "wiki_page,job,deployment,feature_flag,releases,subgroup,emoji,resource_access_token,member"
).split(",");

/** All flags with one value. */
const every = (value: boolean) => Object.fromEntries(documented.map((kind) => [`${kind}_events`, value]));

test("the kinds are the documented flags", () => {
  expect(kinds).toEqual(documented);
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
    expect(parseKinds(text, "present")).toEqual(flags);
  });

  test.each([
    ["push", { ...every(false), push_events: true }],
    ["all,-emoji", { ...every(true), emoji_events: false }],
    ["none", every(false)],
  ])("%s is exactly what is on in a new hook", (text, flags) => {
    expect(parseKinds(text, "new")).toEqual(flags);
  });

  test.each([
    ["-all", "only single kinds take a -", "instead of -all: none"],
    ["push,-none", "only single kinds take a -", "instead of -none: all"],
    ["pushh", 'unknown kind "pushh"', "did you mean push?"],
    ["push,issue", 'unknown kind "issue"', "did you mean issues?"],
    ["note_events", 'unknown kind "note_events"', "did you mean note?"],
    ["-al", 'unknown kind "al"', "did you mean all?"],
    ["zzzzz", 'unknown kind "zzzzz"', undefined],
    ["", "a kind is missing", undefined],
    ["push,,note", "a kind is missing", undefined],
    ["-", "a kind is missing", undefined],
    ["push,none", "none means every kind; it must come first, or alone", undefined],
    ["push,-push", "push is given twice", undefined],
  ])("%j is refused", (text, message, hint) => {
    for (const of of ["new", "present"] as const) {
      const problem = caught(() => parseKinds(text, of));
      expect(problem.message).toBe(`--events: ${message}`);
      expect(problem.details.hint).toBe(hint);
    }
  });

  test("for a new hook it cannot only turn kinds off", () => {
    expect(caught(() => parseKinds("-push,-note", "new")).details.hint).toBe(
      "for all but these: --events all,-push,-note",
    );
  });

  test("is shown in the form that is typed", () => {
    fc.assert(
      fc.property(fc.subarray(documented), (on) => {
        const shown = kindsText(kindsOf({ id: 1, ...parseKinds(["none", ...on].join(","), "new") }));
        expect(kindsOf(parseKinds(shown, "new"))).toEqual(on);
      }),
    );
  });

  test("is shown with undocumented kinds", () => {
    expect(kindsText(kindsOf({ push_events: true, vulnerability_events: true, id: 4 }))).toBe("push,vulnerability");
    expect(kindsText(kindsOf(every(true)))).toBe("all");
    expect(kindsText([])).toBe("none");
  });
});

describe("completion", () => {
  const words = (typed: string, before: string[] = []) => completeKinds(typed, before).map(([word]) => word);

  test("starts with any kind, all, or none", () => {
    expect(words("")).toEqual([...documented, "all", "none"]);
    expect(completeKinds("", [])).toContainEqual(["push", "Pushes to branches"]);
  });

  test("after others it is a kind; with a - one to turn off", () => {
    expect(words("", ["all"])).toEqual(documented);
    expect(words("-p")).toEqual(documented.map((kind) => `-${kind}`));
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

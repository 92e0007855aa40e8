import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, needsTimes, type Rules, type Tag } from "../../../src/commands/registry/prune/selection.ts";

const now = new Date("2026-06-15T12:00:00Z");
const hour = 3600;
const day = 24 * hour;

/** A tag whose image is that many hours old. */
const tag = (name: string, hours: number): Tag => ({
  name,
  created_at: new Date(now.getTime() - hours * hour * 1000).toISOString(),
});

/** `name: rule`, in the returned order. */
function rules(tags: readonly Tag[], given: Partial<Rules>): string[] {
  return decide(tags, { deletes: () => true, ...given }, { now, ties: "name", isHere: false }).map(
    ({ tag, rule }) => `${tag.name}: ${rule}`,
  );
}

describe("decide", () => {
  test("newest first; a tag that no rule keeps is deleted", () => {
    expect(rules([tag("b", 5), tag("a", 9), tag("c", 1)], {})).toEqual([
      "c: delete_regex",
      "b: delete_regex",
      "a: delete_regex",
    ]);
  });

  test("a tag whose time is not one counts as new", () => {
    const odd = ["5", "yesterday 1", "01/02/2020", "2020-01-01T00:00:00"];
    const tags = odd.map((created_at, index) => ({ name: `t${index}`, created_at }));
    expect(rules(tags, { olderThan: day })).toEqual(tags.map(({ name }) => `${name}: older_than`));
  });

  test("a tag whose time is not one takes no place of the newest that are kept", () => {
    const odd = { name: "odd", created_at: "2020-01-01T00:00:00" };
    const tags = [odd, tag("new", 1), tag("old", 9), { name: "none", created_at: null }];
    expect(rules(tags, { keepN: 2 })).toEqual(["none: keep_n", "odd: keep_n", "new: keep_n", "old: delete_regex"]);
    const tied = decide(
      [odd, tag("a", 9), tag("b", 9)],
      { deletes: () => true, keepN: 1 },
      { now, ties: "instance", isHere: false },
    );
    expect(tied.map(({ verdict }) => verdict)).toEqual(["KEEP", "EITHER", "EITHER"]);
  });

  test("each rule, in the documents' order: the first that keeps decides", () => {
    const given: Partial<Rules> = {
      deletes: (name) => !name.startsWith("main"),
      keeps: (name) => name === "keep" || name === "main-keep",
      keepN: 1,
      olderThan: day,
    };
    const tags = [
      tag("old", 100),
      tag("main", 90),
      tag("main-keep", 80),
      tag("keep", 70),
      tag("latest", 60),
      tag("second", 23),
      tag("first", 2),
    ];
    expect(rules(tags, given)).toEqual([
      "first: keep_n",
      "second: older_than",
      "latest: latest",
      "keep: keep_regex",
      "main-keep: no_match",
      "main: no_match",
      "old: delete_regex",
    ]);
  });

  test("latest and tags kept by the keep pattern do not count among the N newest", () => {
    const given = { keeps: (name: string) => name === "keep", keepN: 2 };
    expect(rules([tag("latest", 1), tag("keep", 2), tag("a", 3), tag("b", 4), tag("c", 5)], given)).toEqual([
      "latest: latest",
      "keep: keep_regex",
      "a: keep_n",
      "b: keep_n",
      "c: delete_regex",
    ]);
  });

  test("older means older: a tag of exactly that age is kept", () => {
    expect(rules([tag("a", 24)], { olderThan: day })).toEqual(["a: older_than"]);
    expect(rules([tag("a", 24.001)], { olderThan: day })).toEqual(["a: delete_regex"]);
  });

  test("a tag without a time counts as new", () => {
    const timeless = { name: "timeless", created_at: null };
    expect(rules([tag("a", 1), timeless], { olderThan: hour / 2 })).toEqual([
      "timeless: older_than",
      "a: delete_regex",
    ]);
    expect(rules([tag("a", 1), timeless], { keepN: 1 })).toEqual(["timeless: keep_n", "a: delete_regex"]);
  });

  test("of what is deleted here, one without a time stays, and takes no place of the newest that are kept", () => {
    const timeless = ["index-1", "index-2", "index-3"].map((name) => ({ name, created_at: null }));
    const all = [tag("new", 1), tag("old", 9), ...timeless, tag("older", 10)];
    for (const ties of ["name", "instance"] as const) {
      const decided = decide(all, { deletes: () => true, keepN: 1 }, { now, ties, isHere: true });
      expect(
        decided.filter(({ verdict }) => verdict !== "KEEP").map(({ tag: { name }, verdict }) => [name, verdict]),
      ).toEqual([
        ["old", "DELETE"],
        ["older", "DELETE"],
      ]);
    }
    // Without a rule on times their names decide.
    const named = decide(timeless, { deletes: () => true, keepN: 0 }, { now, ties: "name", isHere: true });
    expect(named.map(({ verdict }) => verdict)).toEqual(["DELETE", "DELETE", "DELETE"]);
  });

  test("times are compared as instants, with any offset", () => {
    const east = { name: "east", created_at: "2026-06-15T13:00:00.000+05:00" };
    const west = { name: "west", created_at: "2026-06-15T09:00:00.000+00:00" };
    expect(rules([east, west], { keepN: 1 })).toEqual(["west: keep_n", "east: delete_regex"]);
  });

  const tags = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("latest", "main", "v1", "v2", "v3", "v4", "dev-1", "dev-2", "dev-3", "keep-1", "keep-2"),
      created_at: fc
        .option(fc.integer({ min: 0, max: 300 }))
        .map((hours) => (hours === null ? null : (tag("", hours).created_at as string))),
    }),
    { selector: ({ name }) => name },
  );
  const given = fc.record(
    { keepN: fc.integer({ min: 0, max: 5 }), olderThan: fc.integer({ min: 1, max: 10 * day }) },
    { requiredKeys: [] },
  );

  test("holds for any tags and rules: deletes exactly what the documents describe", () => {
    fc.assert(
      fc.property(tags, given, (some, limits) => {
        const all: Rules = {
          deletes: (name) => name !== "main",
          keeps: (name) => name.startsWith("keep"),
          ...limits,
        };
        const decisions = decide(some, all, { now, ties: "name", isHere: false });
        expect(decisions.map(({ tag }) => tag.name).sort()).toEqual(some.map(({ name }) => name).sort());
        // The documented rules in order, each applied to what the previous one leaves.
        const age = ({ created_at }: Tag) => (now.getTime() - Date.parse(created_at ?? "")) / 1000 || 0;
        const time = (each: Tag) => (each.created_at === null ? -1 : age(each));
        const matching = some.filter(({ name }) => name !== "main" && !name.startsWith("keep") && name !== "latest");
        const ordered = matching.toSorted((a, b) => time(a) - time(b) || (a.name < b.name ? -1 : 1));
        const rest = ordered.slice(all.keepN ?? 0);
        const expected = rest.filter((each) => all.olderThan === undefined || age(each) > all.olderThan);
        const deleted = decisions.filter(({ verdict }) => verdict === "DELETE").map(({ tag }) => tag.name);
        expect(deleted).toEqual(expected.map(({ name }) => name));
        for (const { verdict, rule } of decisions) expect(verdict === "DELETE").toBe(rule === "delete_regex");
      }),
    );
  });
});

describe("a tie at the end of what keep_n keeps", () => {
  /** `name: verdict`, with ties broken by the instance. */
  function verdicts(tags: readonly Tag[], given: Partial<Rules>): string[] {
    const decisions = decide(tags, { deletes: () => true, ...given }, { now, ties: "instance", isHere: false });
    return decisions.map(({ tag, verdict, rule }) => `${tag.name}: ${verdict} ${rule}`);
  }

  test("leaves all tags of that time undecided, and no other", () => {
    const tags = [tag("new", 1), tag("a", 5), tag("b", 5), tag("c", 5), tag("old", 9)];
    expect(verdicts(tags, { keepN: 2 })).toEqual([
      "new: KEEP keep_n",
      "a: EITHER keep_n",
      "b: EITHER keep_n",
      "c: EITHER keep_n",
      "old: DELETE delete_regex",
    ]);
    expect(rules(tags, { keepN: 2 })[1]).toBe("a: keep_n");
  });

  test("does not matter if all of them are kept, or all deleted", () => {
    const tags = [tag("a", 5), tag("b", 5), tag("old", 9)];
    expect(verdicts(tags, { keepN: 2 })).toEqual(["a: KEEP keep_n", "b: KEEP keep_n", "old: DELETE delete_regex"]);
    expect(verdicts(tags, { keepN: 3 }).join()).not.toMatch(/EITHER|DELETE/);
    expect(verdicts(tags, { keepN: 0 }).join()).not.toMatch(/EITHER|KEEP/);
    expect(verdicts(tags, { keepN: 1, olderThan: day }).join()).not.toMatch(/EITHER|DELETE/);
  });

  test("does not include a tag that other rules keep; two tags without a time tie", () => {
    expect(verdicts([tag("latest", 5), tag("a", 5), tag("b", 9)], { keepN: 1 })).toContain("a: KEEP keep_n");
    const timeless = [{ name: "x", created_at: null }, { name: "y" }];
    expect(verdicts(timeless, { keepN: 1 })).toEqual(["x: EITHER keep_n", "y: EITHER keep_n"]);
  });
});

test("details are needed only for the rules on age and number", () => {
  const deletes = () => true;
  expect(needsTimes({ deletes, keeps: () => false })).toBe(false);
  expect(needsTimes({ deletes, keepN: 0 })).toBe(true);
  expect(needsTimes({ deletes, olderThan: 60 })).toBe(true);
});

import { describe, expect, test } from "vitest";
import { readBaseline } from "../../../src/settings/baseline.ts";
import { fixOf } from "../../../src/settings/fix.ts";
import { type Expectation, hardeningRules, type Rule } from "../../../src/settings/hardening.ts";
import { judge } from "../../../src/settings/judgment.ts";

const present: readonly unknown[] = [
  ...[undefined, null, "", true, false, "true", "a text", "384", "0"],
  ...[-1, 0, 1, 7, 128, 256, 384, 480, 1000, 2048, 4096, 20_000, 1e9],
  ...[[], ["private"], ["internal"], ["internal", "public"], ["a", "b"], [1], {}, { a: 1 }],
];
const expectations: readonly Expectation[] = [
  ...[
    { is: true },
    { is: "private" },
    { is: [] },
    { is: ["public", "internal"] },
    { is: -1 },
    { is: null },
    { is: "" },
  ],
  ...[
    { not: 0 },
    { not: true },
    { not: 480, atMost: 480 },
    { given: true as const },
    { given: true as const, atMost: 9 },
  ],
  ...[{ atLeast: 4096 }, { atMost: 10 }, { atLeast: 1, atMost: 480 }, { atLeast: 5, atMost: 3 }, { is: 3, atMost: 2 }],
  ...[{ has: "public" }, { has: "x", given: true as const }, { has: "x", atMost: 3 }],
];

/** The rule of a setting as a baseline file with this entry has it. */
function ruleOf(entry: { readonly setting: string; readonly [name: string]: unknown }): Rule {
  const { rules } = readBaseline({ rules: [entry] }, (path, message) => expect.fail(`${path} ${message}`));
  return rules.find(({ setting }) => setting === entry.setting) ?? expect.fail();
}

const own = hardeningRules.flatMap(({ setting }) =>
  expectations.map((expected) => ruleOf({ setting, expect: expected })),
);
const undocumented = expectations.map((expected) => ruleOf({ setting: "not_documented", expect: expected }));

describe.each([
  ["built-in", hardeningRules],
  ["a file's", [...own, ...undocumented]],
] as const)("the fixes of %s rules", (_whose, rules) => {
  test("satisfy the rule, and take nothing away that does", () => {
    let proposed = 0;
    for (const rule of rules) {
      const { setting, expect: expected } = rule;
      const about = `${setting} ${JSON.stringify(expected)}`;
      for (const value of present) {
        const [judged] = judge({ ...rule, when: undefined } as never, { [setting]: value }, [], "");
        if (judged?.verdict !== "fail") continue;
        const fix = fixOf(rule, value);
        if (fix === undefined) continue;
        proposed += 1;
        const [mended] = judge({ ...rule, when: undefined } as never, { [setting]: fix }, [], "");
        // Only a rule that names an empty value has no pass.
        const isEmpty = (fix === "" || fix === null) && fix === expected.is;
        expect([about, value, mended?.verdict]).toEqual([about, value, isEmpty ? "unset" : "pass"]);
        if (expected.has !== undefined) expect(fix).toEqual([...(value as unknown[]), expected.has]);
        // What another type means is the instance's matter.
        if (typeof value === "string" && typeof fix === "number")
          expect([about, value, "is" in expected || value === ""]).toEqual([about, value, true]);
      }
    }
    expect(proposed).toBeGreaterThan(100);
  });
});

test("a list that the instance shows in part is not written", () => {
  const rule = ruleOf({ setting: "domain_allowlist", expect: { has: "a.example" } });
  expect(fixOf(rule, ["b.example"])).toEqual(["b.example", "a.example"]);
  expect(fixOf(rule, ["b.example", "********"])).toBe(undefined);
  expect(fixOf(rule, "b.example")).toBe(undefined);
});

test("a file's rule has neither the condition nor the value of the built-in one, unless it only changes its severity", () => {
  for (const { setting, expect: expected } of hardeningRules) {
    const changed = ruleOf({ setting, expect: expected });
    expect([changed.when, changed.fix]).toEqual([undefined, undefined]);
    const graver = ruleOf({ setting, severity: "high" });
    expect(graver).toEqual({ ...hardeningRules.find((rule) => rule.setting === setting), severity: "high" });
  }
});

import { describe, expect, test } from "vitest";
import { fieldsText, PlanChange, planColumns, planPassage, rowText } from "../../../src/state/plan/plan-row-view.ts";
import { field, row } from "../../support/plan-rows.ts";

describe("the heading of a row", () => {
  test.each([
    ["create", "+ #settings"],
    ["update", "~ #settings"],
    ["replace", "~ #settings"],
    ["delete", "- #settings"],
    ["disarm", "- #settings"],
    ["extra", "extra #settings"],
    ["unmanaged", "unmanaged #settings"],
    ["unreadable", "? #settings"],
  ] as const)("%s: %s", (action, heading) => {
    expect(planPassage(row({ action }), { arrow: "→" }).heading).toEqual([heading, "state.yaml:3"]);
  });

  test.each([null, ""])("without a place, if it has none (%j)", (file) => {
    expect(planPassage(row({ file }), { arrow: "→" }).heading).toEqual(["~ #settings"]);
  });
});

describe("a row on one line", () => {
  const fields = [field("a", null, ""), field("token", null, null, { secret: true, source: "$TOKEN" })];

  test("has every field from and to; of secrets their source", () => {
    expect(fieldsText(fields)).toBe('a: null → ""; token ($TOKEN)');
    expect(fieldsText([field("token", null, null, { secret: true })], { arrow: "->" })).toBe("token (secret)");
    expect(fieldsText([field("a", [1], { b: undefined })], { arrow: "->" })).toBe("a: [1] -> {}");
    expect(PlanChange.shape.fields?.worded?.(fields, { arrow: "->" } as never)).toBe('a: null -> ""; token ($TOKEN)');
  });

  test("has its action, and what there is besides", () => {
    expect(rowText(row())).toBe("update");
    expect(rowText(row({ fields, lockout: "it can", reason: "why" }))).toBe(
      'update: a: null → ""; token ($TOKEN); it can; why',
    );
    expect(rowText(row({ reason: "why" }))).toBe("update: why");
  });

  test("a row has every field that a plan shows", () => {
    expect(Object.keys(PlanChange.shape).toSorted()).toEqual(Object.keys(row()).toSorted());
    expect(planColumns).toEqual(["address", "action", "fields", "lockout", "reason"]);
  });
});

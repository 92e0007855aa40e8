import { describe, expect, test } from "vitest";
import { at, originOf } from "../../../src/state/fields/spot.ts";
import { Findings, originText } from "../../../src/state/finding.ts";
import { placeOf, problemText } from "../../support/state-text.ts";

const origin = { file: "f", line: 2 };

describe("the problems of a run", () => {
  test("are in the order found; what is ignored of a kind is one problem at the end", () => {
    const findings = new Findings();
    findings.passOver(origin, "hooks", ["id"]);
    findings.passOver({ file: "g", line: 9 }, "hooks", ["made", "id"]);
    findings.error(origin, "a", "is wrong", "mend it");
    findings.warn(origin, "b", "is odd");
    expect(findings.list.map(problemText)).toEqual([
      "f:2 error a: is wrong | mend it",
      "f:2 warning b: is odd",
      "f:2 warning hooks: id, made: set by the instance, ignored",
    ]);
  });

  test("errors are counted, and nothing else", () => {
    const findings = new Findings();
    findings.warn(origin, "b", "is odd");
    expect([findings.errorCount, findings.errors]).toEqual([0, []]);
    findings.error(origin, "a", "is wrong");
    findings.error(origin, "c", "is wrong");
    expect(findings.errorCount).toBe(2);
    expect(findings.errors.map(({ path }) => path)).toEqual(["a", "c"]);
  });

  test("what is found at one place for several scopes is one problem", () => {
    const findings = new Findings();
    const finding = { path: "a", severity: "error", message: "is wrong", hint: null } as const;
    findings.once(origin, finding);
    findings.once(origin, finding);
    expect(findings.errorCount).toBe(1);
    findings.once({ file: "f", line: 3 }, finding);
    findings.once(origin, { ...finding, message: "is odd" });
    findings.once(origin, { ...finding, path: "b" });
    expect(findings.errorCount).toBe(4);
  });
});

describe("the place of a value", () => {
  test("is the path of its keys and items, and its line", () => {
    const { spot } = placeOf({ path: "" });
    expect(at(at(at(spot, "groups"), "acme"), 0).path).toBe("groups.acme[0]");
    expect(originOf(spot, { line: 4 })).toEqual({ file: "f", line: 4 });
    expect(originOf({ ...spot, pattern: "acme/*" }, { line: 4 })).toEqual({ file: "f", line: 4, pattern: "acme/*" });
    expect(originText(originOf(spot, { line: 4 }))).toBe("f:4");
  });

  test("a key of more than 200 characters is shown by its beginning", () => {
    const { spot } = placeOf({ path: "" });
    expect(at(spot, "k".repeat(200)).path).toBe("k".repeat(200));
    expect(at(spot, `${"k".repeat(200)}ey`).path).toBe(`${"k".repeat(200)}...`);
  });
});

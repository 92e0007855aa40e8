import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sameWhole } from "../../../src/state/fields/normal.ts";
import type { Values } from "../../../src/state/kind.ts";
import { settingField, settingsKind } from "../../../src/state/kinds/settings.ts";
import { changeOf, compared, declared } from "../../support/compared.ts";

// Settings that are objects: a file declares keys of them, a rollback and a comparison of instances mean all of them.

const name = "repository_storages_weighted";
const field = settingField(name);
const value = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.constant(""), fc.constant("[masked]"));
const hash = fc.dictionary(fc.constantFrom("a", "b", "c", "a_token"), value);
const setting = fc.oneof({ weight: 8, arbitrary: hash }, { weight: 1, arbitrary: value });

describe("a comparison of whole values", () => {
  test("is the same both ways", () => {
    fc.assert(
      fc.property(setting, setting, (one, other) => {
        expect(sameWhole(field, one, other)).toBe(sameWhole(field, other, one));
      }),
    );
  });

  test.each<[unknown, unknown, boolean]>([
    [{ default: 100 }, { default: 100, nas: 50 }, false],
    [{}, { nas: 50 }, false],
    [{}, null, true],
    [undefined, null, true],
    [{}, "x", false],
    [{ a: [1, 2] }, { a: [2, "1"] }, true],
    [{ a: 1, b: null }, { a: 1 }, true],
    [{ a_token: "[masked]", b: 1 }, { a_token: "t", b: 1 }, true],
    [{ a_token: "[masked]", b: 1 }, { a_token: "t", b: 1, c: 1 }, false],
  ])("of %j and %j: %s", (one, other, same) => {
    expect([sameWhole(field, one, other), sameWhole(field, other, one)]).toEqual([same, same]);
  });

  test("of other forms it is that of a declared value", () => {
    expect(sameWhole(settingField("domain_allowlist"), ["A.example"], ["a.example"])).toBe(true);
    expect(sameWhole(settingField("moon"), { a: 1 }, { a: 1, b: 2 })).toBe(false);
  });
});

describe("a whole declaration", () => {
  const back = (before: Values, live: Values) =>
    changeOf(settingsKind, declared({ [name]: before }, { whole: true }), { [name]: live });
  const plainHash = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer());

  test("writes what was there, and nothing else, unless it is there", () => {
    fc.assert(
      fc.property(plainHash, plainHash, (before, live) => {
        fc.pre(!sameWhole(field, before, live));
        const change = back(before, live);
        expect(settingsKind.steps(change)[0]?.input).toEqual({ settings: { [name]: before }, secrets: {} });
        expect(change.fields).toMatchObject([{ path: name, from: live, to: before }]);
      }),
    );
    expect(() => back({ a: 1 }, { a: "1" })).toThrow("0 changes");
  });

  test("another keeps the keys that it does not have", () => {
    expect(compared(settingsKind, [{ [name]: { a: 1 } }], [{ [name]: { a: 1, b: 2 } }]).equal).toBe(1);
  });
});

import { describe, expect, test } from "vitest";
import { planDamage } from "../../../src/state/plan-damage.ts";

const reference = { reference: "env", name: "TOKEN", origin: { file: "a", line: 2 } };
const change = {
  address: "acme/x#error_tracking",
  at: "project",
  scope: "acme/x",
  kind: "error_tracking",
  action: "update",
  fields: [
    { path: "active", secret: false, source: null },
    { path: "integrated", secret: true, source: "$TOKEN" },
  ],
  declared: { values: { active: true } },
  from: { active: false },
  doubts: { active: [true] },
  file: "a",
  line: 2,
};
const setting = { ...change, address: "#settings", at: "instance", scope: null, kind: "settings" };
const plan = {
  instance: "https://a.example",
  caller: { id: 1, admin: false },
  planned: "2026-11-21T16:45:02Z",
  prune: false,
  secrets: "auto",
  files: { "terms.md": "0af1" },
  equal: 0,
  shared: [{ name: "acme/** allowlist", size: 8, removals: 6, scopes: 6 }],
  changes: [change, setting],
};

/** The value with the one at a path in place of what it has there; undefined takes it out. */
function withAt(value: object, path: string, given: unknown): object {
  const [name = "", ...rest] = path.split(".");
  const held = value as Record<string, unknown>;
  const next = rest.length === 0 ? given : withAt(held[name] as object, rest.join("."), given);
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === name ? next : each));
  const others = Object.entries(held).filter(([each]) => each !== name);
  return Object.fromEntries(next === undefined ? others : [...others, [name, next]]);
}

describe("a whole plan", () => {
  test.each<[string, object]>([
    ["with all that it may have", plan],
    ["without changes", { ...plan, changes: [], shared: [], files: {} }],
    ["without its time", withAt(plan, "planned", undefined)],
    ["without what memory doubts", withAt(plan, "changes.0.doubts", undefined)],
    ["that removes something", withAt(withAt(plan, "changes.0.declared", null), "changes.0.action", "delete")],
    ["that creates something", withAt(withAt(plan, "changes.0.from", null), "changes.0.action", "create")],
    ["with a change of no file", withAt(withAt(plan, "changes.0.file", null), "changes.0.line", null)],
    ["with a secret", withAt(plan, "changes.0.declared.values", { a: [{ b: reference }], c: reference })],
    ["with a secret of a file", withAt(plan, "changes.0.declared.values.a", { ...reference, reference: "file" })],
  ])("%s", (_, whole) => {
    expect(planDamage(whole as never)).toBeUndefined();
  });

  test.each(["always", "never"])("that sends secrets %s", (secrets) => {
    expect(planDamage({ ...plan, secrets })).toBeUndefined();
  });

  test.each(["create", "update", "replace", "delete", "disarm", "extra", "unreadable"])(
    "with the action %s",
    (action) => {
      expect(planDamage(withAt(plan, "changes.0.action", action) as never)).toBeUndefined();
    },
  );
});

describe("a plan whose head lacks something, or has it in another type, is refused", () => {
  test.each<[string, unknown[]]>([
    ["instance", [undefined, null, 1]],
    ["caller", [undefined, null, 1]],
    ["caller.id", [undefined, "1"]],
    ["caller.admin", [undefined, "no", null]],
    ["planned", [1, null]],
    ["prune", [undefined, "no"]],
    ["secrets", [undefined, "sometimes", ""]],
    ["files", [undefined, null, 1]],
    ["files.b", [1, null]],
    ["equal", [undefined, "0"]],
    ["shared", [undefined, {}, [1], [null]]],
    ["shared.0.name", [undefined, 1]],
    ["shared.0.size", [undefined, "8"]],
    ["shared.0.removals", [undefined, "6"]],
    ["shared.0.scopes", [undefined, "6"]],
    ["changes", [undefined, {}, null]],
  ])("%s", (path, wrong) => {
    const found = wrong.map((each) => planDamage(withAt(plan, path, each) as never));
    expect(found).toEqual(wrong.map(() => "its head is incomplete"));
  });
});

describe("a row that cannot be used is named, and none is left out", () => {
  const incomplete = "is incomplete";
  const elsewhere = "has another scope than its kind";
  const referring = "refers to something else than a variable, or a file by its name";
  test.each<[string, unknown[], string]>([
    ["changes.1", ["x", null, 1], "is not an object"],
    ["changes.1.address", [undefined, 1], incomplete],
    ["changes.1.file", [undefined, null, 1], incomplete],
    ["changes.1.line", [undefined, null, "2"], incomplete],
    ["changes.1.declared", [undefined, {}, { values: null }, "x", { values: 1 }], incomplete],
    ["changes.1.doubts", [null, { active: true }, "x"], incomplete],
    ["changes.1.from", [undefined, "x"], incomplete],
    ["changes.1.fields", [undefined, {}, [null], ["active"]], incomplete],
    ["changes.1.fields.1.path", [undefined, 1], incomplete],
    ["changes.1.fields.1.secret", [undefined, "no"], incomplete],
    ["changes.1.fields.1.source", [undefined, 1], incomplete],
    ["changes.1.scope", ["acme/x", 1], elsewhere],
    ["changes.1.at", ["project", undefined], elsewhere],
    ["changes.1.action", ["drop"], "has the action drop"],
    ["changes.1.action", [undefined, 1], "has the action "],
    ["changes.1.kind", ["variables", "", undefined, 1], ", which this version does not know"],
    [
      "changes.1.declared.values.a",
      [
        { ...reference, reference: "url" },
        { ...reference, name: 1 },
      ],
      referring,
    ],
    [
      "changes.1.declared.values.a",
      [
        { ...reference, origin: null },
        { ...reference, origin: {} },
      ],
      referring,
    ],
    ["changes.1.declared.values.a", [{ ...reference, more: 1 }], referring],
    ["changes.1.declared.values.a", [{ ...reference, name: undefined }], referring],
    ["changes.1.declared.values.a", [[1, { b: { ...reference, reference: "" } }]], referring],
  ])("%s", (path, wrong, problem) => {
    for (const each of wrong) {
      const found = planDamage(withAt(plan, path, each) as never);
      expect(found).toMatch(/^row 2 /);
      expect(found).toContain(problem);
    }
  });

  test("of a project the scope is a text", () => {
    for (const scope of [null, 1, undefined])
      expect(planDamage(withAt(plan, "changes.0.scope", scope) as never)).toBe(`row 1 ${elsewhere}`);
  });
});

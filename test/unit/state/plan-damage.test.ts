import { describe, expect, test } from "vitest";
import type { Values } from "../../../src/state/kind.ts";
import { planDamage } from "../../../src/state/plan/plan-damage.ts";

const variable = { reference: "env", name: "TOKEN", origin: { file: "state.yaml", line: 3 } };
const field = { path: "url", from: null, to: "x", secret: false, source: null, file: null, line: null };
const row = {
  address: "acme#hooks/Deploys",
  at: "group",
  scope: "acme",
  kind: "hooks",
  key: "Deploys",
  id: 1,
  action: "update",
  fields: [field],
  declared: { values: { url: "x", token: variable, custom_headers: [{ key: "a", value: variable }] } },
  from: { url: "y" },
  doubts: { url: [] },
  lockout: null,
  reason: null,
  preimage: "hash",
  file: "state.yaml",
  line: 3,
};
const settings = {
  ...row,
  address: "#settings",
  at: "instance",
  scope: null,
  kind: "settings",
  declared: null,
  doubts: undefined,
};
const list = { name: "acme/** hooks", size: 3, removals: 1, scopes: 2 };
const plan = {
  instance: "https://forge.example.com",
  caller: { id: 1, admin: true },
  planned: "2026-11-21T00:00:00Z",
  prune: true,
  secrets: "auto",
  files: { "terms.md": "hash" },
  equal: 3,
  shared: [list],
  changes: [row, settings],
};
const none = Symbol("left out");

/** A copy with one value replaced, at a dotted path. */
function altered(path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(plan);
  const names = path.split(".");
  const last = names.pop() as string;
  const inner = names.reduce((at, name) => at[name] as never, copy as never as Record<string, unknown>);
  if (value === none) delete inner[last];
  else inner[last] = value;
  return copy;
}

test.each<[what: string, plan: Record<string, unknown>]>([
  ["a plan as it is written", plan],
  ["one of an older version, without its time", altered("planned", undefined)],
  ...["always", "never"].map((secrets) => [`--secrets ${secrets}`, altered("secrets", secrets)] as [string, Values]),
  ...["create", "replace", "delete", "disarm", "extra", "unreadable"].map(
    (action) => [action, altered("changes.0.action", action)] as [string, Values],
  ),
  ["an empty one", altered("changes", [])],
  [
    "a row that is not in the files",
    altered("changes.0", { ...row, file: null, line: null, declared: null, from: null }),
  ],
  ["the source of a field", altered("changes.0.fields.0.source", "$TOKEN")],
  ["a reference to a file", altered("changes.0.declared.values.token", { ...variable, reference: "file" })],
])("%s is whole", (_what, whole) => {
  expect(planDamage(whole)).toBeUndefined();
});

test.each<[path: string, value: unknown]>([
  ["instance", 1],
  ["instance", none],
  ["planned", 1],
  ["planned", null],
  ["prune", "yes"],
  ["secrets", "perhaps"],
  ["secrets", none],
  ["equal", "3"],
  ["caller", null],
  ["caller.id", "1"],
  ["caller.admin", 1],
  ["files", "x"],
  ["files", none],
  ["files", { a: 1 }],
  ["files", { a: "x", b: null }],
  ["shared", none],
  ["shared", {}],
  ["shared.0", null],
  ["shared.0.size", "3"],
  ["shared.0.removals", none],
  ["shared.0.scopes", none],
  ["shared.0.name", none],
  ["shared", [list, { ...list, size: null }]],
  ["changes", none],
  ["changes", {}],
])("with %s %j its head is incomplete", (path, value) => {
  expect(planDamage(altered(path, value))).toBe("its head is incomplete");
});

describe("a row is refused, and never left out", () => {
  test.each<[path: string, value: unknown, problem: string]>([
    ["", null, "is not an object"],
    ["", [], "is not an object"],
    ["kind", "moons", "is of the kind moons, which this version does not know"],
    ["kind", 3, "is of the kind 3, which this version does not know"],
    ["action", "explode", "has the action explode"],
    ["at", "project", "has another scope than its kind"],
    ["scope", null, "has another scope than its kind"],
    ["scope", 3, "has another scope than its kind"],
    ["address", none, "is incomplete"],
    ...["key", "lockout", "reason", "preimage"].flatMap((name): [string, unknown, string][] => [
      [name, none, "is incomplete"],
      [name, { toString: 1 }, "is incomplete"],
    ]),
    ["id", none, "is incomplete"],
    ["id", "1", "is incomplete"],
    ["file", null, "is incomplete"],
    ["line", null, "is incomplete"],
    ["line", "3", "is incomplete"],
    ["declared", none, "is incomplete"],
    ["declared", {}, "is incomplete"],
    ["declared", { values: [] }, "is incomplete"],
    ["from", none, "is incomplete"],
    ["from", "x", "is incomplete"],
    ["doubts", null, "is incomplete"],
    ["doubts", { url: "x" }, "is incomplete"],
    ["fields", none, "is incomplete"],
    ["fields", [field, null], "is incomplete"],
    ["fields.0.path", 1, "is incomplete"],
    ["fields.0.secret", none, "is incomplete"],
    ["fields.0.source", none, "is incomplete"],
    ["fields.0.source", 3, "is incomplete"],
  ])("%s %j: %s", (path, value, problem) => {
    const at = path === "" ? "changes.0" : `changes.0.${path}`;
    expect(planDamage(altered(at, value))).toBe(`row 1 ${problem}`);
  });

  test("the settings are of the instance, and of no scope", () => {
    expect(planDamage(altered("changes.1.scope", "acme"))).toBe("row 2 has another scope than its kind");
  });

  test.each<[path: string, value: unknown]>([
    ["token", { ...variable, reference: "command" }],
    ["token", { ...variable, name: 1 }],
    ["token", { ...variable, origin: null }],
    ["token", { ...variable, origin: { file: 1 } }],
    ["token", { ...variable, folder: "/etc" }],
    ["custom_headers.0.value", { ...variable, folder: "/etc" }],
    ["url", { deep: [{ er: { ...variable, reference: "x" } }] }],
  ])("with a reference to something else: %s %j", (path, value) => {
    expect(planDamage(altered(`changes.0.declared.values.${path}`, value))).toBe(
      "row 1 refers to something else than a variable, or a file by its name",
    );
  });
});

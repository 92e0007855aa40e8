import { describe, expect, test } from "vitest";
import { differing } from "../../../src/state/compact/check.ts";
import { compact } from "../../../src/state/compact/compact.ts";
import { linesOf } from "../../../src/state/compact/cost.ts";
import { treeOf } from "../../../src/state/compact/tree.ts";
import type { Exported } from "../../../src/state/export/export.ts";
import { Commented, Remark } from "../../../src/state/yaml/yaml-comment.ts";

const reg = (level: string) => ({ container_registry_access_level: level });
const active = (value: boolean) => ({ error_tracking: { active: value } });
const list = (...entries: unknown[]) => ({ job_token_scope: { allowlist: entries } });
const production = { name: "production", deploy_access_levels: [{ access_level: "maintainer" }] };
const envs = (...entries: object[]) => ({ protected_environments: entries });

type Fleet = Record<string, object>;

function exportedOf(fleet: Fleet, unreadable: Record<string, string[]> = {}): Exported[] {
  return Object.entries(fleet).map(([name, sections]) => ({
    scope: { at: "project", name },
    sections: sections as Exported["sections"],
    unreadable: (unreadable[name] ?? []).map((kind) => ({ kind, reason: "403" })),
  }));
}

/** What is written, by scope, and how many scopes a pattern fits. */
async function written(fleet: Fleet, unreadable: Record<string, string[]> = {}, roots = ["acme"]) {
  const { exported, whole } = await compact(exportedOf(fleet, unreadable), roots);
  expect(whole).toEqual([]);
  const remarks = exported.flatMap(({ scope, sections: { "": remark } }) =>
    remark instanceof Remark ? [`${scope.name} ${remark.text}`] : [],
  );
  const scopes = exported.flatMap(({ scope, sections: { "": _, ...own } }) =>
    Object.keys(own).length === 0 ? [] : [[scope.name, own] as const],
  );
  return { scopes: Object.fromEntries(scopes), order: scopes.map(([name]) => name), remarks };
}

const fleet = (names: string, sections: object): Fleet =>
  Object.fromEntries(names.split(" ").map((name) => [`acme/${name}`, sections]));

describe("what most scopes below a group have is written once", () => {
  test("the rule, and its exception", async () => {
    const open = active(true);
    const { scopes, remarks } = await written({
      ...fleet("a b c d", { ...reg("private"), ...open }),
      ...fleet("lab", { ...reg("enabled"), ...open }),
    });
    expect(scopes).toEqual({ "acme/**": { ...reg("private"), ...open }, "acme/lab": reg("enabled") });
    expect(remarks).toEqual(["acme/** 4 of 5"]);
  });

  test("each of two teams for itself, where neither is most of all", async () => {
    const { scopes, order } = await written({
      ...fleet("b/1 b/2 b/3", { ...reg("enabled"), ...active(true) }),
      ...fleet("a/1 a/2 a/3", { ...reg("private"), ...active(false) }),
      ...fleet("c", { ...reg("disabled"), ...active(true) }),
    });
    expect(order).toEqual(["acme/**", "acme/a/**", "acme/b/**", "acme/c"]);
    expect(scopes["acme/a/**"]).toEqual({ ...reg("private"), ...active(false) });
  });

  test("the projects of a group itself, where it has groups too", async () => {
    const { scopes, order } = await written({
      ...fleet("a b c d", reg("private")),
      ...fleet("m/1 m/2 m/3 m/4 m/5", reg("enabled")),
    });
    expect(order[0]).toBe("acme/**");
    expect(scopes).toEqual({ "acme/**": reg("enabled"), "acme/*": reg("private") });
  });

  test("in one order, whatever the order of the answers", async () => {
    const all = { ...fleet("a b c d", reg("private")), ...fleet("m/1 m/2 m/3", envs(production)) };
    const reversed = Object.fromEntries(Object.entries(all).reverse());
    expect(await written(all)).toEqual(await written(reversed));
  });
});

describe("nothing is a rule", () => {
  test.each<[string, Fleet]>([
    ["that only two scopes have", fleet("a b", envs(production))],
    ["that half of them have", { ...fleet("a b c", reg("private")), ...fleet("d e f", {}) }],
    ["that some do not declare", { ...fleet("a b c d", active(true)), ...fleet("e", {}) }],
    ["with an ID of its own", fleet("a b c", { hooks: [{ id: 4, name: "N", url: "https://x.example" }] })],
    ["with a secret", fleet("a b c", { hooks: [{ name: "N", url: { env: "HOOKS_URL" } }] })],
    ["of a kind with secrets that are not shown", fleet("a b c", { hooks: [{ name: "N", url: "https://x.example" }] })],
    ["outside of the group", Object.fromEntries(["x/a", "x/b", "x/c"].map((name) => [name, reg("private")]))],
  ])("%s", async (_, all) => {
    const { scopes, remarks } = await written(all);
    const own = Object.fromEntries(Object.entries(all).filter(([, each]) => Object.keys(each).length > 0));
    expect([scopes, remarks]).toEqual([own, []]);
  });

  test("without a group", async () => {
    const all = fleet("a b c", reg("private"));
    expect((await written(all, {}, [])).scopes).toEqual(all);
  });
});

describe("a list that contains what is inherited says only what is more", () => {
  test("what all have in common is the rule", async () => {
    const { scopes } = await written({
      "acme/a": list("acme/ci"),
      "acme/b": list("acme/ci", "acme/b2"),
      "acme/c": list("acme/ci", "acme/c2"),
      "acme/d": list("acme/ci", "acme/x", "acme/y"),
    });
    expect(scopes).toEqual({
      "acme/**": list("acme/ci"),
      "acme/b": list("inherit", "acme/b2"),
      "acme/c": list("inherit", "acme/c2"),
      "acme/d": list("inherit", "acme/x", "acme/y"),
    });
  });

  test("one that lacks some of it is written whole", async () => {
    const wide = envs(production, { name: "staging" });
    const { scopes } = await written({ ...fleet("a b c d", wide), ...fleet("e", envs({ name: "staging" })) });
    expect(scopes).toEqual({ "acme/**": wide, "acme/e": envs({ name: "staging" }) });
    const none = await written({ ...fleet("a b c d", wide), ...fleet("e", envs()) });
    expect(none.scopes["acme/e"]).toEqual(envs());
  });

  test("a project is not on its own allowlist", async () => {
    const { scopes } = await written({ ...fleet("a b c", list("acme/ci", "acme/x")), ...fleet("ci", list("acme/x")) });
    expect(scopes).toEqual({ "acme/**": list("acme/ci", "acme/x") });
  });

  test("the names behind IDs do not count", async () => {
    const named = (id: number) => list(new Commented(3, `name ${id}`), 4);
    const all = Object.fromEntries([1, 2, 3, 4].map((id) => [`acme/p${id}`, named(id)]));
    expect(Object.keys((await written(all)).scopes)).toEqual(["acme/**"]);
  });
});

test("what could not be read of a scope is unmanaged there, so that no pattern is for it", async () => {
  const all = {
    ...fleet("a b c d", { ...reg("private"), ...envs(production), ...list(3, 4) }),
    ...fleet("x", { ...reg("private"), ...list(3, 4) }),
    ...fleet("y", { ...reg("private"), ...envs(production), job_token_scope: {} }),
  };
  const unreadable = { "acme/x": ["protected_environments"], "acme/y": ["allowlist"] };
  const { scopes } = await written(all, unreadable);
  expect(scopes["acme/x"]).toEqual({ protected_environments: "unmanaged" });
  expect(scopes["acme/y"]).toEqual({ job_token_scope: { allowlist: "unmanaged" } });
});

describe("what a file cannot declare", () => {
  /** The names that are written, in their order. */
  const order = async (all: Exported[], roots: string[]) => {
    const { exported, whole } = await compact(all, roots);
    return { names: exported.map(({ scope }) => `${scope.at} ${scope.name}`), exported, whole };
  };

  test("is a reason to write every scope whole, in order, and unmanaged where it could not be read", async () => {
    const all = {
      ...fleet("b a c", reg("private")),
      ...fleet("x", { ...reg("open"), job_token_scope: { inbound_enabled: true } }),
      ...fleet("y", { ...active(true) }),
      ...fleet("z", {}),
    };
    const unreadable = {
      "acme/x": ["protected_environments", "allowlist"],
      "acme/y": ["job_token_scope", "groups_allowlist"],
      "acme/z": ["groups_allowlist", "error_tracking"],
    };
    const { exported, whole } = await order(exportedOf(all, unreadable), ["acme"]);
    expect(exported.map(({ scope, sections }) => [scope.name, sections])).toEqual([
      ["acme/a", reg("private")],
      ["acme/b", reg("private")],
      ["acme/c", reg("private")],
      [
        "acme/x",
        {
          ...reg("open"),
          job_token_scope: { inbound_enabled: true, allowlist: "unmanaged" },
          protected_environments: "unmanaged",
        },
      ],
      ["acme/y", { ...active(true), job_token_scope: "unmanaged" }],
      ["acme/z", { job_token_scope: { groups_allowlist: "unmanaged" }, error_tracking: "unmanaged" }],
    ]);
    expect(whole).toEqual(["acme/a", "acme/b", "acme/c", "acme/x", "acme/y", "acme/z"]);
    expect(exported.flatMap((each) => each.unreadable)).toEqual([]);
  });

  test("without a group to write a pattern for, everything is as it was exported", async () => {
    const all = exportedOf({ ...fleet("b a", reg("open")) }, { "acme/a": ["allowlist"] });
    const { exported, whole } = await order(all, []);
    expect([exported, whole]).toEqual([all.toReversed(), []]);
  });
});

test("what is outside of the groups is in its order among the rest", async () => {
  const all = { ...fleet("z a m", {}), "acme-labs/x": {}, "aa/x": {}, ...fleet("b", reg("private")) };
  const { exported } = await compact(exportedOf(all), ["acme"]);
  const names = ["aa/x", "acme-labs/x", "acme/a", "acme/b", "acme/m", "acme/z"];
  expect(exported.map(({ scope }) => scope.name)).toEqual(names);
});

test("fields and lists of one section are written together", async () => {
  const scope = (more: object) => ({ job_token_scope: { inbound_enabled: true, ...more } });
  const lists = { allowlist: ["acme/ci"], groups_allowlist: [4] };
  const { scopes } = await written({
    ...fleet("a b c", scope(lists)),
    ...fleet("d", scope({ ...lists, allowlist: [] })),
  });
  expect(scopes).toEqual({
    "acme/**": scope(lists),
    "acme/d": { job_token_scope: { allowlist: [] } },
  });
  const tracking = { error_tracking: { active: true, integrated: true } };
  expect((await written(fleet("a b c", tracking))).scopes).toEqual({ "acme/**": tracking });
});

test("a section is unmanaged only if none of it could be read", async () => {
  const scope = { job_token_scope: { inbound_enabled: true, allowlist: [3, 4] } };
  const all = { ...fleet("a b c d", { ...scope, ...active(true) }), ...fleet("x", list(5)) };
  const partly = await written(all, { "acme/x": ["job_token_scope", "error_tracking"] });
  expect(partly.scopes["acme/**"]).toEqual({ ...list(3, 4), ...active(true) });
  expect(partly.scopes["acme/x"]).toEqual({ ...list(5), error_tracking: "unmanaged" });
  const unread = ["job_token_scope", "allowlist", "groups_allowlist"];
  const whole = await written({ ...all, ...fleet("x", active(true)) }, { "acme/x": unread });
  expect(whole.scopes).toEqual({
    "acme/**": { ...scope, ...active(true) },
    "acme/x": { job_token_scope: "unmanaged" },
  });
});

test("the instance is written as it is, and groups by patterns of their own", async () => {
  const links = { saml_group_links: [{ name: "A", access_level: "guest" }] };
  const groups = ["acme/a", "acme/b", "acme/c"].map((name) => ({ scope: { at: "group" as const, name } }));
  const settings = { signup_enabled: true };
  const all = [
    ...exportedOf(fleet("x", reg("private"))),
    ...groups.map((each) => ({ ...each, sections: links, unreadable: [] })),
    { scope: { at: "instance" as const, name: "" }, sections: { settings }, unreadable: [] },
  ];
  const { exported } = await compact(all, ["acme", "acme/m"]);
  const shown = exported.map(({ scope, sections: { "": _, ...own } }) => [scope.at, scope.name, own]);
  expect(shown.filter(([, , own]) => Object.keys(own as object).length > 0)).toEqual([
    ["instance", "", { settings }],
    ["group", "acme/**", links],
    ["project", "acme/x", reg("private")],
  ]);
});

describe("an export is compared with what it would declare again", () => {
  const of = async (one: Fleet, other: Fleet) => differing(exportedOf(one), exportedOf(other));
  const plain = { ...fleet("a", reg("private")), ...fleet("b", envs(production, { name: "staging" })) };
  test.each<[string, Fleet, string[]]>([
    ["the same", plain, []],
    ["in another order", { ...fleet("b", envs({ name: "staging" }, production)), ...fleet("a", reg("private")) }, []],
    ["by a pattern", { ...plain, ...fleet("a", {}), "acme/**": reg("private") }, ["acme/b"]],
    ["another value", { ...plain, ...fleet("a", reg("enabled")) }, ["acme/a"]],
    ["less", { ...plain, ...fleet("b", envs(production)) }, ["acme/b"]],
    ["another kind", { ...plain, ...fleet("a", active(true)) }, ["acme/a"]],
    ["nothing", fleet("a", reg("private")), ["acme/b"]],
    ["with an error", { ...plain, ...fleet("c", reg("open")) }, ["acme/a", "acme/b"]],
  ])("%s", async (_, other, names) => {
    expect(await of(plain, other)).toEqual(names);
  });
});

test.each([
  ["private", 1],
  [new Commented(4, "name"), 1],
  [[], 1],
  [["a", 1], 3],
  [{ a: 1, b: { c: 2 } }, 4],
  [[{ a: 1, b: [2] }, {}], 5],
  [[new Commented(4, "name")], 2],
])("%j is %i lines of a file", (value, lines) => {
  expect(linesOf(value)).toBe(lines);
});

test("the groups below a root have the scopes that are below them, without case", () => {
  const names = ["Acme/x", "acme/m/ios", "acme/m/n/deep", "acme-labs/x", "acme"];
  const leaves = names.map((name) => ({ scope: { at: "project" as const, name }, held: new Map() }));
  const shown = ({ path, direct, groups, all }: ReturnType<typeof treeOf>): unknown => [
    path,
    direct.map(({ scope }) => scope.name),
    all.length,
    groups.map(shown),
  ];
  expect(shown(treeOf("acme", leaves))).toEqual([
    "acme",
    ["Acme/x"],
    3,
    [["acme/m", ["acme/m/ios"], 2, [["acme/m/n", ["acme/m/n/deep"], 1, []]]]],
  ]);
});

import { describe, expect, test } from "vitest";
import type { AnyEndpoint } from "../../../src/api/endpoint.ts";
import { Failure } from "../../../src/base/errors.ts";
import type { Declared, Scope, Section, Values } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import { NameLookup } from "../../../src/state/live/name-lookup.ts";
import { Places } from "../../../src/state/live/places.ts";
import type { Reader } from "../../../src/state/live/reader.ts";

const origin = { file: "f", line: 1 };
const kindOf = (name: string) => findKind(name) ?? expect.unreachable();

const routes: Record<string, string> = {
  project: "GET /projects/:project",
  group: "GET /groups/:group",
  username: "GET /users",
};

/** A reader that knows these IDs by name, and the looks that were taken. */
function readerWith(ids: Record<string, unknown>) {
  const asked: string[] = [];
  const find = ({ route }: AnyEndpoint, input: object) => {
    const [[what, name] = []] = Object.entries(input);
    expect(route).toBe(routes[String(what)]);
    asked.push(`${what} ${name}`);
    const id = ids[name];
    if (id instanceof Failure) throw id;
    return id;
  };
  const call = async (endpoint: AnyEndpoint, input: object) => ({ id: find(endpoint, input) });
  const reader = {
    call,
    places: new Places(call),
    list: async (endpoint: AnyEndpoint, input: { username: string }) =>
      [find(endpoint, input)].flatMap((id) =>
        id === undefined ? [] : [{ id, username: input.username.toUpperCase() }],
      ),
  } as unknown as Reader;
  return { names: new NameLookup(reader), asked };
}

function sectionOf(kind: string, entries: readonly Values[], more: Partial<Section> = {}): Section {
  const scope: Scope = { at: "project", name: "acme/x" };
  return {
    scope,
    kind: kindOf(kind),
    entries: entries.map((values): Declared => ({ values, origin })),
    origin,
    ...more,
  };
}

const failed = (exit: Failure["exit"]) => new Failure(exit, "failed");

describe("an entry of an allowlist is known by its ID", () => {
  test.each<[string, Values[], Values[], string[]]>([
    ["an ID is kept", [{ id: 3 }], [{ id: 3 }], []],
    ["a path is looked up", [{ path: "acme/ci" }], [{ id: 3 }], ["project acme/ci"]],
    ["one in the live list is not", [{ path: "Acme/Listed" }], [{ id: 9 }], []],
    [
      "each is there once",
      [{ id: 3 }, { path: "acme/ci" }, { path: "acme/b" }],
      [{ id: 3 }, { id: 4 }],
      ["project acme/ci", "project acme/b"],
    ],
    ["a numeric text is an ID", [{ path: "acme/text" }], [{ id: 12 }], ["project acme/text"]],
    ["its own path is left out", [{ path: "Acme/X" }, { id: 3 }], [{ id: 3 }], ["project Acme/X"]],
  ])("%s", async (_, entries, resolved, looks) => {
    const { names, asked } = readerWith({ "acme/ci": 3, "acme/b": 4, "acme/text": "12", "Acme/X": 7 });
    const live = [{ values: { id: 9, path_with_namespace: "acme/listed" } }];
    const { section, unknown } = await names.resolve(sectionOf("allowlist", entries), live);
    expect(section.entries.map(({ values }) => values)).toEqual(resolved);
    expect([asked, unknown.size]).toEqual([looks, 0]);
  });

  test.each<[Scope, Values]>([
    [{ at: "project", name: "7" }, { id: 7 }],
    [{ at: "project", name: "acme/x", id: 7 }, { id: 7 }],
    [{ at: "project", name: "acme/y", id: 7 }, { path: "acme/seven" }],
  ])("of %j the entry %j is its own", async (scope, values) => {
    const { names } = readerWith({ "acme/seven": 7 });
    const { section } = await names.resolve(sectionOf("allowlist", [values, { id: 8 }], { scope }), []);
    expect(section.entries.map((each) => each.values)).toEqual([{ id: 8 }]);
  });

  test("a group of the same path or ID is another one", async () => {
    const { names, asked } = readerWith({ "acme/x": 7 });
    const scope: Scope = { at: "project", name: "acme/x", id: 7 };
    const { section } = await names.resolve(sectionOf("groups_allowlist", [{ path: "acme/x" }], { scope }), []);
    expect([section.entries[0]?.values, asked]).toEqual([{ id: 7 }, ["group acme/x"]]);
    const listed = [{ values: { id: 5, full_path: "acme/m" } }];
    const again = await names.resolve(sectionOf("groups_allowlist", [{ path: "acme/M" }]), listed);
    expect(again.section.entries[0]?.values).toEqual({ id: 5 });
  });

  test.each(["notFound", "forbidden"] as const)("one that is %s is unknown", async (exit) => {
    const { names } = readerWith({ "acme/gone": failed(exit) });
    const { section, unknown } = await names.resolve(sectionOf("allowlist", [{ path: "acme/gone" }]), []);
    expect(section.entries[0]?.values).toEqual({ path: "acme/gone" });
    const message = "the project acme/gone was not found; if it exists, give its ID";
    expect([...unknown]).toEqual([[section.entries[0], message]]);
  });

  test("another failure ends the run", async () => {
    const { names } = readerWith({ "acme/gone": failed("unauthenticated") });
    await expect(names.resolve(sectionOf("allowlist", [{ path: "acme/gone" }]), [])).rejects.toThrow("failed");
  });
});

describe("a user of a rule is known by the ID", () => {
  const entry = (...rules: Values[]) => ({ name: "production", deploy_access_levels: rules, approval_rules: "kept" });

  test("which is looked up once in a run", async () => {
    const { names, asked } = readerWith({ ana: 4 });
    const section = sectionOf("protected_environments", [
      entry({ username: "ana", group_inheritance_type: 1 }, { group_id: 9 }),
      entry({ username: "ana" }),
    ]);
    const resolved = await names.resolve(section, []);
    expect(resolved.section.entries.map(({ values }) => values)).toEqual([
      entry({ user_id: 4, group_inheritance_type: 1 }, { group_id: 9 }),
      entry({ user_id: 4 }),
    ]);
    expect(resolved.section).toMatchObject({ scope: section.scope, kind: section.kind, origin });
    expect(resolved.section.entries[0]?.origin).toBe(origin);
    expect([resolved.unknown.size, asked]).toEqual([0, ["username ana"]]);
  });

  test("those that are not found are named, all of an entry", async () => {
    const { names } = readerWith({});
    const section = sectionOf("protected_environments", [entry({ username: "bo" }, { username: "cy" })]);
    const { unknown, section: resolved } = await names.resolve(section, []);
    expect([...unknown.values()]).toEqual(["the user bo was not found, the user cy was not found"]);
    expect(resolved.entries[0]?.values).toEqual(section.entries[0]?.values);
  });
});

describe("the IDs of paths in lists that are put together", () => {
  const list = (paths: Values[], more: Partial<Section> = {}) => sectionOf("allowlist", paths, more);
  test("are looked up where one inherits", async () => {
    const { names, asked } = readerWith({ "acme/ci": 3 });
    const layers = [list([{ path: "acme/ci" }, { id: 4 }], { inherits: true }), list([{ path: "acme/gone" }])];
    const idOf = await names.idsOf(kindOf("allowlist"), layers);
    expect([idOf("acme/ci"), idOf("acme/gone"), idOf("other")]).toEqual([3, undefined, undefined]);
    expect(asked).toEqual(["project acme/ci", "project acme/gone"]);
  });

  test("are not needed elsewhere", async () => {
    const { names, asked } = readerWith({ "acme/ci": 3 });
    await names.idsOf(kindOf("allowlist"), [list([{ path: "acme/ci" }])]);
    const other = sectionOf("protected_environments", [{ path: "acme/ci" }], { inherits: true });
    expect((await names.idsOf(other.kind, [other]))("acme/ci")).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

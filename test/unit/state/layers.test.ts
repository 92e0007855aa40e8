import { describe, expect, test } from "vitest";
import { Declared, inOrder, standingAlone } from "../../../src/state/patterns/layers.ts";
import { declared, scopeText } from "../../support/state-text.ts";

async function of(texts: readonly string[]) {
  return (await declared(texts.map((each) => scopeText(each)))).sections;
}

const texts = ["acme/x: { envs: [S], reg: private }", "Acme/**: { reg: enabled, envs: [] }", "globex/*: { envs: [R] }"];

test("the scopes and the patterns of the files are each known once", async () => {
  const sections = [...(await of(texts)), ...(await declared("groups: { acme/*: { hooks: [] } }")).sections];
  const all = new Declared(sections);
  expect(all.scopes()).toEqual([{ at: "project", name: "acme/x" }]);
  expect(all.blocks("project").map(({ pattern }) => pattern.text)).toEqual(["Acme/**", "globex/*"]);
  expect(all.blocks("group").map(({ pattern }) => pattern.text)).toEqual(["acme/*"]);
  const [block = expect.unreachable()] = all.blocks("project");
  expect(all.sectionsOf(block).map(({ kind }) => kind.name)).toEqual([
    "container_registry_access_level",
    "protected_environments",
  ]);
  expect(all.exact("project", "ACME/X")).toHaveLength(2);
  expect(all.exact("group", "acme/x")).toEqual([]);
});

describe("the layers of a path", () => {
  async function layersOf(path: string) {
    const layers = new Declared(await of(texts)).layers("project", path);
    return [...layers].map(([kind, list]) =>
      [kind.section ?? kind.name, ...list.map(({ scope }) => scope.name)].join(" "),
    );
  }

  test.each([
    ["acme/x", ["protected_environments acme/x Acme/**", "container_registry_access_level acme/x Acme/**"]],
    ["ACME/m/y", ["container_registry_access_level Acme/**", "protected_environments Acme/**"]],
    ["globex/y", ["protected_environments globex/*"]],
    ["globex/m/y", []],
    ["acme", []],
    ["initech/acme/x", []],
  ])("%s", async (path, layers) => {
    expect((await layersOf(path)).sort()).toEqual(layers.toSorted());
  });

  test("what an ID declares is taken in place of what the path does", async () => {
    const sections = await of(["7: { reg: private }", "acme/x: { reg: enabled }", "acme/**: { reg: disabled }"]);
    const all = new Declared(sections);
    const [list] = all.layers("project", "acme/x", all.exact("project", "7")).values();
    expect(list?.map(({ scope }) => scope.name)).toEqual(["7", "acme/**"]);
  });

  test("the narrower pattern comes first, in whatever order they are written", async () => {
    const patterns = ["acme/**: { reg: private }", "acme/*: { reg: private }", "acme/a*: { reg: private }"];
    for (const written of [patterns, patterns.toReversed()]) {
      const sorted = inOrder(await of(written)).map(({ scope }) => scope.name);
      expect(sorted).toEqual(["acme/a*", "acme/*", "acme/**"]);
    }
  });
});

test("a scope stands alone if it is put together with nothing", async () => {
  const alone = async (text: string) => standingAlone(await of([text])) !== undefined;
  expect(await alone("acme/x: { envs: [S] }")).toBe(true);
  expect(await alone("acme/x: { envs: [inherit, S] }")).toBe(false);
  expect(await alone("acme/*: { envs: [S] }")).toBe(false);
  expect(standingAlone(await of(["acme/x: { envs: [S] }", "acme/*: { envs: [S] }"]))).toBeUndefined();
  expect(standingAlone([])).toBeUndefined();
});

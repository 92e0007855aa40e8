import { describe, expect, test } from "vitest";
import { readerOf } from "../../../src/state/live/reader.ts";
import { expand } from "../../../src/state/patterns/expand.ts";
import { expanded, fleet, reg } from "../../support/expanded.ts";
import { instanceWith } from "../../support/planned-state.ts";
import { declared } from "../../support/state-text.ts";

describe("a scope that the files name itself", () => {
  test("has what they declare for it first, and patterns after it, in the order of the files", async () => {
    const { lines } = await expanded(`else/x: { hooks: [] }
      acme/*: { ${reg("private")}, hooks: [] }
      Acme/API: { ${reg("enabled")} }`);
    expect(lines.filter((each) => /api|else/i.test(each) && !each.includes("x-int"))).toEqual([
      "else/x project a:1",
      "Acme/API container a:3 a:2",
      "Acme/API project a:2",
    ]);
    expect(lines.slice(0, 2)).toEqual(["else/x project a:1", "Acme/API container a:3 a:2"]);
  });

  test("by its ID has the patterns of its path, and is one scope with its path", async () => {
    const text = `acme/*: { ${reg("private")} }\n"7": { hooks: [] }\nacme/api: { protected_branches: [] }`;
    const { lines, units } = await expanded(text);
    expect(units.every(({ scope }) => scope.at === "project")).toBe(true);
    expect(lines.filter((each) => each.startsWith("acme/api"))).toEqual([
      "acme/api(7) project a:2",
      "acme/api(7) protected a:3",
      "acme/api(7) container a:1",
    ]);
  });

  test("twice with one section is refused, with both places", async () => {
    const text = `acme/*: { hooks: [] }\nacme/api: { ${reg("private")} }\n"7": { ${reg("enabled")} }`;
    await expect(expanded(text)).rejects.toMatchObject({
      message: "a:5: 7 is acme/api, whose container_registry_access_level is in a:4",
      details: { code: "named_twice", nothing: "sent", hint: "merge the two" },
    });
  });

  test("has its place in the order of the files, whatever it is", async () => {
    const { context } = await instanceWith(fleet);
    const { sections } = await declared([
      "projects: { acme/x: { hooks: [] }, acme/x*: { hooks: [] } }",
      "groups: { acme: { hooks: [] } }",
      "settings: { signup_enabled: false }\nprojects: { else/x: { hooks: [] } }",
    ]);
    const reader = readerOf(context.api, context.config);
    const { units } = await expand(context, reader, sections, { project: undefined, group: undefined });
    const order = ["acme/x", "acme", "", "else/x", "acme/x-int-api"];
    expect(units.map(({ scope }) => scope.name)).toEqual(order);
  });

  test("is not looked up where no pattern can matter, and stays as it is written if it cannot be", async () => {
    const alone = await expanded(`"7": { hooks: [] }`);
    expect([alone.lines, alone.log()]).toEqual([["7 project a:1"], []]);
    const unknown = await expanded(`acme/lab/*: { hooks: [] }\n"8": { hooks: [] }`);
    expect(unknown.lines[0]).toBe("8 project a:2");
    const by = await expanded(`acme/lab/*: { ${reg("private")} }\nacme/api: { hooks: [] }`);
    expect(by.log()).not.toContain("GET /projects/acme/api");
  });
});

describe("-p and -g only filter", () => {
  const text = `acme/**: { ${reg("private")} }\nacme/api: { ${reg("enabled")} }\nelse/x: { hooks: [] }`;

  test.each<[typed: string, lines: string[]]>([
    ["acme/api", ["acme/api container a:2 a:1"]],
    ["ACME/Api", ["acme/api container a:2 a:1"]],
    ["7", ["acme/api(7) container a:2 a:1"]],
    ["else/X", ["else/x project a:3"]],
    ["acme/m/ios", ["acme/m/ios container a:1"]],
    ["7 acme/api ACME/Api", ["acme/api container a:2 a:1"]],
  ])("%s: the same declarations, with one lookup in place of a list", async (typed, lines) => {
    const { lines: found, log, notices } = await expanded(text, { project: typed.split(" ") });
    expect(found).toEqual(lines);
    expect([log().filter((each) => each.includes("/groups/")), notices]).toEqual([[], []]);
  });

  test("what the files declare nothing for is refused", async () => {
    await expect(expanded(text, { project: ["else/y"] })).rejects.toMatchObject({
      message: "-p else/y: the files declare nothing for that project",
      details: { hint: "use the same name as in the file" },
    });
    const { context, log } = await instanceWith(fleet);
    const { sections } = await declared("groups: { acme: { hooks: [] } }");
    const other = { project: undefined, group: ["zoo"] };
    await expect(expand(context, readerOf(context.api, context.config), sections, other)).rejects.toThrow(
      "-g zoo: the files declare nothing for that group",
    );
    expect(log()).toEqual([]);
  });

  test("an ID is found as it is written, without a lookup", async () => {
    const { lines, log } = await expanded('"7": { hooks: [] }', { project: ["7"] });
    expect([lines, log()]).toEqual([["7 project a:1"], []]);
  });

  test("a path that has moved is that of the file, and not what it has become", async () => {
    const { lines } = await expanded(text, { project: ["acme/was"] });
    expect(lines).toEqual(["acme/was container a:1"]);
  });

  test("settings are of no group or project", async () => {
    const { context } = await instanceWith(fleet);
    const { sections } = await declared(`settings: { signup_enabled: false }\ngroups: { acme: { hooks: [] } }`);
    const of = async (typed: { project?: string[]; group?: string[] }) => {
      const found = await expand(context, readerOf(context.api, context.config), sections, {
        project: typed.project,
        group: typed.group,
      });
      return found.units.map(({ scope }) => `${scope.at} ${scope.name}`);
    };
    expect(await of({})).toEqual(["instance ", "group acme"]);
    expect(await of({ group: ["acme"] })).toEqual(["group acme"]);
    expect(await of({ project: [] })).toEqual([]);
  });
});

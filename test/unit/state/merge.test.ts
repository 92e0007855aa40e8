import { describe, expect, test } from "vitest";
import { declaredKey } from "../../../src/state/keys.ts";
import type { Section } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import { Declared } from "../../../src/state/patterns/layers.ts";
import { merge } from "../../../src/state/patterns/merge.ts";
import { declared, scopeText } from "../../support/state-text.ts";

const ids = new Map([
  ["acme/api", 7],
  ["acme/ci", 3],
]);

interface Looked {
  readonly of?: "group" | "project";
  /** The ID of the scope itself. */
  readonly id?: number;
}

/** One kind of a scope; the scopes of the texts are in the files a, b, and so on. */
async function effective(
  kindName: string,
  texts: readonly string[],
  name: string,
  { of = "project", id }: Looked = {},
) {
  const { sections } = await declared(texts.map((each) => scopeText(each, of)));
  const kind = findKind(kindName) ?? expect.unreachable();
  const layers = new Declared(sections).layers(of, name).get(kind) ?? [];
  const merged = merge({ at: of, name, id }, kind, layers, (path) => ids.get(path));
  return { ...merged, kind };
}

function textOf(section: Section | undefined): string[] {
  if (section === undefined) return ["nothing"];
  const { kind, entries } = section;
  return entries.flatMap(({ values, origin, places }) => {
    if (kind.form === "list") return [`${declaredKey(kind, values) || values.id} ${origin.file}`];
    return Object.entries(values).map(([field, value]) => `${field} ${value} ${places?.[field]?.file}`);
  });
}

describe("a field is that of the most specific section that declares it", () => {
  const active = (value: boolean) => `error_tracking: { active: ${value} }`;
  const integrated = (value: boolean) => `error_tracking: { integrated: ${value} }`;
  test.each<[string[], string[], string[]]>([
    [[`acme/**: { ${active(true)} }`], ["active true a"], []],
    [[`acme/**: { ${active(true)} }`, `acme/api: { ${active(false)} }`], ["active false b"], ["active true a"]],
    [
      [`acme/**: { ${active(true)} }`, `acme/*: { ${integrated(true)} }`, `acme/api: { ${integrated(false)} }`],
      ["integrated false c", "active true a"],
      ["integrated true b"],
    ],
    [
      [`acme/**: { ${active(true)} }`, `acme/*: { ${active(false)} }`, `acme/a*: { ${active(true)} }`],
      ["active true c"],
      ["active false b", "active true a"],
    ],
    [[`acme/**: { ${active(true)} }`, "acme/*: { error_tracking: unmanaged }"], ["nothing"], ["active true a"]],
    [
      [`acme/**: { ${active(true)} }`, "acme/*: { error_tracking: unmanaged }", `acme/api: { ${integrated(true)} }`],
      ["integrated true c"],
      ["active true a"],
    ],
    [["acme/**: { error_tracking: unmanaged }", `acme/api: { ${active(true)} }`], ["active true b"], []],
    [[`acme/m/**: { ${active(true)} }`], ["nothing"], []],
    [[`acme/**: { except: [acme/api], ${active(true)} }`], ["nothing"], []],
    [[`acme/**: { except: [acme/a], ${active(true)} }`], ["active true a"], []],
  ])("%j", async (texts, fields, lost) => {
    const { section, overruled, doubts } = await effective("error_tracking", texts, "acme/api");
    expect(textOf(section).sort()).toEqual(fields.toSorted());
    expect(overruled.map(({ path, value, origin }) => `${path} ${value} ${origin.file}`)).toEqual(lost);
    expect(doubts).toEqual([]);
  });

  test("its section and its record begin where the most specific one does that declares anything", async () => {
    const texts = [`acme/**: { ${active(true)} }`, `acme/*: { ${integrated(true)} }`];
    const { section } = await effective("error_tracking", texts, "acme/api");
    expect([section?.scope.name, section?.origin.file, section?.entries[0]?.origin.file]).toEqual([
      "acme/api",
      "b",
      "b",
    ]);
    const over = [`acme/**: { ${active(true)} }`, "acme/api: { error_tracking: { } }"];
    expect((await effective("error_tracking", over, "acme/api")).section?.origin.file).toBe("a");
  });

  test("what is put together cannot be changed", async () => {
    const { section } = await effective("error_tracking", [`acme/**: { ${active(true)} }`], "acme/api");
    expect([section, section?.entries[0]?.values, section?.entries[0]?.places].every(Object.isFrozen)).toBe(true);
    const list = await effective("protected_environments", ["acme/**: { envs: [S] }"], "acme/api");
    expect([list.section, list.section?.entries].every(Object.isFrozen)).toBe(true);
  });
});

describe("a list is that of the most specific section, and begins with the next one only if it says so", () => {
  test.each<[string[], string[], string[]]>([
    [["acme/**: { envs: [P(40)] }", "acme/api: { envs: [S] }"], ["staging b"], ["production a"]],
    [["acme/**: { envs: [P(40)] }", "acme/api: { envs: [] }"], [], ["production a"]],
    [["acme/**: { envs: [P(40)] }", "acme/api: { envs: [inherit, S] }"], ["production a", "staging b"], []],
    [
      ["acme/**: { envs: [R] }", "acme/*: { envs: [P(40)] }", "acme/api: { envs: [inherit, S] }"],
      ["production b", "staging c"],
      ["review a"],
    ],
    [
      ["acme/**: { envs: [R] }", "acme/*: { envs: [inherit, P(40)] }", "acme/api: { envs: [inherit, S] }"],
      ["review a", "production b", "staging c"],
      [],
    ],
    [
      ["acme/**: { envs: [P(40), S] }", "acme/api: { envs: [inherit, R, P(30)] }"],
      ["production b", "staging a", "review b"],
      ["production a"],
    ],
    [
      ["acme/**: { envs: [P(40), S] }", "acme/api: { envs: [inherit, { name: production, absent: true }] }"],
      ["staging a"],
      ["production a"],
    ],
    [["acme/**: { envs: [S] }", "acme/api: { envs: [inherit, { name: a, absent: true }] }"], ["staging a"], []],
    [["acme/**: { envs: [S] }", "acme/*: { envs: unmanaged }"], ["nothing"], ["staging a"]],
    [["acme/**: { envs: [S] }", "acme/*: { envs: unmanaged }", "acme/api: { envs: [R] }"], ["review c"], ["staging a"]],
    [["acme/**: { envs: unmanaged }", "acme/api: { envs: [R] }"], ["review b"], []],
  ])("%j", async (texts, entries, lost) => {
    const { section, overruled } = await effective("protected_environments", texts, "acme/api");
    expect(textOf(section)).toEqual(entries);
    expect(overruled.map(({ path, origin }) => `${path} ${origin.file}`)).toEqual(lost);
  });

  test("it begins where the most specific one does, and names the lists of patterns in it", async () => {
    const texts = ["acme/**: { envs: [S] }", "acme/*: { envs: [inherit, R] }", "acme/api: { envs: [inherit] }"];
    const { section } = await effective("protected_environments", texts, "acme/api");
    expect(section?.origin.file).toBe("c");
    expect(section?.shared?.map(({ scope }) => scope.name)).toEqual(["acme/*", "acme/**"]);
  });

  test("what is overruled is shown whole", async () => {
    const texts = ["acme/**: { envs: [S] }", "acme/api: { envs: [] }"];
    const { overruled } = await effective("protected_environments", texts, "acme/api");
    expect(overruled[0]?.value).toEqual({ name: "staging" });
  });
});

describe("what may not be meant is doubted", () => {
  const of = "projects.acme/api.protected_environments";
  test.each<[string[], string[]]>([
    [["acme/api: { envs: [inherit, S] }"], [`strict a ${of} has nothing to inherit`]],
    [
      ["acme/**: { envs: [S] }", "acme/*: { envs: unmanaged }", "acme/api: { envs: [inherit, R] }"],
      [`strict c ${of} has nothing to inherit`],
    ],
    [
      ["acme/**: { envs: [S, R] }", "acme/api: { envs: [inherit, { name: production, absent: true }] }"],
      ["strict b production is not inherited (protected_environments of a:2 is [staging, review])"],
    ],
    [
      ["acme/**: { envs: [P(40)] }", "acme/api: { envs: [inherit, { name: production }] }"],
      ["b production replaces that of a:2 and no longer declares deploy_access_levels"],
    ],
    [["acme/**: { envs: [{ name: production }] }", "acme/api: { envs: [inherit, P(40)] }"], []],
    [["acme/**: { envs: [P(40)] }", "acme/api: { envs: [{ name: production }] }"], []],
  ])("%j", async (texts, doubts) => {
    const found = (await effective("protected_environments", texts, "acme/api")).doubts;
    const words = found.map(({ strict, origin, path, message }) => [
      ...(strict ? ["strict"] : []),
      origin.file,
      path,
      message,
    ]);
    expect(words.map((each) => each.join(" "))).toEqual(doubts);
  });

  test("the path of a list within a section has that section", async () => {
    const texts = ["acme/api: { job_token_scope: { allowlist: [inherit] } }"];
    const { doubts } = await effective("allowlist", texts, "acme/api");
    expect(doubts[0]?.path).toBe("projects.acme/api.job_token_scope.allowlist");
  });
});

describe("an allowlist has each project once, by path or by ID, and never its own", () => {
  const list = (entries: string) => `{ job_token_scope: { allowlist: [${entries}] } }`;
  test.each<[string, string, string[]]>([
    ["acme/ci", "inherit, 3", ["3 b"]],
    ["3", "inherit, acme/ci", ["acme/ci b"]],
    ["3, 12", "inherit, { path: acme/ci, absent: true }", ["12 a"]],
    ["acme/unknown", "inherit, ACME/Unknown", ["ACME/Unknown b"]],
    ["7, 12", "inherit", ["12 a"]],
    ["acme/api, 12", "inherit", ["12 a"]],
    ["12", "inherit, ACME/API", ["12 a"]],
  ])("[%s] and [%s]", async (wide, own, entries) => {
    const texts = [`acme/**: ${list(wide)}`, `acme/api: ${list(own)}`];
    expect(textOf((await effective("allowlist", texts, "acme/api", { id: 7 })).section)).toEqual(entries);
  });

  test("its own may be known by the name of the scope, where that is an ID", async () => {
    const { section } = await effective("allowlist", [`7: ${list("7, acme/api, 12")}`], "7");
    expect(textOf(section)).toEqual(["12 a"]);
  });

  test("a group of that ID is another one", async () => {
    const texts = ["7: { job_token_scope: { groups_allowlist: [7] } }"];
    expect(textOf((await effective("groups_allowlist", texts, "7")).section)).toEqual(["7 a"]);
  });

  test.each([
    ["acme/ci", "3", "3 is not inherited (allowlist of a:2 is [12])"],
    ["12", "acme/ci", "acme/ci is not inherited (allowlist of a:2 is [12])"],
  ])("what is taken out is named as written", async (_, taken, message) => {
    const entry = taken === "3" ? "{ id: 3, absent: true }" : "{ path: acme/ci, absent: true }";
    const texts = [`acme/**: ${list("12")}`, `acme/api: ${list(`inherit, ${entry}`)}`];
    const { doubts } = await effective("allowlist", texts, "acme/api");
    expect(doubts.map((each) => `${each.path} ${each.message}`)).toEqual([message]);
  });
});

describe("links of one name and several providers", () => {
  const link = (provider: string, more = "access_level: 30") =>
    provider === "" ? `{ name: A, ${more} }` : `{ name: A, provider: ${provider}, ${more} }`;
  const absent = "absent: true";
  test.each<[string[], string[], string[]]>([
    [[link("p"), link("q")], [link("p")], ["p b", "q a"]],
    [[link("p"), link("q")], [link("p", absent)], ["q a"]],
    [[link("p"), link("q")], [link("")], ["undefined b"]],
    [[link("p"), link("q")], [link("", absent)], []],
    [[link("p")], [link("q")], ["p a", "q b"]],
    [[link("")], [link("q")], ["q b"]],
    [[link(""), link("p")], [link("p")], ["undefined a", "p b"]],
  ])("%j with %j above", async (wide, own, links) => {
    const texts = [`acme/**: { links: [${wide}] }`, `acme/m: { links: [${["inherit", ...own]}] }`];
    const { section } = await effective("saml_group_links", texts, "acme/m", { of: "group" });
    const found = section?.entries.map(({ values, origin }) => `${values.provider} ${origin.file}`);
    expect(found).toEqual(links);
  });
});

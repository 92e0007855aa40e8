import { describe, expect, test } from "vitest";
import { declared, scopeText } from "../../support/state-text.ts";

const reg = "container_registry_access_level";
const envs = "protected_environments";

/** The problems of scopes in the files a, b, and so on; their sections are in line 2. */
async function problemsOf(texts: readonly string[], strict = false, of: "group" | "project" = "project") {
  const { problems } = await declared(
    texts.map((each) => scopeText(each, of)),
    { strict },
  );
  return problems;
}

describe("two patterns of equal right that can match one path may not declare the same", () => {
  const both = (of: string) => `acme/*-int-*: and acme/*-api (a:2) can match one path, and both declare ${of}`;
  const hint = 'write except: ["acme/*-int-*"] in a:2';
  test.each<[string, string[], string | undefined]>([
    ["a field", ["acme/*-api: { reg: private }", "acme/*-int-*: { reg: disabled }"], both(reg)],
    ["a list", ["acme/*-api: { envs: [S] }", "acme/*-int-*: { envs: [S] }"], both(envs)],
    [
      "fields of a record",
      [
        "acme/*-api: { error_tracking: { active: true, integrated: true } }",
        "acme/*-int-*: { error_tracking: { active: true, integrated: true } }",
      ],
      both("error_tracking.active, error_tracking.integrated"),
    ],
    ["what is unmanaged", ["acme/*-api: { envs: unmanaged }", "acme/*-int-*: { envs: [S] }"], both(envs)],
    [
      "a record that is unmanaged",
      ["acme/*-api: { error_tracking: { active: true } }", "acme/*-int-*: { error_tracking: unmanaged }"],
      both("error_tracking"),
    ],
    [
      "other fields of one record",
      ["acme/*-api: { error_tracking: { active: true } }", "acme/*-int-*: { error_tracking: { integrated: true } }"],
      undefined,
    ],
    ["other sections", ["acme/*-api: { reg: private }", "acme/*-int-*: { envs: [S] }"], undefined],
    ["patterns that never meet", ["acme/*-api: { reg: private }", "acme/*-web: { reg: disabled }"], undefined],
    ["a narrower pattern", ["acme/*: { reg: private }", "acme/*-int-*: { reg: disabled }"], undefined],
    [
      "an exception of the first",
      ['acme/*-api: { except: ["acme/*-int-*"], reg: private }', "acme/*-int-*: { reg: disabled }"],
      undefined,
    ],
    [
      "an exception of the second",
      ["acme/*-api: { reg: private }", 'acme/*-int-*: { except: ["acme/*-api"], reg: disabled }'],
      undefined,
    ],
    [
      "an exception of less than the other one",
      ['acme/*-api: { except: ["acme/a-int-*"], reg: private }', "acme/*-int-*: { reg: disabled }"],
      both(reg),
    ],
  ])("%s", async (_law, texts, message) => {
    expect(await problemsOf(texts)).toEqual(message === undefined ? [] : [`b:2 error ${message} | ${hint}`]);
  });

  test("a group and a project are never one path", async () => {
    const texts = ["groups: { acme/*-a: { hooks: unmanaged } }", "projects: { acme/*-b-*: { hooks: unmanaged } }"];
    expect((await declared(texts)).problems).toEqual([]);
  });

  test("nothing else is checked where there is such a pair", async () => {
    const found = await problemsOf(["acme/*a: { envs: [inherit] }", "acme/*b*: { envs: [S] }"]);
    expect(found.map((each) => each.split(":")[1])).toEqual(["2 error acme/*b*"]);
  });

  test("each pair is named", async () => {
    const texts = ["acme/*a: { envs: [inherit] }", "acme/*b*: { envs: [S] }", "acme/*c*: { envs: [S] }"];
    expect((await problemsOf(texts)).map((each) => each.split(" and both")[0])).toEqual([
      "b:2 error acme/*b*: and acme/*a (a:2) can match one path,",
      "c:2 error acme/*c*: and acme/*a (a:2) can match one path,",
      "c:2 error acme/*c*: and acme/*b* (b:2) can match one path,",
    ]);
  });
});

describe("what is inherited from nowhere is doubted, and an error where validation is strict", () => {
  const nothing = (file: string, name: string) => `${file}:2 WORD projects.${name}.${envs}: has nothing to inherit`;
  const taken = "{ name: production, absent: true }";
  const lost = (of: string, file: string) =>
    `${file}:2 WORD production: is not inherited (${envs} of ${of}:2 is [staging])`;
  test.each<[string, string[], string[]]>([
    ["a scope alone", ["acme/api: { envs: [inherit] }"], [nothing("a", "acme/api")]],
    ["a scope below a pattern", ["acme/**: { envs: [S] }", "acme/api: { envs: [inherit] }"], []],
    ["a pattern alone", ["acme/**: { envs: [inherit] }"], [nothing("a", "acme/**")]],
    ["a pattern below another", ["acme/**: { envs: [S] }", "acme/m/**: { envs: [inherit] }"], []],
    ["the wider one of two", ["acme/**: { envs: [inherit] }", "acme/m/**: { envs: [S] }"], [nothing("a", "acme/**")]],
    ["another section", ["acme/**: { hooks: [] }", "acme/m/**: { envs: [inherit] }"], [nothing("b", "acme/m/**")]],
    ["patterns apart", ["acme/a*/**: { envs: [S] }", "acme/bb*: { envs: [inherit] }"], [nothing("b", "acme/bb*")]],
    ["one that may be above it", ["acme/*-api: { envs: [S] }", "acme/web*: { envs: [inherit, R] }"], []],
    [
      "one whose exception is the other",
      ["acme/**: { except: [acme/m/**], envs: [S] }", "acme/m/**: { envs: [inherit] }"],
      [nothing("b", "acme/m/**")],
    ],
    [
      "one that leaves out what is above it",
      ["acme/**: { envs: [S] }", "acme/m/**: { except: [acme/**], envs: [inherit] }"],
      [nothing("b", "acme/m/**")],
    ],
    ["one that has exceptions", ["acme/**: { except: [acme/x], envs: [S] }", "acme/m/**: { envs: [inherit] }"], []],
    [
      "above it nothing is managed",
      ["acme/**: { envs: unmanaged }", "acme/m/**: { envs: [inherit] }"],
      [nothing("b", "acme/m/**")],
    ],
    [
      "an entry that is taken out of a scope's list",
      ["acme/**: { envs: [S] }", `acme/api: { envs: [inherit, ${taken}] }`],
      [lost("a", "b")],
    ],
    [
      "an entry that is taken out of a pattern's list",
      ["acme/**: { envs: [S] }", `acme/m/**: { envs: [inherit, ${taken}] }`],
      [lost("a", "b")],
    ],
    [
      "where not all patterns above it are above all of it, it may be inherited",
      ["acme/**: { envs: [S] }", "acme/*/x: { envs: [R] }", `acme/*/x*: { envs: [inherit, ${taken}] }`],
      [lost("a", "c")],
    ],
    [
      "where an exception may leave it out, it may be inherited",
      ["acme/**: { except: [acme/m/x], envs: [S] }", `acme/m/**: { envs: [inherit, ${taken}] }`],
      [],
    ],
  ])("%s", async (_law, texts, problems) => {
    const words = (severity: string) => problems.map((each) => each.replace("WORD", severity));
    expect(await problemsOf(texts)).toEqual(words("warning"));
    expect(await problemsOf(texts, true)).toEqual(words("error"));
  });

  test("an entry that is replaced with less of it is a warning, even if validation is strict", async () => {
    const texts = ["acme/**: { envs: [P(40)] }", "acme/api: { envs: [inherit, { name: production }] }"];
    const message = "production: replaces that of a:2 and no longer declares deploy_access_levels";
    expect(await problemsOf(texts)).toEqual([`b:2 warning ${message}`]);
    expect(await problemsOf(texts, true)).toEqual([`b:2 warning ${message}`]);
  });

  test("the path of an ID is known only to the instance, which matters where there are patterns", async () => {
    expect(await problemsOf(["7: { envs: [inherit] }"])).toEqual([nothing("a", "7").replace("WORD", "warning")]);
    expect(await problemsOf(["7: { envs: [inherit] }", "acme/**: { envs: [S] }"])).toEqual([]);
    const group = "7: { links: [inherit] }";
    expect(await problemsOf([group, "acme/**: { hooks: [] }"], false, "group")).toEqual([]);
    expect(await problemsOf([group], false, "group")).toEqual([
      "a:2 warning groups.7.saml_group_links: has nothing to inherit",
    ]);
    const groups = "groups: { acme/**: { saml_group_links: [] } }";
    const project = scopeText("7: { envs: [inherit] }");
    expect((await declared([groups, project])).problems).toEqual([nothing("b", "7").replace("WORD", "warning")]);
  });

  test("the doubt of a list within a section has the path of both, once", async () => {
    const texts = ["acme/**: { job_token_scope: { allowlist: [inherit] } }"];
    const path = "projects.acme/**.job_token_scope.allowlist";
    expect(await problemsOf(texts)).toEqual([`a:2 warning ${path}: has nothing to inherit`]);
  });

  test("a path and an ID may be one project", async () => {
    const list = (entries: string) => `{ job_token_scope: { allowlist: [${entries}] } }`;
    const out = async (...texts: string[]) => (await problemsOf(texts)).map((each) => each.split(": ")[1]);
    const wide = `acme/**: ${list("3")}`;
    expect(await out(wide, `acme/api: ${list("inherit, { path: acme/ci, absent: true }")}`)).toEqual([]);
    expect(await out(wide, `acme/m/**: ${list("inherit, { path: acme/ci, absent: true }")}`)).toEqual([]);
    expect(await problemsOf([`acme/api: ${list("acme/ci, 3")}`])).toEqual([]);
    const path = [`acme/**: ${list("acme/ci")}`, `acme/api: ${list("inherit, { path: acme/x, absent: true }")}`];
    expect(await out(...path)).toEqual(["is not inherited (allowlist of a:2 is [acme/ci])"]);
    const message = "is not inherited (allowlist of a:2 is [3])";
    expect(await out(wide, `acme/api: ${list("inherit, { id: 4, absent: true }")}`)).toEqual([message]);
  });
});

test("hooks of a pattern over groups fire for the groups below as well", async () => {
  const hook = "[{ name: D, url: 'https://x.example' }]";
  const message = "fire also for the groups below: one event, several deliveries";
  expect(await problemsOf([`acme/**: { hooks: ${hook} }`], false, "group")).toEqual([
    `a:2 warning groups.acme/**.hooks: ${message}`,
  ]);
  expect(await problemsOf(["acme/**: { hooks: [] }"], false, "group")).toEqual([]);
  expect(await problemsOf([`acme/**: { hooks: ${hook} }`])).toEqual([]);
});

test("what a record must have is declared by one of its layers", async () => {
  const missing = (file: string, name: string) => `${file}:2 error projects.${name}.error_tracking: active is missing`;
  const integrated = "error_tracking: { integrated: true }";
  const active = "error_tracking: { active: true }";
  expect(await problemsOf([`acme/api: { ${integrated} }`])).toEqual([missing("a", "acme/api")]);
  expect(await problemsOf([`acme/**: { ${active} }`, `acme/api: { ${integrated} }`])).toEqual([]);
  expect(await problemsOf([`acme/**: { envs: [S] }`, `acme/api: { ${integrated} }`])).toEqual([
    missing("b", "acme/api"),
  ]);
  expect(await problemsOf([`acme/**: { ${integrated} }`])).toEqual([]);
  expect(await problemsOf([`acme/**: { ${integrated} }`, "acme/api: { envs: [] }"])).toEqual([
    missing("a", "acme/api"),
  ]);
  const deep = [`acme/**: { ${integrated} }`, "acme/api: { error_tracking: { integrated: false } }"];
  expect(await problemsOf(deep)).toEqual([missing("b", "acme/api")]);
});

describe("a value that a pattern gives anyway is pointed out", () => {
  const info = (what: string, of = "acme/** (a:2)") => [`b:2 info projects.acme/api.${what}: repeats ${of}`];
  const active = (value: boolean) => `error_tracking: { active: ${value} }`;
  test.each<[string[], string[]]>([
    [["acme/**: { reg: private }", "acme/api: { reg: private }"], info(reg)],
    [["acme/**: { reg: private }", "acme/api: { reg: enabled }"], []],
    [[`acme/**: { ${active(true)} }`, `acme/api: { ${active(true)} }`], info("error_tracking.active")],
    [[`acme/**: { ${active(true)} }`, `acme/api: { ${active(false)} }`], []],
    [[`acme/**: { ${active(true)} }`, `acme/*: { ${active(true)} }`], []],
    [["acme/**: { envs: [S, R] }", "acme/api: { envs: [R, S] }"], info(envs)],
    [[`acme/**: { ${active(true)} }`, "acme/api: { envs: [] }", `acme/*: { ${active(true)} }`], []],
    [
      ["acme/**: { job_token_scope: { allowlist: [3] } }", "acme/api: { job_token_scope: { allowlist: [3] } }"],
      info("job_token_scope.allowlist"),
    ],
    [["acme/**: { envs: [S, R] }", "acme/api: { envs: [S] }"], []],
    [["acme/**: { envs: [S] }", "acme/api: { envs: [inherit] }"], []],
    [["acme/**: { envs: unmanaged }", "acme/api: { envs: unmanaged }"], []],
    [["acme/**: { envs: unmanaged }", "acme/api: { envs: [] }"], []],
    [["acme/**: { envs: [] }", "acme/api: { envs: [] }"], info(envs)],
  ])("%j", async (texts, problems) => {
    expect(await problemsOf(texts)).toEqual(problems);
  });

  test("with the place where it is declared, which may be that of a wider one", async () => {
    const texts = [
      `acme/**: { ${active(true)} }`,
      `acme/api: { ${active(true)} }`,
      "acme/*: { error_tracking: { integrated: true } }",
    ];
    expect(await problemsOf(texts)).toEqual(info("error_tracking.active"));
  });
});

import { describe, expect, test } from "vitest";
import { declared } from "../../support/state-text.ts";

/** The sections of a project, by kind: their entries, or that they are unmanaged. */
async function sectionsOf(text: string, scope = "acme/x") {
  const { sections, problems } = await declared(`projects: { ${scope}: { ${text} } }`);
  const own = sections.map(({ kind, entries, inherits, unmanaged }) => [
    kind.name,
    unmanaged ? "unmanaged" : [...(inherits ? ["inherit"] : []), ...entries.map(entryText)],
  ]);
  return { sections: Object.fromEntries(own), problems };
}

function entryText({ values, absent }: { values: object; absent?: true }) {
  return absent ? { ...values, absent } : values;
}

describe("a section is read", () => {
  const path = { path: "acme/ci" };
  test.each<[string, object]>([
    ["error_tracking: { active: true }", { error_tracking: [{ active: true }] }],
    ["error_tracking: {}", {}],
    ["error_tracking: unmanaged", { error_tracking: "unmanaged" }],
    ["container_registry_access_level: private", { container_registry_access_level: [bareOf("private")] }],
    [
      "container_registry_access_level: { container_registry_access_level: enabled }",
      { container_registry_access_level: [bareOf("enabled")] },
    ],
    ["container_registry_access_level: unmanaged", { container_registry_access_level: "unmanaged" }],
    [
      "job_token_scope: { inbound_enabled: true, allowlist: [3] }",
      { job_token_scope: [{ inbound_enabled: true }], allowlist: [{ id: 3 }] },
    ],
    ["job_token_scope: { groups_allowlist: [] }", { groups_allowlist: [] }],
    ["job_token_scope: { allowlist: unmanaged }", { allowlist: "unmanaged" }],
    [
      "job_token_scope: unmanaged",
      { job_token_scope: "unmanaged", allowlist: "unmanaged", groups_allowlist: "unmanaged" },
    ],
    ["job_token_scope: { allowlist: [1, '2', acme/ci] }", { allowlist: [{ id: 1 }, { id: 2 }, path] }],
    ["job_token_scope: { allowlist: [{ id: 3 }, { path: acme/ci }] }", { allowlist: [{ id: 3 }, path] }],
    ["protected_environments: []", { protected_environments: [] }],
    ["hooks: [{ url: 'https://x.example', coffee_events: true }]", hook({ coffee_events: true })],
    ["hooks: [{ id: 4, url: 'https://x.example' }]", hook({ id: 4 })],
  ])("%s", async (text, sections) => {
    expect(await sectionsOf(text)).toEqual({ sections, problems: [] });
  });

  function bareOf(level: string) {
    return { container_registry_access_level: level };
  }
  function hook(more: object) {
    return { project_hooks: [{ ...more, url: "https://x.example" }] };
  }
});

test("a list that begins with inherit may leave entries out", async () => {
  const { sections, problems } = await sectionsOf(
    "protected_environments: [inherit, { name: a, absent: true }], job_token_scope: { allowlist: [inherit, { id: 3, absent: true }] }",
  );
  expect(sections).toEqual({
    protected_environments: ["inherit", { name: "a", absent: true }],
    allowlist: ["inherit", { id: 3, absent: true }],
  });
  expect(problems.map((each) => each.split(": ")[1])).toEqual(["has nothing to inherit", "has nothing to inherit"]);
});

describe("what is wrong with a section is said with its path", () => {
  const id = "must be the ID or the path of a project, not";
  const lost = "nothing is inherited here: leave the entry out | or begin with inherit";
  const list = "job_token_scope.allowlist";
  test.each<[string, string, string[]]>([
    ["hooks", "hooks: { url: a }", [": must be a list, not a mapping"]],
    ["hooks", "hooks: unmanage", [": must be a list, not a text"]],
    ["hooks", "hooks: [4]", ["[0]: must be a mapping, not a number"]],
    ["error_tracking", "error_tracking: true", [": must be a mapping, not true"]],
    ["error_tracking", "error_tracking: [inherit]", [": must be a mapping, not a list"]],
    ["error_tracking", "error_tracking: { activ: true }", [".activ: is not allowed here | did you mean active?"]],
    [
      "container_registry_access_level",
      "container_registry_access_level: open",
      [': "open" is not one of its values | one of enabled, private, disabled'],
    ],
    ["protected_environments", "protected_environments: [{ name: a }, inherit]", ["[1]: inherit is the first entry"]],
    ["protected_environments", "protected_environments: [{ name: a, absent: true }]", [`: ${lost}`]],
    [
      "protected_environments",
      "protected_environments: [inherit, { name: a, absent: false }]",
      ["[1].absent: must be true | or leave it out"],
    ],
    [
      "protected_environments",
      "protected_environments: [inherit, { name: a, absent: [true] }]",
      ["[1].absent: must be true | or leave it out"],
    ],
    [
      "protected_environments",
      "protected_environments: [inherit, { name: a, deploy_access_levels: [], absent: true }]",
      ["[1].deploy_access_levels: is not allowed here | one of name"],
    ],
    [
      "protected_environments",
      "protected_environments: [inherit, { absent: true }]",
      ["[1]: cannot be identified: name is missing"],
    ],
    ["protected_environments", "protected_environments: [{}]", ["[0]: name is missing"]],
    [
      "protected_environments",
      "protected_environments: [{ name: '' }]",
      ["[0]: cannot be identified: name is missing"],
    ],
    [
      "protected_environments",
      "protected_environments: [{ name: a }, { name: b }, { name: a }]",
      [': "a" is already in a:2 | leave one out'],
    ],
    [
      "job_token_scope",
      "job_token_scope: { enabled: true }",
      [".enabled: is the name of requests; in files it is inbound_enabled"],
    ],
    ["hooks", "hooks: [{ name: N }]", ["[0]: url is missing"]],
    ["hooks", "hooks: [inherit, { absent: true }]", ["[1]: cannot be identified: name or url is missing"]],
    [
      "hooks",
      "hooks: [inherit, { url: 'https://x.example', a_events: true, absent: true }]",
      ["[1].a_events: is not allowed here | one of url, name"],
    ],
    [
      "hooks",
      "hooks: [{ id: 4, url: 'https://x.example' }, { id: 4, url: 'https://y.example' }]",
      [': "4" is already in a:2 | leave one out'],
    ],
    [
      "protected_branches",
      "protected_branches: [{ name: a, allowed_to_push: [] }]",
      ["[0].allowed_to_push: is the name of requests; in files it is push_access_levels"],
    ],
    [list, "job_token_scope: { allowlist: [0] }", [`[0]: ${id} a number`]],
    [list, "job_token_scope: { allowlist: [-1] }", [`[0]: ${id} a number`]],
    [list, "job_token_scope: { allowlist: [1.5] }", [`[0]: ${id} a number`]],
    [list, "job_token_scope: { allowlist: [''] }", [`[0]: ${id} a text`]],
    [list, "job_token_scope: { allowlist: [true] }", [`[0]: ${id} true`]],
    [list, "job_token_scope: { allowlist: [[3]] }", ["[0]: must be a mapping, not a list"]],
    [list, "job_token_scope: { allowlist: [{ name: a }] }", ["[0]: id is missing"]],
    [list, "job_token_scope: { allowlist: [{ path: '' }] }", ["[0]: id is missing"]],
    [list, "job_token_scope: { allowlist: [{ path: 3 }] }", ["[0]: id is missing"]],
    [
      list,
      "job_token_scope: { allowlist: [{ id: x, path: a/b }] }",
      ["[0].id: must be an ID (a whole number of at least 1), not a text"],
    ],
    [
      list,
      "job_token_scope: { allowlist: [{ target_project_id: 3 }] }",
      ["[0].target_project_id: is the name in requests; in files it is id"],
    ],
    [list, "job_token_scope: { allowlist: [3, { id: 3 }] }", [': "3" is already in a:2 | leave one out']],
    ["job_token_scope.groups_allowlist", "job_token_scope: { groups_allowlist: [true] }", [groupId()]],
  ])("%s in %s", async (path, text, problems) => {
    const expected = problems.map((each) => `a:2 error projects.acme/x.${path}${each}`);
    expect((await sectionsOf(text)).problems).toEqual(expected);
  });

  function groupId() {
    return "[0]: must be the ID or the path of a group, not true";
  }
});

test("an ID is of one project, so a pattern has none", async () => {
  const { problems } = await sectionsOf("hooks: [{ id: 4, name: N, url: 'https://x.example' }]", "acme/**");
  const message = "an id is of one project; under a pattern give name";
  expect(problems).toEqual([`a:2 error projects.acme/**.hooks[0].id: ${message}`]);
});

describe("an LDAP link is of one CN or of one filter", () => {
  test.each([
    ["{ provider: p, cn: a, group_access: 30 }", []],
    ["{ provider: p, filter: b, group_access: 30 }", []],
    ["{ provider: p, group_access: 30 }", ["cannot be identified: cn or filter is missing"]],
    ["{ provider: p, cn: a, filter: b, group_access: 30 }", ["has both cn and filter | write two, or leave one out"]],
  ])("%s", async (text, messages) => {
    const { problems } = await declared(`groups: { acme: { ldap_group_links: [${text}] } }`);
    expect(problems).toEqual(messages.map((each) => `a:2 error groups.acme.ldap_group_links[0]: ${each}`));
  });
});

test("two SAML links of one name differ by their providers", async () => {
  const link = (provider: string) => `{ name: A, access_level: 30${provider} }`;
  const group = (one: string, other: string) =>
    declared(`groups: { acme: { saml_group_links: [${link(one)}, ${link(other)}] } }`);
  expect((await group(", provider: p", ", provider: q")).problems).toEqual([]);
  expect((await group("", ", provider: q")).problems).toEqual([]);
  const message = '"A/p" is already in a:2 | leave one out';
  expect((await group(", provider: p", ", provider: p")).problems).toEqual([
    `a:2 error groups.acme.saml_group_links: ${message}`,
  ]);
});

test("of an entry that is taken out, what identifies it is given, and what distinguishes it from another", async () => {
  const { problems } = await declared(
    "groups: { acme: { saml_group_links: [inherit, { name: A, provider: p, absent: true }] } }",
  );
  expect(problems.map((each) => each.split(": ")[1])).toEqual(["has nothing to inherit"]);
});

test("the settings of an instance are always managed, and each has rules of its own", async () => {
  const problem = async (text: string) => (await declared(`settings: ${text}`)).problems[0];
  expect(await problem("unmanaged")).toBe("a:2 error settings: must be a mapping, not a text");
  expect(await problem("{ signup_enabled: 1 }")).toMatch(/^a:2 error settings.signup_enabled: /);
});

test("an entry that is taken out has its line too", async () => {
  const { sections } = await declared(
    "projects:\n  acme/x:\n    protected_environments:\n    - inherit\n    - name: a\n      absent: true",
  );
  expect(sections[0]?.entries.map(({ origin, absent }) => [origin.line, absent])).toEqual([[6, true]]);
});

test("a section, an entry, and a field have the lines that they begin in", async () => {
  const { sections } = await declared("projects:\n  acme/x:\n    hooks:\n    - name: N\n      url: https://x.example");
  const [section] = sections;
  const line = (at: number) => ({ file: "a", line: at });
  expect([section?.origin, section?.entries[0]?.origin]).toEqual([line(5), line(5)]);
  expect(section?.entries[0]?.places).toEqual({ name: line(5), url: line(6) });
});

test("what an entry of an allowlist has besides its ID does not count, and that is said", async () => {
  const text =
    "projects: { a/b: { job_token_scope: { allowlist: [{ id: 3, path_with_namespace: acme/other, name: x }] } } }";
  const { sections, problems } = await declared(text);
  expect(sections.map(({ entries }) => entries.map(({ values }) => values))).toEqual([[{ id: 3 }]]);
  expect(problems).toEqual(["a:2 warning allowlist: path_with_namespace, name: set by the instance, ignored"]);
  expect((await declared(text, { strict: true })).problems).toEqual([
    "a:2 error projects.a/b.job_token_scope.allowlist[0]: path_with_namespace, name: set by the instance | leave it out",
  ]);
});

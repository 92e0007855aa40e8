import { describe, expect, test } from "vitest";
import { findKind, kinds } from "../../../src/state/kinds/index.ts";
import { declared } from "../../support/state-text.ts";

const tracked = "error_tracking: { active: true }";

describe("a file", () => {
  test("has sections of the instance, of groups, and of projects, in this order", async () => {
    const { sections, objects, problems } = await declared(
      `projects: { a/b: { ${tracked} } }\ngroups: { a: { saml_group_links: [] } }\nsettings: { signup_enabled: true }`,
    );
    const names = sections.map(({ scope, kind }) => `${scope.at} ${scope.name} ${kind.name}`);
    expect(names).toEqual(["instance  settings", "group a saml_group_links", "project a/b error_tracking"]);
    expect([objects, problems]).toEqual([2, []]);
  });

  const versions = "forgectl: this program reads version 1 of the format | write forgectl: 1";
  test.each<[string, string[]]>([
    ["forgectl: 2", [versions]],
    ["forgectl: '1'", [versions]],
    ["forgectl: [1]", [versions]],
    ["settings: {}", [": is not a state file | a state file starts with forgectl: 1"]],
    ["[forgectl]", [": is not a state file | a state file starts with forgectl: 1"]],
    ["forgectl: 1\nproject: {}", ["project: is not allowed here | did you mean projects?"]],
    ["forgectl: 1\nvariables: {}", ["variables: is not allowed here"]],
    ["forgectl: 1", []],
  ])("%j", async (text, problems) => {
    const line = text.split("\n").length;
    const found = (await declared(text, { head: "" })).problems;
    expect(found).toEqual(problems.map((each) => `a:${line} error ${each}`));
  });

  test("of one kind may be its section alone", async () => {
    const kind = findKind("protected_environments") ?? expect.unreachable();
    const scope = { at: "project", name: "a/b" } as const;
    const options = { head: "", single: { kind, scope } };
    const alone = await declared("[{ name: production }]", options);
    expect(alone.sections.map((each) => [each.scope, each.entries.length])).toEqual([[scope, 1]]);
    const whole = await declared("forgectl: 1\nprojects: { c/d: { protected_environments: [] } }", options);
    expect(whole.sections.map((each) => each.scope.name)).toEqual(["c/d"]);
    expect((await declared("{ name: a }", options)).problems).toEqual(["a:1 error : must be a list, not a mapping"]);
  });
});

describe("one section of a scope is in one place", () => {
  test.each([
    [[`projects: { a/b: { ${tracked} } }`, `projects: { A/B: { ${tracked} } }`], "error_tracking: of A/B is"],
    [[`projects: { a/*: { ${tracked} } }`, `projects: { A/*: { ${tracked} } }`], "error_tracking: of A/* is"],
    [["settings: {signup_enabled: true}", "settings: {signup_enabled: true}"], "settings: is"],
    [["groups: { a: { hooks: [] } }", "groups: { a: { hooks: [] } }"], "hooks: of a is"],
  ])("%j", async (texts, problem) => {
    const { problems, sections, objects } = await declared(texts);
    expect(problems).toEqual([`b:2 error ${problem} already in a:2 | merge the two`]);
    expect([sections.length, objects]).toEqual([1, sections[0]?.entries.length]);
  });

  test("a group and a project of one ID, and two sections of one scope, are not the same", async () => {
    const texts = [`projects: { 7: { ${tracked} } }`, "groups: { 7: { hooks: [] } }", "projects: { 7: { hooks: [] } }"];
    expect((await declared(texts)).problems).toEqual([]);
  });
});

describe("the files of a run are for one instance", () => {
  test.each<[string[], string[]]>([
    [["instance: https://a.example", "instance: https://A.example/"], []],
    [["instance: https://a.example/x", "instance: https://a.example/x//"], []],
    [["settings: {}", "instance: https://b.example"], []],
    [
      ["instance: https://a.example", "instance: https://b.example"],
      ["b:2 error instance: is https://b.example, but a:2 is for https://a.example"],
    ],
    [["instance: a.example"], [`a:2 ${wrong()}`]],
    [["instance: [https://a.example]"], [`a:2 ${wrong()}`]],
  ])("%j", async (texts, problems) => {
    expect((await declared(texts)).problems).toEqual(problems);
  });

  function wrong() {
    return "error instance: must be the address of an instance, such as https://forge.example.com";
  }

  test("which is known with its place", async () => {
    const { instances } = await declared("instance: https://a.example");
    expect(instances).toEqual([{ url: "https://a.example", origin: { file: "a", line: 2 } }]);
  });
});

describe("what is kept", () => {
  const hint = 'write it as keep: { hooks: ["name-*"] }';
  test("is that of all files together", async () => {
    const { keep, problems } = await declared([
      "keep: { hooks: [a, 4], allowlist: [acme/x] }",
      'keep: { hooks: ["b-*"] }',
    ]);
    expect([Array.from(keep, ([{ name }, patterns]) => [name, [...patterns]]), problems]).toEqual([
      [
        ["hooks", ["a", "4", "b-*"]],
        ["allowlist", ["acme/x"]],
      ],
      [],
    ]);
  });

  test.each([
    ["keep: [hooks]", `keep: must be a mapping of kinds to lists of keys | ${hint}`],
    ["keep: { settings: [a] }", `keep.settings: is not a kind with entries | ${hint}`],
    ["keep: { hook: [a] }", `keep.hook: is not a kind with entries | ${hint}`],
    ["keep: { hooks: a }", `keep.hooks: must be a list of keys | ${hint}`],
    ["keep: { hooks: [a, [b]] }", `keep.hooks: must be a list of keys | ${hint}`],
  ])("%s is refused", async (text, problem) => {
    const { problems, keep } = await declared(text);
    expect([problems, keep.size]).toEqual([[`a:2 error ${problem}`], 0]);
  });

  test("a name without its group can match no project", async () => {
    const message = '"x" can match no project: give an ID, or a path such as acme/x';
    expect((await declared("keep: { allowlist: [x, 4, '*', '**x', a/x] }")).problems).toEqual([
      `a:2 warning keep.allowlist: ${message}`,
    ]);
  });
});

describe("a section that is null may have been meant in several ways", () => {
  const none = "is null | write [] for none, unmanaged to leave it alone, or leave it out";
  test.each([
    [["projects: { a/b: { hooks: ~ } }"], `a:2 error projects.a/b.hooks: ${none}`],
    [["projects: { a/b: { error_tracking: ~ } }"], "a:2 error projects.a/b.error_tracking: is null | leave it out"],
    [["settings: ~"], "a:2 error settings: is null | leave it out"],
    [
      ["projects: { a/**: { hooks: [] } }", "projects: { a/b: { hooks: ~ } }"],
      `b:2 error projects.a/b.hooks: ${none} to take a:2`,
    ],
    [
      ["projects: { a/**: { hooks: [] } }", "projects: { a/b*: { hooks: ~ } }"],
      `b:2 error projects.a/b*.hooks: ${none}`,
    ],
  ])("%j", async (texts, problem) => {
    expect((await declared(texts)).problems).toEqual([problem]);
  });
});

// An operator who comments out all items of a list expects that they go: they stayed, and the file was "valid".
describe("a list of an entry that is null is an error", () => {
  const lists = kinds
    .filter(({ form, at }) => form === "list" && at !== "instance")
    .flatMap((kind) => {
      const { at, within, section: name = kind.name, fields, keys } = kind;
      const named = Object.fromEntries(keys.flat().map((key) => [key, key === "id" ? 1 : `https://${key}.example`]));
      const forms = ["rules", "keys", "names", "domains", "list"];
      const nulls = Object.keys(fields).filter((field) => forms.includes(fields[field]?.form ?? ""));
      return nulls.map((field): [string, string] => {
        const list = { [name]: [{ ...named, [field]: null }] };
        const inner = within === undefined ? list : { [within]: list };
        return [field, JSON.stringify({ forgectl: 1, [`${at}s`]: { "a/b": inner } })];
      });
    });

  test.each(lists)("%s", async (field, text) => {
    const { problems } = await declared(text, { head: "" });
    const mine = problems.filter((each) => each.includes(`.${field}: `));
    expect(mine).toEqual([
      expect.stringMatching(/ error .*: is null \| write \[\] for an empty list, or leave it out$/),
    ]);
  });

  test("and there are some", () => {
    const names = lists.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(["events", "deploy_access_levels", "push_access_levels"]));
  });

  test("but what answers have of a rule's other subjects is not", async () => {
    const rule = "{ id: 4, access_level: 40, access_level_description: Maintainers, user_id: ~, group_id: ~ }";
    const { problems } = await declared(
      `projects: { a/b: { protected_environments: [{ name: x, deploy_access_levels: [${rule}] }] } }`,
    );
    expect(problems.filter((each) => each.includes("null"))).toEqual([]);
  });

  test("and what a rule gives besides is a warning", async () => {
    const rule = "{ access_level: maintainer, required_approvals: ~ }";
    const { problems } = await declared(
      `projects: { a/b: { protected_environments: [{ name: x, approval_rules: [${rule}] }] } }`,
    );
    expect(problems).toEqual([
      "a:2 warning projects.a/b.protected_environments[0].approval_rules[0].required_approvals: " +
        "is null, and counts as left out | write a value, or leave it out",
    ]);
  });

  test("and a secret that is null is an error, as no answer has it", async () => {
    const headers = "custom_headers: [{ key: X-Key, value: ~ }]";
    const text = `groups: { a: { hooks: [{ name: x, url: 'https://x.example', token: ~, ${headers} }] } }`;
    const says = 'is null | write "" for none, or leave it out';
    expect((await declared(text)).problems).toEqual(
      ["token", "custom_headers[0].value"].map((name) => `a:2 error groups.a.hooks[0].${name}: ${says}`),
    );
  });

  test("and a switch that is null is a warning, with --strict an error", async () => {
    const text = "groups: { a: { hooks: [{ name: x, url: 'https://x.example', push_events: ~ }] } }";
    const says = "is null, and counts as left out | write a value, or leave it out";
    expect((await declared(text)).problems).toEqual([`a:2 warning groups.a.hooks[0].push_events: ${says}`]);
    expect((await declared(text, { strict: true })).problems).toEqual([
      "a:2 error groups.a.hooks[0].push_events: is null | write a value, or leave it out",
    ]);
  });
});

describe("a secret", () => {
  const name = "spam_check_api_key";

  test.each([
    ["null", "is null"],
    ["'[redacted]'", "has what is shown in place of a secret"],
    ["'[FILTERED]'", "has what is shown in place of a secret"],
    ["'********'", "has what is shown in place of a secret"],
  ])("of settings as answers have it counts as left out: %s", async (value, what) => {
    const says = 'write "" for none, or leave it out';
    const { sections, problems } = await declared(`settings: { ${name}: ${value}, motto: ~ }`);
    expect(problems).toContain(`a:2 warning settings.${name}: ${what}, and counts as left out | ${says}`);
    expect(sections.flatMap(({ entries }) => entries.map(({ values }) => Object.keys(values)))).toEqual([["motto"]]);
    const strict = await declared(`settings: { ${name}: ${value} }`, { strict: true });
    expect(strict.problems).toEqual([`a:2 error settings.${name}: ${what} | ${says}`]);
  });

  const hook = (more: string) => `groups: { a: { hooks: [{ name: x, ${more} }] } }`;
  const url = "url: 'https://x.example'";
  test.each([
    [hook(`${url}, token: '[redacted]'`), "groups.a.hooks[0].token"],
    [hook(`${url}, token: '********'`), "groups.a.hooks[0].token"],
    [
      hook(`${url}, custom_headers: [{ key: X-Key, value: '[redacted]' }]`),
      "groups.a.hooks[0].custom_headers[0].value",
    ],
    [hook("url: 'https://hooks.chat.example/services/[redacted]'"), "groups.a.hooks[0].url"],
    [hook(`${url}, token: " [redacted] "`), "groups.a.hooks[0].token"],
    ["settings: { codesearch_url: 'https://a.example, https://[redacted]@b.example' }", "settings.codesearch_url"],
    ["settings: { sign_in_restrictions: { api_token: '[redacted]' } }", "settings.sign_in_restrictions"],
    ["settings: { domain_allowlist: [x.example, 'https://[redacted]@x.example'] }", "settings.domain_allowlist"],
  ])("is not what is shown in its place: %s", async (text, path) => {
    const { problems } = await declared(text);
    expect(problems).toContain(
      `a:2 error ${path}: has what is shown in place of a secret | write { env: NAME } or { file: path }`,
    );
  });

  test("and in other texts the word is one like any other", async () => {
    const texts = ["Sends [redacted] texts", "See https://[redacted]@x.example"];
    for (const each of texts) {
      expect((await declared(hook(`${url}, description: '${each}'`))).problems).toEqual([]);
    }
  });
});

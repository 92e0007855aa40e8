import { describe, expect, test } from "vitest";
import { ownCopy } from "../../../src/state/files/scopes.ts";
import { declared } from "../../support/state-text.ts";

const body = "{ error_tracking: { active: true } }";

test.each([
  ["projects: [a]", "projects: must be a mapping of projects, not a list"],
  ["groups: acme", "groups: must be a mapping of groups, not a text"],
  [
    "projects: { acme/x: ~ }",
    "projects.acme/x: must be a mapping of sections, not null | leave the project out, or write its sections",
  ],
  [
    "groups: { acme: [] }",
    "groups.acme: must be a mapping of sections, not a list | leave the group out, or write its sections",
  ],
])("%s is refused", async (text, problem) => {
  const { problems, sections } = await declared(text);
  expect([problems, sections]).toEqual([[`a:2 error ${problem}`], []]);
});

describe("a scope is named by its ID or its full path", () => {
  test.each(["7", "9007199254740991", "acme/x", "a-b.c_d/.e/f", "acme/m/ios", "_a/b"])(
    "the project %s",
    async (name) => {
      const { problems, sections } = await declared(`projects: { ${name}: ${body} }`);
      expect([problems, sections.map(({ scope }) => scope)]).toEqual([[], [{ at: "project", name }]]);
    },
  );

  test("a group, which may have no group above it", async () => {
    const { problems, sections } = await declared("groups: { acme: { hooks: [] } }");
    expect([problems, sections.map(({ scope }) => scope)]).toEqual([[], [{ at: "group", name: "acme" }]]);
  });

  test.each(["acme", '"0"', "'07'", "12345678901234567", "acme//x", "acme/..", "acme/.", "acme/-x", "acme/x y", '""'])(
    "%s is not a project",
    async (name) => {
      const { problems, sections } = await declared(`projects: { ${name}: ${body} }`);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^a:2 error projects\..*: is neither the ID nor the full path of a project$/);
      expect(sections).toEqual([]);
    },
  );

  test("a pattern that is wrong is refused as one", async () => {
    const { problems, sections } = await declared(`projects: { acme/x**: ${body} }`);
    expect(problems).toEqual(["a:2 error projects.acme/x**: ** is a whole segment, once in a row"]);
    expect(sections).toEqual([]);
  });
});

describe("a section that does not exist is refused, with what may have been meant", () => {
  const ofGroup = "hooks, saml_group_links, ldap_group_links";
  test.each([
    ["projects: { acme/x: { error_trackin: 1 } }", "projects.acme/x.error_trackin", "did you mean error_tracking?"],
    ["projects: { acme/x: { allowlist: [] } }", "projects.acme/x.allowlist", "write it inside job_token_scope"],
    ["groups: { acme: { project_hooks: [] } }", "groups.acme.project_hooks", `a group has ${ofGroup}`],
    ["groups: { acme: { variables: [] } }", "groups.acme.variables", `a group has ${ofGroup}`],
    [
      "groups: { acme: { keep: {} } }",
      "groups.acme.keep",
      "keep holds for all scopes: write it at the top of the file",
    ],
  ])("%s", async (text, path, hint) => {
    expect((await declared(text)).problems).toEqual([`a:2 error ${path}: is not allowed here | ${hint}`]);
  });
});

describe("a pattern leaves out what its exceptions match", () => {
  async function exceptionsOf(except: string, name = "acme/**", of = "project") {
    const inner = of === "project" ? "error_tracking: { active: true }" : "saml_group_links: []";
    const { problems, sections } = await declared(`${of}s: { ${name}: { ${except}, ${inner} } }`);
    return { problems, except: sections[0]?.block?.except.map(({ pattern }) => pattern.text) };
  }

  test.each<[string, string[], number]>([
    ["except: [acme/x]", ["acme/x"], 0],
    ['except: [acme/lab/**, "*/x"]', ["acme/lab/**"], 1],
    ["except: []", [], 0],
  ])("%s", async (text, texts, wrong) => {
    const { except, problems } = await exceptionsOf(text);
    expect([except, problems.length]).toEqual([texts, wrong]);
  });

  test.each([
    ["except: acme/lab/**", ': must be a list of paths and patterns | write except: ["acme/lab/**"]'],
    ["except: [4]", "[0]: must be a path, not a number"],
    ["except: [acme/x, [acme/y]]", "[1]: must be a path, not a list"],
    ["except: ['7']", "[0]: must be a path, not an ID"],
    ["except: [acme]", "[0]: is neither the ID nor the full path of a project"],
    ["except: [acme/**/**]", "[0]: ** is a whole segment, once in a row"],
    ["except: [globex/**]", "[0]: can leave nothing out of acme/**"],
    ["except: [globex/x]", "[0]: can leave nothing out of acme/**"],
  ])("%s is refused", async (text, problem) => {
    expect((await exceptionsOf(text)).problems).toEqual([`a:2 error projects.acme/**.except${problem}`]);
  });

  test("of groups a group is one", async () => {
    expect(await exceptionsOf("except: [acme/lab]", "acme/**", "group")).toEqual({
      problems: [],
      except: ["acme/lab"],
    });
  });

  test("a scope that is no pattern has none", async () => {
    const { problems } = await exceptionsOf("except: [acme/y]", "acme/x");
    expect(problems).toEqual(["a:2 error projects.acme/x.except: only a pattern has exceptions | leave it out"]);
  });
});

test("the pattern as written, and its line, are those of each of its sections and values", async () => {
  const text = "projects:\n  Acme/**:\n    except: [acme/x]\n    error_tracking:\n      active: true";
  const { sections } = await declared(text);
  const pattern = "Acme/**";
  const [{ scope, block, origin, entries } = expect.unreachable()] = sections;
  expect([scope, block?.pattern.text, block?.at]).toEqual([{ at: "project", name: pattern }, pattern, "project"]);
  expect(block?.origin).toEqual({ file: "a", line: 3, pattern });
  expect(block?.except[0]?.origin).toEqual({ file: "a", line: 4, pattern });
  expect(origin).toEqual({ file: "a", line: 6, pattern });
  expect(entries[0]?.places).toEqual({ active: { file: "a", line: 6, pattern } });
});

test.each(["", "a", 'with "quotes", \\, \u2028 and 🙂\n'])("a copy of %j is the same text", (text) => {
  expect(ownCopy(text)).toBe(text);
});

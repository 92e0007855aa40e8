import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { compact } from "../../src/state/compact/compact.ts";
import { dumpState } from "../../src/state/export/dump.ts";
import type { Exported } from "../../src/state/export/export.ts";
import { declare } from "../../src/state/files/declaration.ts";
import { Findings } from "../../src/state/finding.ts";
import { parseTree } from "../../src/state/yaml/parse.ts";
import { chanceOf } from "../support/chance.ts";
import { sampled } from "../support/examples.ts";

// An export of a fleet as patterns and exceptions. What they declare is computed here by a plain and slow reading of
// the rules, which shares no code with the program.

interface Written {
  projects?: Record<string, Sections>;
}
type Sections = Record<string, unknown>;
type Fleet = Record<string, { sections: Sections; unreadable?: readonly string[] }>;

const instance = "https://forge.example.com";
const environment = (name: string, level = "maintainer") => ({ name, deploy_access_levels: [{ access_level: level }] });

function exportedOf(fleet: Fleet): Exported[] {
  return Object.entries(fleet).map(([name, { sections, unreadable = [] }]) => ({
    scope: { at: "project", name },
    sections,
    unreadable: unreadable.map((kind) => ({ kind, reason: "403" })),
  }));
}

async function compacted(fleet: Fleet, roots = ["acme"]): Promise<{ text: string; whole: readonly string[] }> {
  const { exported, whole } = await compact(exportedOf(fleet), roots);
  return { text: await dumpState(instance, exported), whole };
}

/** The lines of a file that are not comments, and not its head. */
const linesOf = (text: string) => text.split("\n").filter((line) => /^ {2}/.test(line) && !/^\s*#/.test(line)).length;

const plainLines = async (fleet: Fleet) => linesOf(await dumpState(instance, exportedOf(fleet)));

/** Whether a scope of the file is for a path: 0 is no, and the more specific the higher. */
function rank(scope: string, path: string): number {
  if (scope === path) return 1000;
  const depth = scope.split("/").length;
  if (scope.endsWith("/**") && path.startsWith(scope.slice(0, -2))) return depth * 10;
  const isDirect = scope.endsWith("/*") && path.slice(0, path.lastIndexOf("/")) === scope.slice(0, -2);
  return isDirect ? depth * 10 + 1 : 0;
}

/** What a file declares for a project, by the name of each section or field; lists as sets. */
function effective({ projects = {} }: Written, path: string): Record<string, unknown> {
  const names = Object.keys(projects).filter((scope) => rank(scope, path) > 0);
  const sorted = names.sort((a, b) => rank(b, path) - rank(a, path)).map((name) => flat(projects[name] ?? {}));
  const found: Record<string, unknown> = {};
  for (const key of new Set(sorted.flatMap((each) => Object.keys(each)))) {
    const value = resolve(sorted.filter((each) => key in each).map((each) => each[key]));
    if (value === undefined) continue;
    const own = (entry: unknown) => key !== "job_token_scope.allowlist" || entry !== path;
    found[key] = Array.isArray(value)
      ? value
          .filter(own)
          .map((each) => JSON.stringify(each))
          .sort()
      : value;
  }
  return found;
}

function flat(sections: Sections): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sections).flatMap(([name, value]) => {
      if (!["job_token_scope", "error_tracking"].includes(name)) return [[name, value]];
      const fields = ["inbound_enabled", "allowlist", "groups_allowlist", "active", "integrated"];
      if (value === "unmanaged") return fields.map((field) => [`${name}.${field}`, value]);
      return Object.entries(value as object).map(([field, each]) => [`${name}.${field}`, each]);
    }),
  );
}

function resolve([first, ...rest]: unknown[]): unknown {
  if (first === undefined || first === "unmanaged") return undefined;
  if (!Array.isArray(first) || first[0] !== "inherit") return first;
  const below = resolve(rest);
  return [...(Array.isArray(below) ? below : []), ...first.slice(1)];
}

async function findingsOf(text: string): Promise<object[]> {
  const findings = new Findings();
  await declare([{ name: "f", folder: undefined, tree: await parseTree(text) }], findings, { strict: true });
  return [...findings.list];
}

const registry = (value: string) => ({ container_registry_access_level: value });
const open = { job_token_scope: { inbound_enabled: false } };
const ci = (...more: string[]) => ({ job_token_scope: { allowlist: ["acme/ci", ...more] } });
const shared = { ...registry("private"), protected_environments: [environment("production")] };

describe("the table of fleets", () => {
  test.each<[string, Record<string, { sections: Sections; unreadable?: string[] }>, string]>([
    [
      "1: the rule and its exception",
      {
        ...Object.fromEntries(
          ["a", "b", "c", "d", "e"].map((name) => [`acme/${name}`, { sections: { ...registry("private"), ...open } }]),
        ),
        "acme/lab": { sections: { ...registry("enabled"), ...open } },
      },
      `projects:
  acme/**:
    # 5 of 6
    container_registry_access_level: private
    job_token_scope:
      inbound_enabled: false
  acme/lab:
    container_registry_access_level: enabled
`,
    ],
    [
      "2: two teams",
      {
        ...Object.fromEntries(["1", "2", "3"].map((name) => [`acme/a/${name}`, { sections: registry("private") }])),
        ...Object.fromEntries(["1", "2", "3"].map((name) => [`acme/b/${name}`, { sections: registry("enabled") }])),
        "acme/c": { sections: registry("disabled") },
      },
      `projects:
  acme/a/**:
    # 3 of 3
    container_registry_access_level: private
  acme/b/**:
    # 3 of 3
    container_registry_access_level: enabled
  acme/c:
    container_registry_access_level: disabled
`,
    ],
    [
      "3: what all share is said once",
      {
        "acme/p1": { sections: ci() },
        "acme/p2": { sections: ci("acme/own2") },
        "acme/p3": { sections: ci("acme/own3") },
        "acme/p4": { sections: ci("acme/x", "acme/y") },
      },
      `projects:
  acme/**:
    # 4 of 4
    job_token_scope:
      allowlist:
        - acme/ci
  acme/p2:
    job_token_scope:
      allowlist:
        - inherit
        - acme/own2
  acme/p3:
    job_token_scope:
      allowlist:
        - inherit
        - acme/own3
  acme/p4:
    job_token_scope:
      allowlist:
        - inherit
        - acme/x
        - acme/y
`,
    ],
    [
      "4: what could not be read takes no part",
      {
        ...Object.fromEntries(["a", "b", "c"].map((name) => [`acme/${name}`, { sections: shared }])),
        ...Object.fromEntries(
          ["x", "y"].map((name) => [
            `acme/free/${name}`,
            { sections: registry("private"), unreadable: ["protected_environments"] },
          ]),
        ),
      },
      `projects:
  acme/**:
    # 3 of 5
    container_registry_access_level: private
    protected_environments:
      - name: production
        deploy_access_levels:
          - access_level: maintainer
  acme/free/x:
    protected_environments: unmanaged
  acme/free/y:
    protected_environments: unmanaged
`,
    ],
    [
      "5: no majority, no guess",
      {
        "acme/a": { sections: { ...registry("private"), ...open } },
        "acme/b": { sections: { ...registry("private"), job_token_scope: { inbound_enabled: true } } },
        "acme/c": { sections: { ...registry("enabled"), ...open } },
        "acme/d": { sections: { ...registry("enabled"), job_token_scope: { inbound_enabled: true } } },
      },
      "",
    ],
  ])("%s", async (_, fleet, wanted) => {
    const { text, whole } = await compacted(fleet);
    const plain = await dumpState(instance, exportedOf(fleet));
    expect(text.slice(text.indexOf("projects:"))).toBe(wanted || plain.slice(plain.indexOf("projects:")));
    expect(whole).toEqual([]);
  });
});

const pick = <T>(random: () => number, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

/** With `share` of the values as usual, for each group or for all. */
function randomFleet(random: () => number, share = 0.75, isOne = false): Fleet {
  const groups = ["acme", "acme/a", "acme/a/x", "acme/b", "acme/c/y"].filter(() => random() < 0.8);
  const paths = groups.flatMap((group) =>
    Array.from({ length: Math.floor(random() * 9) }, (_, at) => `${group}/p${at}`),
  );
  const rule = Array.from({ length: 5 }, () => random());
  const usual = new Map(groups.map((group) => [group, isOne ? rule : Array.from({ length: 5 }, () => random())]));
  return Object.fromEntries(paths.map((path) => [path, randomProject(random, path, { usual, share })]));
}

/** Like the others of its group, with exceptions. */
function randomProject(
  random: () => number,
  path: string,
  { usual, share }: { usual: ReadonlyMap<string, number[]>; share: number },
): Fleet[string] {
  const own = usual.get(path.slice(0, path.lastIndexOf("/"))) ?? [];
  const choose = <T>(at: number, items: readonly T[]): T =>
    random() < share ? (items[Math.floor((own[at] ?? 0) * items.length)] as T) : pick(random, items);
  const lists = [[], ["acme/ci"], ["acme/ci", "acme/p0", 12], ["acme/ci", `acme/own-${path.length}`, "acme/a/p1"]];
  const odd = (1 - share) / 4;
  const unreadable = ["protected_environments", "error_tracking", "allowlist"].filter(() => random() < odd);
  if (random() < odd) unreadable.push("job_token_scope", "allowlist", "groups_allowlist");
  if (random() < odd) unreadable.push("job_token_scope");
  const has = (kind: string) => !unreadable.includes(kind);
  const scope = {
    ...(has("job_token_scope") && { inbound_enabled: choose(0, [true, false]) }),
    ...(has("allowlist") && { allowlist: choose(1, lists).filter((each) => each !== path) }),
    ...(has("groups_allowlist") && { groups_allowlist: choose(2, [[], [4], [4, 7]]) }),
  };
  const environments = [
    [],
    [environment("production")],
    [environment("production"), environment("staging", "developer")],
  ];
  return {
    unreadable: [...new Set(unreadable)],
    sections: {
      ...registry(choose(3, ["private", "enabled", "disabled"])),
      ...(Object.keys(scope).length > 0 && { job_token_scope: scope }),
      ...(has("protected_environments") && { protected_environments: choose(4, environments) }),
      ...(has("error_tracking") && {
        error_tracking: {
          active: choose(0, [true, false]),
          ...(random() >= odd / 8 && { integrated: choose(2, [true, false]) }),
        },
      }),
    },
  };
}

const shuffled = (random: () => number, fleet: Fleet): Fleet =>
  Object.fromEntries(
    Object.entries(fleet)
      .map((each) => [random(), each] as const)
      .sort(([a], [b]) => a - b)
      .map(([, each]) => each),
  );

// Every third of 200 fleets; with FORGECTL_TEST_EXAMPLES=all, all.
const seeds = sampled(
  Array.from({ length: 200 }, (_, index) => index + 1),
  3,
);

test("over random fleets: the same declarations, valid, never longer, and independent of the order of answers", async () => {
  const counts = { patterns: 0, shorter: 0, inherits: 0, unmanaged: 0 };
  for (const seed of seeds) {
    const random = chanceOf(seed);
    const fleet = randomFleet(random);
    const { text, whole } = await compacted(fleet);
    const about = `seed ${seed}\n${text}`;
    expect(whole, about).toEqual([]);
    const [plain, short] = [load(await dumpState(instance, exportedOf(fleet))), load(text)] as [Written, Written];
    for (const path of Object.keys(fleet))
      expect(effective(short, path), `${path}, ${about}`).toEqual(effective(plain, path));
    const names = Object.keys(short.projects ?? {});
    expect(await findingsOf(text), about).toEqual([]);
    const before = await plainLines(fleet);
    expect(linesOf(text), about).toBeLessThanOrEqual(before);
    expect((await compacted(shuffled(random, fleet))).text, about).toBe(text);
    counts.patterns += names.filter((name) => name.includes("*")).length;
    counts.shorter += linesOf(text) < before ? 1 : 0;
    counts.inherits += text.split("- inherit").length - 1;
    counts.unmanaged += text.split(": unmanaged").length - 1;
  }
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(10);
}, 120_000);

test("a new project that is like the rest adds no line", async () => {
  let count = 0;
  for (let seed = 1; seed <= 80; seed++) {
    const fleet = randomFleet(chanceOf(seed), 0.97, true);
    const { text } = await compacted(fleet);
    const { projects = {} } = load(text) as Written;
    const rest = projects["acme/**"];
    const declared = Object.keys(flat(rest ?? {}));
    const keys = new Set(Object.values(fleet).flatMap(({ sections }) => Object.keys(flat(sections))));
    if (rest === undefined || declared.length < keys.size) continue;
    count += 1;
    const more = await compacted({ ...fleet, "acme/new/p": { sections: rest } });
    expect(linesOf(more.text), `seed ${seed}\n${text}\n${more.text}`).toBeLessThanOrEqual(linesOf(text));
  }
  expect(count).toBeGreaterThan(10);
});

const groupsOf = (lists: Record<string, Sections>): Exported[] =>
  Object.entries(lists).map(([name, sections]) => ({ scope: { at: "group", name }, sections, unreadable: [] }));

test("a scope for which the rules would declare something else is written in full", async () => {
  const link = (provider?: string) => ({ name: "All", ...(provider && { provider }), access_level: "guest" });
  const groups = groupsOf({
    "acme/a": { saml_group_links: [link()] },
    "acme/b": { saml_group_links: [link()] },
    "acme/c": { saml_group_links: [link()] },
    // Without its provider, the inherited link is taken for the one of this entry.
    "acme/d": { saml_group_links: [link(), link("two")] },
  });
  const { exported, whole } = await compact(groups, ["acme"]);
  expect(whole).toEqual(["acme/d"]);
  expect(exported.map(({ scope }) => scope.name)).toEqual(expect.arrayContaining(["acme/**", "acme/d"]));
  expect(exported.find(({ scope }) => scope.name === "acme/d")?.sections).toEqual(groups[3]?.sections);
});

test("hooks, entries with an ID, and what is not below a group are never in patterns", async () => {
  const hook = { name: "Deploys", url: "https://deploys.example/", events: ["push"] };
  const hooks = groupsOf(Object.fromEntries(["a", "b", "c"].map((name) => [`acme/${name}`, { hooks: [hook] }])));
  expect((await compact(hooks, ["acme"])).exported).toEqual(hooks);
  const none = groupsOf(Object.fromEntries(["a", "b", "c"].map((name) => [`acme/${name}`, { hooks: [] }])));
  expect((await compact(none, ["acme"])).exported.map(({ scope }) => scope.name)).toEqual([
    "acme/**",
    "acme/a",
    "acme/b",
    "acme/c",
  ]);
  const numbered = { saml_group_links: [{ id: 4, name: "All", access_level: "guest" }] };
  const groups = groupsOf(Object.fromEntries(["a", "b", "c"].map((name) => [`acme/${name}`, numbered])));
  expect((await compact(groups, ["acme"])).exported).toEqual(groups);
  const others = exportedOf(
    Object.fromEntries(["a", "b", "c"].map((name) => [`acme/${name}`, { sections: registry("private") }])),
  );
  expect((await compact(others, ["globex"])).exported).toEqual(others);
});

test("two groups are apart, and one below the other is one", async () => {
  const fleet = Object.fromEntries(
    ["acme/a", "acme/b", "acme/m/c", "globex/a", "globex/b", "globex/c"].map((path) => [
      path,
      { sections: registry("private") },
    ]),
  );
  const { exported } = await compact(exportedOf(fleet), ["globex", "acme", "acme/m"]);
  expect(exported.flatMap(({ scope, sections }) => (Object.keys(sections).length > 0 ? [scope.name] : []))).toEqual([
    "globex/**",
    "acme/**",
  ]);
});

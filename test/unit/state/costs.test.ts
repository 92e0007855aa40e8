import { describe, expect, test } from "vitest";
import { ruleElements } from "../../../src/state/fields/rule-elements.ts";
import { declare } from "../../../src/state/files/declaration.ts";
import { Findings } from "../../../src/state/finding.ts";
import type { Kind, StateField, Values } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import { compareSection } from "../../../src/state/live/compare.ts";
import { LiveList } from "../../../src/state/live/live-list.ts";
import { match } from "../../../src/state/live/match.ts";
import { Declared } from "../../../src/state/patterns/layers.ts";
import { merge } from "../../../src/state/patterns/merge.ts";
import { compareWith } from "../../../src/state/plan/live-comparison.ts";
import { TreeError } from "../../../src/state/yaml/tree.ts";
import { compose } from "../../../src/state/yaml/yaml.ts";
import { declared, plain, sectionOf } from "../../support/compared.ts";
import { sampled } from "../../support/examples.ts";

const lines = <T>(count: number, line: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => line(at));

const field = "container_registry_access_level: private";
const scopes = (names: readonly string[]) =>
  ["forgectl: 1", "projects:", ...names.map((name) => `  "${name}": { ${field} }`)].join("\n");
const ids = (n: number, from: number, more?: string) =>
  lines(n, (at) => (more === undefined ? String(from + at + 1) : `{ id: ${from + at + 1}, ${more} }`));
const list = (entries: readonly string[]) => `{ job_token_scope: { allowlist: [${entries.join(", ")}] } }`;
/** Scopes that inherit a list of as many entries, and change it. */
const inheriting = (names: readonly string[], entries: readonly string[]) =>
  [
    ...["forgectl: 1", "projects:", `  "acme/**": ${list(ids(entries.length, 0))}`],
    ...names.map((name) => `  "${name}": ${list(["inherit", ...entries])}`),
  ].join("\n");

/** Files of an untrusted author, with `n` of something in them. */
const shapes: Record<string, (n: number) => string> = {
  "a long key": (n) => `forgectl: 1\nsettings:\n  ${"a".repeat(50 * n)}: 1`,
  "a long key at the top": (n) => `forgectl: 1\n"${"ab".repeat(50 * n)}": 1`,
  "unknown settings": (n) => ["forgectl: 1", "settings:", ...lines(n, (at) => `  signup_enable${at}: 1`)].join("\n"),
  "unknown sections": (n) => ["forgectl: 1", "groups:", "  acme:", ...lines(n, (at) => `    hook${at}: []`)].join("\n"),
  "unknown keys at the top": (n) => ["forgectl: 1", ...lines(n, (at) => `project${at}: {}`)].join("\n"),
  "unknown fields": (n) =>
    ["forgectl: 1", "groups:", "  acme:", "    hooks:", ...lines(n, (at) => `    - { urls${at}: x }`)].join("\n"),
  "entries without an identity": (n) =>
    ["forgectl: 1", "groups:", "  acme:", "    hooks:", ...lines(n, () => "    - {}")].join("\n"),
  "levels that do not exist": (n) =>
    [
      "forgectl: 1",
      "projects: { acme/x: { protected_environments: [{ name: p, deploy_access_levels: [",
      ...lines(n, (at) => `  { access_level: maintaine${at} },`),
      "  ] }] } }",
    ].join("\n"),
  "sections below a long name": (n) =>
    ["forgectl: 1", "groups:", `  ${"g".repeat(n)}:`, ...lines(n, (at) => `    hook${at}: []`)].join("\n"),
  "many scopes": (n) => ["forgectl: 1", "projects:", ...lines(n, (at) => `  acme/p${at}: { hooks: [] }`)].join("\n"),
  "patterns with many stars": (n) => scopes([`acme/*${"a*".repeat(n / 4)}x`, `acme/*${"b*".repeat(n / 4)}y`]),
  "patterns of many segments": (n) => scopes([`acme/*${"/a*".repeat(n / 8)}`, `acme/*${"/b*".repeat(n / 8)}`]),
  "patterns of any depth": (n) => scopes([`acme/*${"/a/**".repeat(n / 8)}/x`, `acme/*${"/**/a".repeat(n / 8)}/y`]),
  "patterns that begin alike": (n) => scopes(lines(n, (at) => `acme/*x${at}`)),
  "patterns that begin alike and meet": (n) => scopes(lines(n, (at) => `acme/*x${at}*`)),
  "patterns of many groups": (n) => scopes(lines(n, (at) => `acme${at}/*`)),
  "patterns beside scopes": (n) => scopes([...lines(n, (at) => `acme/a${at}*`), ...lines(n, (at) => `acme/b${at}`)]),
  "sections of null beside patterns": (n) =>
    [
      scopes(lines(n, (at) => `acme/a${at}*`)),
      ...lines(n, (at) => `  acme/b${at}: { container_registry_access_level: null }`),
    ].join("\n"),
  "patterns that inherit": (n) =>
    inheriting(
      lines(n, (at) => `acme${at}/**`),
      ["1"],
    ),
  "entries in place of inherited ones": (n) => inheriting(["acme/api"], ids(n, 0)),
  "inherited entries that are absent": (n) => inheriting(["acme/api"], ids(n, 0, "absent: true")),
  "absent entries that are not inherited": (n) => inheriting(["acme/api"], ids(n, n, "absent: true")),
  "inherited entries of one name": (n) => {
    const links = lines(n, (at) => `{ name: a, provider: p${at}, access_level: developer }`).join(", ");
    const list = (more: string) => `{ saml_group_links: [${more}${links}] }`;
    return `forgectl: 1\ngroups: { "acme/**": ${list("")}, acme/m: ${list("inherit, ")} }`;
  },
  "exceptions of a pattern": (n) =>
    `forgectl: 1\nprojects:\n  acme/**: { except: [${lines(n, (at) => `acme/p${at}`).join(", ")}], ${field} }\n${lines(
      n,
      (at) => `  acme/q${at}: { ${field} }`,
    ).join("\n")}`,
  "keys to keep": (n) => `forgectl: 1\nkeep: { saml_group_links: [${lines(n, (at) => `"${at}*"`).join(", ")}] }`,
};

/** CPU milliseconds, and the characters of all findings. */
async function costOf(text: string): Promise<{ ms: number; printed: number }> {
  const start = process.cpuUsage();
  const findings = new Findings();
  await declare([{ name: "state.yaml", folder: undefined, tree: compose(text) }], findings);
  const printed = findings.list.reduce((sum, { path, message, hint }) => sum + `${path}${message}${hint}`.length, 0);
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, printed };
}

describe("eight times the text costs about eight times as much, and not 64 times", () => {
  // Of every other shape; with FORGECTL_TEST_EXAMPLES=all, of all.
  test.each(sampled(Object.entries(shapes), 2))("%s", async (_name, shape) => {
    await costOf(shape(500));
    const small = await costOf(shape(1_000));
    const large = await costOf(shape(8_000));
    // A few milliseconds are noise.
    expect(large.ms).toBeLessThan(32 * Math.max(small.ms, 10));
    expect(large.printed).toBeLessThan(16 * (small.printed + 1_000));
  });
});

test.each(["saml_group_links", "hooks", "protected_environments", "allowlist"])(
  "eight times as many entries of %s are matched with eight times as many objects in about eight times the time",
  (name) => {
    const kind = findKind(name) as Kind;
    const cost = (n: number) => {
      const origin = { file: "a.yaml", line: 1 };
      const values = lines(n, (at) => ({ id: at, name: `a${at}`, url: `https://a.example/${at}`, provider: `p${at}` }));
      const entries = values.map(({ id, ...more }) => ({ values: kind.target === undefined ? more : { id }, origin }));
      const live = values.map((each) => ({ values: each })).reverse();
      const start = process.cpuUsage();
      const { pairs, left } = match({ kind, scope: { at: "group", name: "acme" }, entries }, live);
      expect([pairs.filter(({ held }) => held !== undefined).length, left]).toEqual([n, []]);
      return process.cpuUsage(start).user / 1000;
    };
    cost(500);
    expect(cost(16_000)).toBeLessThan(32 * Math.max(cost(2_000), 10));
  },
);

test("a record of many layers is put together in time in proportion to their number", () => {
  const kind = findKind("error_tracking") as Kind;
  const scope = { at: "project", name: "acme/a" } as const;
  const values = Object.fromEntries(lines(100, (at) => [`field${at}`, true]));
  const cost = (n: number) => {
    const layers = lines(n, (at) => {
      const origin = { file: "a.yaml", line: at + 1 };
      const pattern = { text: "", parts: [], literal: "a".repeat(n - at), deep: false, whole: false };
      const entries = [{ values, origin }];
      return { scope, kind, origin, entries, block: { at: "project" as const, pattern, except: [], origin } };
    });
    const start = process.cpuUsage();
    expect(merge(scope, kind, layers).overruled).toHaveLength(100 * (n - 1));
    return process.cpuUsage(start).user / 1000;
  };
  cost(250);
  expect(cost(8_000)).toBeLessThan(24 * Math.max(cost(1_000), 10));
});

test("a path is not compared with patterns that begin otherwise", () => {
  const kind = findKind("error_tracking") as Kind;
  const origin = { file: "a.yaml", line: 1 };
  let reads = 0;
  const sections = lines(1_000, (at) => {
    const pattern = { text: "", parts: [], literal: `acme/a${at}`, deep: false, whole: true };
    const counted = new Proxy(pattern, {
      get(of, name) {
        reads += 1;
        return Reflect.get(of, name);
      },
    });
    const scope = { at: "project" as const, name: `acme/a${at}**` };
    return { scope, kind, origin, entries: [], block: { at: scope.at, pattern: counted, except: [], origin } };
  });
  const declared = new Declared(sections);
  reads = 0;
  expect(declared.layers("project", "acme/b").size).toBe(0);
  expect(declared.isMatched("project", "acme/a7/x")).toBe(true);
  expect(reads).toBeLessThan(20);
});

test.each<[kind: string, values: (at: number) => Values, changed: Values]>([
  ["hooks", (at) => ({ name: `Hook ${at}`, url: "https://a.example/in", push_events: true }), { push_events: false }],
  ["protected_environments", (at) => ({ name: `e${at}`, deploy_access_levels: [{ access_level: 40 }] }), {}],
  ["saml_group_links", (at) => ({ name: `l${at}`, access_level: 30 }), { access_level: 10 }],
])("%s are compared, and looked at again, in time in proportion to their number", (name, values, changed) => {
  const kind = findKind(name) as Kind;
  const cost = (n: number) => {
    const live = lines(n, (at) => ({ values: { id: at + 1, ...values(at) } }));
    const entries = lines(n, (at) => declared({ ...values(at), ...changed }));
    const start = process.cpuUsage();
    const { changes } = compareSection(sectionOf(kind, entries), live, plain);
    const list = new LiveList(kind, live);
    for (const change of changes) {
      const { live: found } = compareWith(change, list);
      list.replace(found, { values: { ...found?.values } });
    }
    return process.cpuUsage(start).user / 1000;
  };
  cost(100);
  expect(cost(4_000)).toBeLessThan(32 * Math.max(cost(500), 10));
});

test("settings that an instance does not show are compared in time in proportion to their number", () => {
  const kind = findKind("settings") as Kind;
  const cost = (n: number) => {
    const entry = declared(Object.fromEntries(lines(n, (at) => [`unknown_setting_${at}`, at])));
    const start = process.cpuUsage();
    compareSection(sectionOf(kind, [entry]), [{ values: { id: 1 } }], plain);
    return process.cpuUsage(start).user / 1000;
  };
  cost(100);
  expect(cost(64_000)).toBeLessThan(32 * Math.max(cost(8_000), 10));
});

test("rules are matched by their subject in time in proportion to their number", () => {
  const field = (findKind("protected_environments") as Kind).fields.deploy_access_levels as StateField;
  const rules = (n: number, more: object) => lines(n, (at) => ({ user_id: at + 1, ...more }));
  const cost = (n: number) => {
    const start = process.cpuUsage();
    const elements = ruleElements(field, rules(n, {}), [...rules(n, { id: 1 }), { id: 7, user_id: n + 1 }].reverse());
    expect(elements).toEqual([{ id: 7, user_id: n + 1, _destroy: true }]);
    return process.cpuUsage(start).user / 1000;
  };
  cost(500);
  expect(cost(16_000)).toBeLessThan(32 * Math.max(cost(2_000), 10));
});

test("aliases of a long text do not multiply it beyond any memory", () => {
  const text = `forgectl: 1\nx: &a "${"q".repeat(100_000)}"\nlist: [${"*a, ".repeat(1_000)}]\n`;
  expect(() => compose(text)).toThrow(TreeError);
  expect(() => compose(text)).toThrow("repeats more than 16 MiB with aliases");
  expect(compose(text.replace("q".repeat(90_000), "")).kind).toBe("mapping");
});

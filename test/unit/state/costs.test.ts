import { describe, expect, test } from "vitest";
import { declare } from "../../../src/state/declaration.ts";
import { Findings } from "../../../src/state/finding.ts";
import { TreeError } from "../../../src/state/tree.ts";
import { compose } from "../../../src/state/yaml.ts";

const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, at) => line(at));

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
  test.each(Object.entries(shapes))("%s", async (_name, shape) => {
    await costOf(shape(500));
    const small = await costOf(shape(2_000));
    const large = await costOf(shape(16_000));
    // A few milliseconds are noise.
    expect(large.ms).toBeLessThan(32 * Math.max(small.ms, 10));
    expect(large.printed).toBeLessThan(16 * (small.printed + 1_000));
  });
});

test("aliases of a long text do not multiply it beyond any memory", () => {
  const text = `forgectl: 1\nx: &a "${"q".repeat(100_000)}"\nlist: [${"*a, ".repeat(1_000)}]\n`;
  expect(() => compose(text)).toThrow(TreeError);
  expect(() => compose(text)).toThrow("repeats more than 16 MiB with aliases");
  expect(compose(text.replace("q".repeat(90_000), "")).kind).toBe("mapping");
});

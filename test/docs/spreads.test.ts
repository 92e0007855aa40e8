import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { secretTexts } from "../../src/api/secret-texts.ts";

// A list of some 120,000 items overflows the stack as the arguments of a call (exit 70). Instances send longer ones.

/** What is spread there is bounded: 1,000 rows of a batch, days of a year, a header, words that the program wrote. */
const bounded = [
  "api/transport/retry.ts",
  "base/help-page.ts",
  "base/template.ts",
  "cli/code.ts",
  "cli/help.ts",
  "commands/audit/scopes.ts",
  "commands/completion/uninstall.ts",
  "commands/registry/prune/protection.ts",
  "completion/line.ts",
  "jobs/bulk.ts",
  "reference/reflow.ts",
  "reference/roff-text.ts",
  "settings/baseline.ts",
  "state/fields/field-value.ts",
  "state/patterns/layers.ts",
  "terminal/collect.ts",
  "terminal/render/calendar.ts",
  "terminal/render/rows.ts",
  "terminal/render/summary.ts",
  "terminal/table/grid.ts",
  "terminal/table/index.ts",
  "verbs/choose.ts",
];

test("no list of any length becomes the arguments of a call", () => {
  const root = join(import.meta.dirname, "../../src");
  const spreads = (file: string) =>
    /\.(?:push|unshift|concat)\(\.\.\.|Math\.(?:max|min)\([^\n]*\.\.\./.test(readFileSync(join(root, file), "utf8"));
  const found = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.startsWith("sandbox/"))
    .filter(spreads);
  expect(found.toSorted()).toEqual(bounded);
});

test("secrets of any number are known", () => {
  const secrets = Array.from({ length: 300_000 }, (_, at) => `secret-${at}`);
  expect(secretTexts({ keys: { kind: "json", secret: true } as never }, { keys: secrets })).toEqual(secrets);
});

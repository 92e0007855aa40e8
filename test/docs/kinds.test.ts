import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/state/kinds/index.ts";

// The engine of state names no kind: what it must know of one is a field of `Kind`.

const engine = fileURLToPath(new URL("../../src/state/", import.meta.url));
const files = readdirSync(engine, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !path.startsWith("kinds/"),
);

const read = (path: string) => readFileSync(join(engine, path), "utf8");

/** What a file says apart from comments and imports: a comment may give an example. */
function code(path: string): string {
  return read(path)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1")
    .replace(/^(?:import|\} from) .*$/gm, "");
}

describe("the engine of state names no kind", () => {
  test("in texts", () => {
    const named = new RegExp(`["'\`][^"'\`\\n]*\\b(?:${kinds.map(({ name }) => name).join("|")})s?\\b`);
    const found = files.flatMap((path) =>
      code(path)
        .split("\n")
        .filter((line) => named.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test("in imports: it takes them from their list", () => {
    const found = files.flatMap((path) =>
      [...read(path).matchAll(/"(?:\.\.?\/)+kinds\/([\w-]+)\.ts"/g)].map(([, name]) => `${path}: ${name}`),
    );
    expect(found.filter((each) => !/: (?:index|own-forms)$/.test(each))).toEqual([]);
  });
});

test("what the engine asks of a kind is on the page about adding one", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/adding-a-kind.md", import.meta.url)), "utf8");
  const used = [...new Set(kinds.flatMap((kind) => Object.keys(kind)))];
  const usual = new Set([
    "name",
    "at",
    "form",
    "summary",
    "fromAnswer",
    "ignores",
    "condense",
    "spreads",
    "sentAlong",
    "loses",
  ]);
  expect(used.filter((field) => !usual.has(field) && !page.includes(`\`${field}\``))).toEqual([]);
});

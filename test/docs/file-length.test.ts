import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../src");

/** Lists of facts without statements: the length of one says nothing about how hard it is to read. */
const data = ["api/differences.ts", "api/endpoints/", "settings/hardening.ts", "settings/data/"];

/** The longest file that is read at once, in lines. */
const longest = 250;

test("no source file that is not data is longer than 250 lines", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(600);
  const long = files
    .filter((name) => !data.some((each) => name.startsWith(each)))
    .map((name) => ({ name, lines: readFileSync(join(root, name), "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > longest);
  expect(long).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { differences } from "../../src/api/differences.ts";

const folder = new URL("../e2e/deployed/", import.meta.url);

test("each known difference between documents and instances is a session against --as-deployed", () => {
  const sessions = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const ids = differences.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !sessions.some((text) => text.includes(`"${id}`)))).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { differences } from "../../src/api/differences.ts";

const folder = new URL("../e2e/deployed/", import.meta.url);

/** The sessions of a file, each with the file's first lines. */
function sessionsIn(name: string): string[] {
  const [head, ...tests] = readFileSync(new URL(name, folder), "utf8").split(/^(?=test(?:\.\w+)?\()/m);
  return tests.map((text) => `${text}\n${head}`);
}

test("each known difference between documents and instances has a session against --as-deployed", () => {
  const sessions = readdirSync(folder).flatMap(sessionsIn);
  const ids = differences.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const isPlayed = (id: string) =>
    sessions.some((text) => text.includes(`"${id}`) && text.includes("asDeployed: true"));
  expect(ids.filter((id) => !isPlayed(id))).toEqual([]);
});

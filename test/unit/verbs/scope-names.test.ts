import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requireProjects, scopeNames } from "../../../src/verbs/scope-names.ts";
import { contextFor } from "../../support/context.ts";

async function namesIn(text: string | Uint8Array, typed: readonly string[] = []) {
  const context = contextFor("http://127.0.0.1:1");
  writeFileSync(join(context.folder, "projects.txt"), text);
  return scopeNames(context, typed, "projects.txt");
}

describe("a file of projects", () => {
  test("has one per line, each once; comments and blank lines are skipped", async () => {
    const text = "\ufeffacme/docs\r\n\n# the shop\n  acme/shop\t\nacme/docs\n7";
    expect(await namesIn(text)).toEqual(["acme/docs", "acme/shop", "7"]);
    expect(await namesIn(text, ["7", "8", "8"])).toEqual(["7", "8", "acme/docs", "acme/shop"]);
    expect(await namesIn("# none\n")).toEqual([]);
    expect(await scopeNames(contextFor("http://127.0.0.1:1"))).toEqual([]);
  });

  test.each([
    [
      "a\n\n# x\nacme docs\n",
      'projects.txt:4: "acme docs" is neither an ID nor a path',
      "write one ID or path per line",
    ],
    ["a\nb\tc", 'projects.txt:2: "b\tc" is neither an ID nor a path', "write one ID or path per line"],
    ['"acme/docs"\n', 'projects.txt:1: "acme/docs" is quoted', "write the ID or the path alone"],
    ["a\n'acme docs'\n", "projects.txt:2: 'acme docs' is quoted", "write the ID or the path alone"],
    ["`acme`\n", "projects.txt:1: `acme` is quoted", "write the ID or the path alone"],
  ])("%j is refused with its line", async (text, message, hint) => {
    await expect(namesIn(text)).rejects.toMatchObject({ exit: "usage", message, details: { hint } });
  });
});

test("some project is required: by flag or in the file", async () => {
  const context = contextFor("http://127.0.0.1:1");
  expect(await requireProjects(context, ["7"], undefined)).toEqual(["7"]);
  await expect(requireProjects(context, [], undefined)).rejects.toMatchObject({ exit: "usage" });
});

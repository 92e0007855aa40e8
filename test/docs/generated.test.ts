import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { topics } from "../../src/cli/topics.ts";
import { groups } from "../../src/commands/index.ts";
import { generatedFiles, referenceFolder } from "../../src/reference/files.ts";

const wanted = await generatedFiles(groups, topics);

for (const [path, text] of wanted) {
  test(`${path} is what the commands say now (npm run generate)`, () => {
    expect(readFileSync(path, "utf8")).toBe(text);
  });
}

test("no page is left of a group that is gone (npm run generate)", () => {
  const there = readdirSync(referenceFolder).map((name) => `${referenceFolder}/${name}`);
  expect(there.filter((path) => !wanted.has(path))).toEqual([]);
});

test("every link in the reference leads somewhere", () => {
  const headings = new Map(
    [...wanted].map(([path, text]) => [
      path.replace(`${referenceFolder}/`, ""),
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title.toLowerCase().replaceAll(" ", "-")),
    ]),
  );
  for (const [path, text] of wanted) {
    if (!path.endsWith(".md")) continue;
    for (const [whole, page, anchor = ""] of text.matchAll(/\]\(([\w-]+\.md|)#([^)]*)\)/g)) {
      expect(headings.get(page || path.replace(`${referenceFolder}/`, "")) ?? [], `${path}: ${whole}`).toContain(
        anchor,
      );
    }
  }
});

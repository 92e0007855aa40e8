import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { firstExamples, topics } from "../../src/cli/topics.ts";
import { groups } from "../../src/commands/index.ts";
import { generatedFiles, lastRelease, manualFolder, referenceFolder } from "../../src/reference/files.ts";

const date = lastRelease(readFileSync("CHANGELOG.md", "utf8"));
const wanted = await generatedFiles(groups, { topics, examples: firstExamples, date });

for (const [path, text] of wanted) {
  test(`${path} is up to date with the commands (npm run generate)`, () => {
    expect(readFileSync(path, "utf8")).toBe(text);
  });
}

test("there are no pages of removed groups or commands (npm run generate)", () => {
  const there = [referenceFolder, manualFolder].flatMap((folder) =>
    readdirSync(folder).map((name) => `${folder}/${name}`),
  );
  expect(there.filter((path) => !wanted.has(path))).toEqual([]);
});

test("every link in the reference works", () => {
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

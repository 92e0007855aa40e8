import { expect, test } from "vitest";
import { isInLargeStorage } from "../../src/sandbox/areas/files/attributes.ts";

const rules = `# images
*.psd filter=lfs diff=lfs merge=lfs -text
/raw/*.bin filter=lfs
  *.md text
small.psd -filter
other.psd filter=crypt
`;

test.each([
  ["a.psd", true],
  ["deep/in/a.psd", true],
  ["a.psd.txt", false],
  ["raw/x.bin", true],
  ["x.bin", false],
  ["README.md", false],
  ["deep/small.psd", false],
  ["other.psd", false],
])("%s is in large file storage: %s", (path, isLarge) => {
  expect(isInLargeStorage(rules, path)).toBe(isLarge);
});

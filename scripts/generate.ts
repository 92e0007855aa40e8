// Writes every generated file that is committed: completions, reference, man page. With --check it writes nothing and
// fails if one is stale.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { firstExamples, topics } from "../src/cli/topics.ts";
import { groups } from "../src/commands/index.ts";
import { generatedFiles, lastRelease, manualFolder, referenceFolder } from "../src/reference/files.ts";

const root = process.cwd();
const check = process.argv.includes("--check");

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}

function pagesThere(): string[] {
  return [referenceFolder, manualFolder].flatMap((folder) => {
    mkdirSync(join(root, folder), { recursive: true });
    return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  });
}

const wanted = await generatedFiles(groups, {
  topics,
  examples: firstExamples,
  date: lastRelease(read("CHANGELOG.md")),
});
const stale = [...wanted].filter(([path, text]) => read(path) !== text);
const foreign = pagesThere().filter((path) => !wanted.has(path));

for (const path of [...stale.map(([each]) => each), ...foreign]) console.log(`${check ? "stale" : "written"}: ${path}`);
if (check) {
  if (stale.length + foreign.length > 0) {
    console.log("run: npm run generate");
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of stale) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const path of foreign) rmSync(join(root, path));
}

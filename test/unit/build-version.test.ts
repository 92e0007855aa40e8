import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { buildVersion } from "../../scripts/version.mjs";
import { atTestEnd } from "../support/ending.ts";

let folder: string;
const git = (...words: string[]) => {
  const settings = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...settings, ...words], { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "forgectl-version-"));
  atTestEnd(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "version": "1.2.3" }\n');
});

function commit(): string {
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "one");
  return git("rev-parse", "HEAD").slice(0, 8);
}

test("a snapshot names its commit, also beside files that Git does not know", () => {
  const sha = commit();
  writeFileSync(join(folder, "notes.txt"), "");
  expect(buildVersion(folder)).toBe(`1.2.3+git.${sha}`);
});

test("changed files are said", () => {
  const sha = commit();
  writeFileSync(join(folder, "package.json"), '{"version": "1.2.3"}\n');
  expect(buildVersion(folder)).toBe(`1.2.3+git.${sha}.dirty`);
  git("tag", "v1.2.3");
  expect(buildVersion(folder)).toBe(`1.2.3+git.${sha}.dirty`);
});

test("the tag of the version makes it a release; another tag does not", () => {
  const sha = commit();
  git("tag", "v1.2.2");
  expect(buildVersion(folder)).toBe(`1.2.3+git.${sha}`);
  git("tag", "-a", "v1.2.3", "-m", "release");
  expect(buildVersion(folder)).toBe("1.2.3");
});

test("without a repository, or inside another project's, no commit is named", () => {
  expect(buildVersion(folder)).toBe("1.2.3+unknown");
  commit();
  const inner = join(folder, "inner");
  mkdirSync(inner);
  writeFileSync(join(inner, "package.json"), '{ "version": "1.2.3" }\n');
  expect(buildVersion(inner)).toBe("1.2.3+unknown");
});

// The version of a build: that of package.json for a release, and with the commit for everything else.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The digits of a commit's name in a version. Fixed: Git's own number grows with the repository. */
const digits = 8;

/**
 * `0.1.0` if the tag v0.1.0 is on the commit, otherwise `0.1.0+git.21a0ae09`; with `.dirty` if tracked files differ
 * from the commit, and `0.1.0+unknown` where there is no repository.
 */
export function buildVersion(root) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const commit = commitOf(root);
  if (commit === undefined) return `${version}+unknown`;
  const isDirty = git(root, "status", "--porcelain", "--untracked-files=no") !== "";
  const isRelease = git(root, "tag", "--points-at", "HEAD").split("\n").includes(`v${version}`);
  if (isRelease && !isDirty) return version;
  return `${version}+git.${commit.slice(0, digits)}${isDirty ? ".dirty" : ""}`;
}

/** The full name of the commit, if the folder is a repository's and not merely inside another project's. */
export function commitOf(root) {
  try {
    return git(root, "rev-parse", "--show-prefix") === "" ? git(root, "rev-parse", "HEAD") : undefined;
  } catch {
    return undefined;
  }
}

/** The time of the commit in seconds since 1970. */
export function commitTime(root) {
  return commitOf(root) && Number(git(root, "log", "-1", "--format=%ct"));
}

function git(root, ...words) {
  // Without optional locks: a build must not write to the repository.
  const args = ["--no-optional-locks", ...words];
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

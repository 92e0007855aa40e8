// Shared by the recipes of all artifacts.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../ready.mjs";
import { buildVersion, commitTime } from "../version.mjs";

export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
export const version = buildVersion(root);

/** The build time in all artifacts, in seconds since 1970; fixed, so that builds are reproducible. */
export const epoch = Number(
  // Not a clone: npm's fixed time for files of a package.
  process.env.SOURCE_DATE_EPOCH ?? commitTime(root) ?? 499_162_500,
);

/** An artifact cannot be built here, for the given reason; the others still are. */
export class CannotBuild extends Error {}

/** Runs a program and returns its output. Throws CannotBuild if it is not installed. */
export async function run(command, args, options = {}) {
  try {
    const running = promisify(execFile)(command, args, {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      ...options,
      env: { ...process.env, LC_ALL: "C", TZ: "UTC", SOURCE_DATE_EPOCH: String(epoch), ...options.env },
    });
    running.child.stdin?.end();
    return (await running).stdout;
  } catch (error) {
    if (error.code === "ENOENT") throw new CannotBuild(`${command} is not installed`, { cause: error });
    throw new Error(`${command} ${args.join(" ")} failed: ${error.stderr || error.message}`, { cause: error });
  }
}

/** Modes that do not depend on the umask of the build. */
export async function setModes(tree) {
  await run("chmod", ["-R", "u=rwX,go=rX", tree]);
}

export function digest(algorithm, content, encoding = "hex") {
  return createHash(algorithm).update(content).digest(encoding);
}

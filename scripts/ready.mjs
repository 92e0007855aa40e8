// Prepares a clone: installs missing packages, and builds if stale. Uses only Node, because nothing may be installed
// yet.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildVersion } from "./version.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function ready() {
  if (!isInstalled())
    run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], { env: ownNpm() });
  if (!isBuilt()) run(process.execPath, ["scripts/build.mjs"]);
}

/** The environment for an npm started by another npm's script, without that one's --global and --prefix. */
function ownNpm() {
  const inherited = /^npm_config_(?:global|prefix|local_prefix|omit|location|dry_run)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
}

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    ...options,
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function isInstalled() {
  // A link to the packages of another working tree, which npm would delete.
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  const mark = join(root, "node_modules", ".package-lock.json");
  return existsSync(mark) && modified(mark) >= modified(join(root, "package-lock.json"));
}

function isBuilt() {
  const bundle = join(root, "dist", "main.js");
  const built = join(root, "dist", "version.txt");
  if (!existsSync(bundle) || !existsSync(built)) return false;
  if (readFileSync(built, "utf8").trim() !== buildVersion(root)) return false;
  const sources = [
    ...filesBelow(join(root, "src")),
    join(root, "package.json"),
    ...["build.mjs", "patches.mjs", "version.mjs"].map((name) => join(root, "scripts", name)),
  ];
  return sources.every((file) => modified(file) <= modified(bundle));
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function modified(path) {
  return statSync(path).mtimeMs;
}

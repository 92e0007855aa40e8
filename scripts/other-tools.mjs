// `node scripts/other-tools.mjs node@24`: the folder with the programs of another version of Node or npm, which are
// ordinary packages. They are installed once, in the user's cache folder.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const store = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "forgectl-test");

/** Throws if the package is neither in the cache nor can be fetched. */
export function toolFolder(name) {
  const folder = join(store, name.replace("@", "-"));
  const programs = join(folder, "node_modules", ".bin");
  if (existsSync(programs)) return programs;
  mkdirSync(store, { recursive: true });
  const fresh = mkdtempSync(join(store, ".new-"));
  try {
    writeFileSync(join(fresh, "package.json"), '{ "private": true }\n');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", name], {
      cwd: fresh,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 180_000,
    });
    if (!existsSync(folder)) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return programs;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(toolFolder(process.argv[2]));

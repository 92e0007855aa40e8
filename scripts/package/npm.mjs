// The npm package, built by `npm pack` from a folder of its own: the bundle, whose only dependency is the optional
// keyring, with a manifest for its users. Development dependencies and scripts of the clone would be warned about.
import { cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../ready.mjs";
import { manifest, run, setModes, version } from "./base.mjs";

const { name, description, keywords, homepage, bugs, repository, license } = manifest;
const { type, bin, engines, optionalDependencies } = manifest;

/** What is in dist/ for this machine's Node only. */
const own = join(root, "dist", "compiled");

export async function npmPackage(out, work) {
  const folder = join(work, "npm");
  for (const path of manifest.files.filter((each) => !each.startsWith("!"))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => from !== own });
  }
  const about = { name, version, description, keywords, homepage, bugs, repository, license };
  const forUsers = { ...about, type, bin, files: readdirSync(folder), engines, optionalDependencies };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(forUsers, null, 2)}\n`);
  if (process.platform !== "win32") await setModes(folder);
  const words = ["pack", folder, "--pack-destination", out, "--silent", "--loglevel=error"];
  const packed = (await run("npm", words, { shell: process.platform === "win32" })).trim();
  const file = join(out, `forgectl-${version}.tgz`);
  // npm leaves the commit out of the name.
  renameSync(join(out, packed), file);
  return file;
}

// The npm package, built by `npm pack`: the bundle, whose only dependency is the optional keyring.
import { join } from "node:path";
import { run, version } from "./base.mjs";

export async function npmPackage(out) {
  await run("npm", ["pack", "--pack-destination", out, "--ignore-scripts", "--silent", "--loglevel=error"], {
    shell: process.platform === "win32",
  });
  return join(out, `forgectl-${version}.tgz`);
}

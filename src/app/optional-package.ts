import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Loads a package with a scope that need not be installed, and its parts for each system beside it. Node looks for them
 * in every `node_modules` above the program, as in one that another user made in /tmp, and in the home folder: code
 * that neither this user, nor root, nor the one who installed the program put there is not run. Throws then, and if the
 * package is not installed.
 */
export function requireOptional(host: NodeJS.Process, program: string, name: string): unknown {
  const own = host.getBuiltinModule("node:module").createRequire(`${program}/main.js`);
  const user = host.geteuid?.();
  if (user !== undefined) {
    const owners = new Set([0, user, ownerOf(program)]);
    for (const folder of own.resolve.paths(name) ?? []) {
      const { paths, isComplete } = partsIn(folder, name);
      const foreign = paths.find((path) => !owners.has(ownerOf(path)));
      if (foreign !== undefined) throw new Error(`${foreign} belongs to another user`);
      if (isComplete) break;
    }
  }
  return own(name);
}

/** The paths through which a folder of packages gives a package or its parts, and whether it has both. */
function partsIn(folder: string, name: string): { paths: readonly string[]; isComplete: boolean } {
  const [scope = "", base = ""] = name.split("/");
  const scoped = join(folder, scope);
  const isPart = (each: string) => each === base || each.startsWith(`${base}-`);
  const names = namesIn(scoped);
  const found = names?.filter(isPart) ?? [];
  // What cannot be listed can be loaded nevertheless.
  const isThere = found.length > 0 || (names === undefined && ownerOf(scoped) !== undefined);
  const paths = isThere ? [folder, scoped, ...found.map((each) => join(scoped, each))] : [];
  return { paths, isComplete: found.includes(base) && found.length > 1 };
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}

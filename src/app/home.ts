import { isAbsolute } from "node:path";

/** In place of a home folder: nothing can be stored below it. */
export const noHome = "/dev/null";

/**
 * The home folder, from the environment if set there, so that `os` is not loaded for it. What is in a relative one
 * depends on the current folder: the system's is taken instead, and without one nothing is stored.
 */
export function homeOf(host: NodeJS.Process): string {
  const named = host.platform === "win32" ? undefined : host.env.HOME;
  if (named && isAbsolute(named)) return named;
  const { homedir, userInfo } = host.getBuiltinModule("node:os");
  const found = host.platform === "win32" ? homedir() : inPasswordFile(userInfo);
  return isAbsolute(found) ? found : noHome;
}

/** A container may run a user that has no entry. */
function inPasswordFile(userInfo: () => { homedir: string }): string {
  try {
    return userInfo().homedir;
  } catch {
    return noHome;
  }
}

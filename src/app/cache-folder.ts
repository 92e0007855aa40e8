import { isAbsolute, join } from "node:path";
import type { Environment } from "../host.ts";

/**
 * The user's own folder for what can be had again: Node's default for compiled code is a folder that all users of a
 * machine share. A relative one would be whatever folder the program is started in.
 */
export function cacheFolder(env: Environment): string | undefined {
  const caches = [env.XDG_CACHE_HOME, env.LOCALAPPDATA, env.HOME && join(env.HOME, ".cache")];
  const folder = caches.find((path) => path && isAbsolute(path));
  return folder && join(folder, "forgectl");
}

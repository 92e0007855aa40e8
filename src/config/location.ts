import { posix, win32 } from "node:path";
import { UsageError } from "../base/errors.ts";
import type { Environment } from "../host.ts";

interface Machine {
  /** The user's home folder. */
  home: string;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: string;
}

/** A folder of this program's, and the named one, such as the home folder, that it was found in. */
export interface Place {
  readonly path: string;
  /** Undefined if the path itself was named. */
  readonly foundIn: string | undefined;
}

/** The folder of the profiles: `FORGECTL_CONFIG_DIR`, or the system's default. */
export function configFolder(env: Environment, machine: Machine): Place {
  const { isAbsolute } = pathsOf(machine);
  if (env.FORGECTL_CONFIG_DIR) return named("FORGECTL_CONFIG_DIR", env.FORGECTL_CONFIG_DIR, isAbsolute);
  const below = belowIn(machine);
  // The XDG specification requires relative paths to be ignored.
  if (env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME)) return below(env.XDG_CONFIG_HOME, "forgectl");
  if (machine.platform === "win32") {
    return env.APPDATA ? below(env.APPDATA, "forgectl") : below(machine.home, "AppData", "Roaming", "forgectl");
  }
  if (machine.platform === "darwin") return below(machine.home, "Library", "Application Support", "forgectl");
  return below(machine.home, ".config", "forgectl");
}

/** `FORGECTL_STATE_DIR`, or the system's default folder for application state. */
export function stateFolder(env: Environment, machine: Machine): Place {
  const { isAbsolute } = pathsOf(machine);
  if (env.FORGECTL_STATE_DIR) return named("FORGECTL_STATE_DIR", env.FORGECTL_STATE_DIR, isAbsolute);
  const below = belowIn(machine);
  if (env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME)) return below(env.XDG_STATE_HOME, "forgectl");
  if (machine.platform === "win32") {
    const local = env.LOCALAPPDATA;
    return local ? below(local, "forgectl", "state") : below(machine.home, "AppData", "Local", "forgectl", "state");
  }
  if (machine.platform === "darwin") return below(machine.home, "Library", "Application Support", "forgectl", "state");
  return below(machine.home, ".local", "state", "forgectl");
}

function pathsOf({ platform }: Machine) {
  return platform === "win32" ? win32 : posix;
}

function belowIn(machine: Machine) {
  const { join } = pathsOf(machine);
  return (foundIn: string, ...names: string[]): Place => ({ path: join(foundIn, ...names), foundIn });
}

/** What is in a relative folder depends on the current one, such as a checkout. */
function named(name: string, path: string, isAbsolute: (path: string) => boolean): Place {
  if (isAbsolute(path)) return { path, foundIn: undefined };
  throw new UsageError(`${name}: ${JSON.stringify(path)} is not an absolute path`, { code: "bad_value" });
}

import { posix, win32 } from "node:path";
import { UsageError } from "../base/errors.ts";
import type { Environment } from "../host.ts";

interface Machine {
  /** The user's home folder. */
  home: string;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: string;
}

/** The folder of the profiles: `FORGECTL_CONFIG_DIR`, or the system's default. */
export function configFolder(env: Environment, machine: Machine): string {
  const { join, isAbsolute } = machine.platform === "win32" ? win32 : posix;
  if (env.FORGECTL_CONFIG_DIR) return absolute("FORGECTL_CONFIG_DIR", env.FORGECTL_CONFIG_DIR, isAbsolute);
  // The XDG specification requires relative paths to be ignored.
  if (env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME)) return join(env.XDG_CONFIG_HOME, "forgectl");
  if (machine.platform === "win32") return join(env.APPDATA || join(machine.home, "AppData", "Roaming"), "forgectl");
  if (machine.platform === "darwin") return join(machine.home, "Library", "Application Support", "forgectl");
  return join(machine.home, ".config", "forgectl");
}

/** `FORGECTL_STATE_DIR`, or the system's default folder for application state. */
export function stateFolder(env: Environment, machine: Machine): string {
  const { join, isAbsolute } = machine.platform === "win32" ? win32 : posix;
  if (env.FORGECTL_STATE_DIR) return absolute("FORGECTL_STATE_DIR", env.FORGECTL_STATE_DIR, isAbsolute);
  if (env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME)) return join(env.XDG_STATE_HOME, "forgectl");
  if (machine.platform === "win32") {
    return join(env.LOCALAPPDATA || join(machine.home, "AppData", "Local"), "forgectl", "state");
  }
  if (machine.platform === "darwin") return join(machine.home, "Library", "Application Support", "forgectl", "state");
  return join(machine.home, ".local", "state", "forgectl");
}

/** What is in a relative folder depends on the current one, such as a checkout. */
function absolute(name: string, path: string, isAbsolute: (path: string) => boolean): string {
  if (isAbsolute(path)) return path;
  throw new UsageError(`${name}: ${JSON.stringify(path)} is not an absolute path`, { code: "bad_value" });
}

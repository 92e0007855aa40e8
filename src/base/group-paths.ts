import { withoutEnd } from "./without-end.ts";

/** No path of the platform is longer: one that is may have a group for each of its slashes. */
const maxPath = 1000;

/** Groups have twenty levels at most; with a margin, and the project. */
const maxLevels = 50;

/** Whether the platform can have such a path: the costs of another one would grow faster than its length. */
export function isPossiblePath(path: string): boolean {
  return path.length <= maxPath && path.split("/", maxLevels + 1).length <= maxLevels;
}

/** The paths of the groups above a project or a group, the topmost first. */
export function* groupsAbove(path: string): Generator<string> {
  for (let at = path.indexOf("/"); at > 0 && at < maxPath; at = path.indexOf("/", at + 1)) yield path.slice(0, at);
}

/** Whether a project or a group is below a group, at any depth. Paths ignore case. */
export function isBelow(path: string, group: string): boolean {
  return path.toLowerCase().startsWith(`${group.toLowerCase()}/`);
}

/** Whether a request reads a name as an ID. The path of a group at the top may be one too: `2026`. */
export function isId(name: string): boolean {
  return /^\d+$/.test(name);
}

/** Whether what a user typed for a project or group is an ID, be it with spaces around it, or slashes at its end. */
export function isTypedId(text: string): boolean {
  return isId(withoutEnd(text.trim(), /\//));
}

/** How requests name a group: by its path, or by its ID if they would read the path as the ID of another one. */
export function nameInRequests({ id, path }: { readonly id: number | undefined; readonly path: string }): string {
  return isId(path) && id !== undefined ? String(id) : path;
}

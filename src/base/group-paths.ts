/** No path of the platform is longer: one that is may have a group for each of its slashes. */
export const maxPath = 1000;

/** The paths of the groups above a project or a group, the topmost first. */
export function* groupsAbove(path: string): Generator<string> {
  for (let at = path.indexOf("/"); at > 0 && at < maxPath; at = path.indexOf("/", at + 1)) yield path.slice(0, at);
}

/** Whether a project or a group is below a group, at any depth. Paths ignore case. */
export function isBelow(path: string, group: string): boolean {
  return path.toLowerCase().startsWith(`${group.toLowerCase()}/`);
}

/** No path of the platform is longer: one that is may have a group for each of its slashes. */
export const maxPath = 1000;

/** The paths of the groups above a project or a group, the topmost first. */
export function* groupsAbove(path: string): Generator<string> {
  for (let at = path.indexOf("/"); at > 0 && at < maxPath; at = path.indexOf("/", at + 1)) yield path.slice(0, at);
}

/** Whether a path is one that a shell passes: `<(command)`, stdin, an empty file. Opening these does not block. */
export function isSpecial(path: string): boolean {
  return /^\/(?:dev|proc)\/(?!shm\/)/.test(path);
}

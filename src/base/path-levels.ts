const most = 2048;

/** Whether a path has more levels than one of any system: to look up each of them costs the square of their number. */
export function isTooDeep(path: string): boolean {
  return path.split("/", most + 1).length > most;
}

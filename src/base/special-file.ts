/** Whether a path is one that a shell passes: `<(command)`, stdin, an empty file. Opening these does not block. */
export function isSpecial(path: string): boolean {
  return /^\/(?:dev|proc)\/(?!shm\/)/.test(path);
}

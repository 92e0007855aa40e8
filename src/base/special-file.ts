/**
 * Whether a path is one that a shell passes: `<(command)`, stdin, an empty file. Opening these does not block. What is
 * in an open folder is not.
 */
export function isSpecial(path: string): boolean {
  return /^\/(?:dev\/(?!shm\/|fd\/\d+\/)|proc\/(?![^/]+\/(?:cwd|root|fd\/\d+)\/))/.test(path);
}

const stdinNames: ReadonlySet<string> = new Set(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

/** Whether a name of a file is that of stdin. */
export function isStdin(name: string): boolean {
  return stdinNames.has(name);
}

const stdoutNames: ReadonlySet<string> = new Set(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]);

/** Whether `-O` names stdout, in any form: no record is then printed after the bytes. */
export function isStdout(output: string | undefined): boolean {
  return output !== undefined && stdoutNames.has(output);
}

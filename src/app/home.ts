/** The home folder, from the environment if set there, so that `os` is not loaded for it. */
export function homeOf(host: NodeJS.Process): string {
  const told = host.platform === "win32" ? undefined : host.env.HOME;
  return told || host.getBuiltinModule("node:os").homedir();
}

/** As `os.homedir` has it, which need not be loaded where the environment says it. */
export function homeOf(host: NodeJS.Process): string {
  const told = host.platform === "win32" ? undefined : host.env.HOME;
  return told || host.getBuiltinModule("node:os").homedir();
}

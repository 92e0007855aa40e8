import { spawn } from "node:child_process";

/**
 * Runs this program in a second process: without a terminal, so that nothing it starts can prompt, and detached, so
 * that it may outlive this one. Resolves once it has ended, or after that many milliseconds.
 */
export function runDetached(host: NodeJS.Process, args: readonly string[], ms: number): Promise<void> {
  const [, script = ""] = host.argv;
  // A single executable takes no script argument.
  const isOneFile = host.getBuiltinModule("node:sea")?.isSea() === true;
  const own = isOneFile ? [] : [...host.execArgv, script];
  return new Promise((resolve) => {
    const child = spawn(host.execPath, [...own, ...args], {
      cwd: host.cwd(),
      env: host.env,
      stdio: "ignore",
      detached: true,
      windowsHide: true,
    });
    const timer = setTimeout(done, Math.max(0, ms));
    function done(): void {
      clearTimeout(timer);
      child.unref();
      resolve();
    }
    child.on("error", done);
    child.on("exit", done);
  });
}

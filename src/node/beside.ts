import { spawn } from "node:child_process";

/**
 * Runs this program once more, beside this process: without a terminal, so that nothing it starts can ask anything, and
 * free to go on when this process has ended. Resolves once it has ended, at the latest after so many milliseconds.
 */
export function runBeside(host: NodeJS.Process, args: readonly string[], ms: number): Promise<void> {
  const [, script = ""] = host.argv;
  // Where program and Node are one file, it is its own script.
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

import { execFileSync } from "node:child_process";

/** Whether a shell is installed; warns if it is not, so that a skipped test does not look like a passed one. */
export function hasShell(name: string): boolean {
  try {
    execFileSync(name, ["-c", "exit 0"], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write(
      `SKIPPED: ${name} is not installed; its completion was not tested (apt-get install ${name})\n`,
    );
    return false;
  }
}

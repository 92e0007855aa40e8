import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const enough = 4 * 2 ** 30;

/**
 * Runs once, before all tests: their temporary folders are in memory where that is possible. Making a small file on a disk
 * takes up to twenty times longer, and some tests make thousands.
 */
export function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !canHold()) return undefined;
  const folder = mkdtempSync(join(memory, "forgectl-tests-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** In containers it is often small, and programs in it cannot be executed. */
function canHold(): boolean {
  if (process.platform !== "linux") return false;
  const options = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync("/proc/mounts", "utf8"))?.[1]?.split(",") ?? [];
  if (!options.includes("rw") || options.includes("noexec")) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enough;
}

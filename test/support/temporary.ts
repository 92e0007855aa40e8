import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const sharedMemory = "/dev/shm";
const minFreeBytes = 4 * 2 ** 30;
const prefix = "forgectl-tests-";

/**
 * Runs once, before all tests: their temporary folders are in memory where that is possible. Making a small file on a
 * disk takes up to twenty times longer, and some tests make thousands. FORGECTL_TEST_DISK is the folder for large
 * files, and FORGECTL_TEST_BEGUN one with a file for each group of commands that was run as a process (session.ts).
 */
export function setup(): () => void {
  process.env.FORGECTL_TEST_DISK = tmpdir();
  const folder = process.env.TMPDIR === undefined ? folderInMemory() : undefined;
  if (folder !== undefined) process.env.TMPDIR = folder;
  const begun = mkdtempSync(join(tmpdir(), "forgectl-begun-"));
  process.env.FORGECTL_TEST_BEGUN = begun;
  const remove = () => rmSync(folder ?? begun, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", remove);
  return remove;
}

/** Returns undefined if it is not possible: then they are on the disk. */
function folderInMemory(): string | undefined {
  try {
    removeLeftovers();
    return canHold() ? mkdtempSync(join(sharedMemory, `${prefix}${process.pid}-`)) : undefined;
  } catch {
    return undefined;
  }
}

/** A killed run cannot remove its folder. */
function removeLeftovers(): void {
  for (const name of readdirSync(sharedMemory)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(sharedMemory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** In containers it is often small, it counts as memory of the container, and programs in it cannot be executed. */
function canHold(): boolean {
  if (process.platform !== "linux") return false;
  const options = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync("/proc/mounts", "utf8"))?.[1]?.split(",") ?? [];
  if (!options.includes("rw") || options.includes("noexec")) return false;
  // Zero, or more than there is, without a limit.
  const limit = process.constrainedMemory();
  if (limit !== 0 && limit < 2 * minFreeBytes) return false;
  const { bavail, bsize } = statfsSync(sharedMemory);
  return bavail * bsize >= minFreeBytes;
}

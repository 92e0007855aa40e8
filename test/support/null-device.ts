import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./ending.ts";

/**
 * The path of a device like /dev/null for one test, which cannot be replaced: a program that is broken, as a mutant
 * is, would replace the machine's own by a file if the tests run as root.
 */
export function nullDevice(): string {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-device-"));
  const handle = openSync(made(join(folder, "null")) ?? "/dev/null", "r+");
  atEnd(() => {
    closeSync(handle);
    rmSync(folder, { recursive: true, force: true });
  });
  return `/dev/fd/${handle}`;
}

/** A device at a path; undefined if this user, or the file system, may have none. */
function made(path: string): string | undefined {
  try {
    execFileSync("mknod", [path, "c", "1", "3"], { stdio: "ignore" });
    writeFileSync(path, "");
    return path;
  } catch {
    return undefined;
  }
}

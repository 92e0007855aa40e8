import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./ending.ts";

/**
 * A device like /dev/null for one test file, or /dev/null itself where none can be made: a program that is broken, as
 * a mutant is, would replace the machine's own by a file if the tests run as root.
 */
export function nullDevice(): string {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-device-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "null");
  try {
    execFileSync("mknod", [path, "c", "1", "3"], { stdio: "ignore" });
    // A file system may have devices that cannot be opened.
    writeFileSync(path, "");
    return path;
  } catch {
    return "/dev/null";
  }
}

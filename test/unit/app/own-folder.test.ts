import { chmodSync, existsSync, mkdirSync, mkdtempSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../../../src/app/own-folder.ts";

const user = process.geteuid?.();

describe.skipIf(user === undefined)("a folder of caches", () => {
  const homeWith = (mode: number) => {
    const home = mkdtempSync(join(tmpdir(), "forgectl-home-"));
    chmodSync(home, mode);
    return home;
  };
  const make = (home: string) => makeFolder(join(home, ".cache", "forgectl"), 2, { user, home });

  test("is made for this user alone", () => {
    const home = homeWith(0o755);
    make(home);
    expect(statSync(join(home, ".cache", "forgectl")).mode & 0o777).toBe(0o700);
  });

  test("is not used where others can write, also when it is new", () => {
    expect(() => make(homeWith(0o1777))).toThrow("can be written by others");
  });

  test("is not used through another folder that others can write to", () => {
    const home = homeWith(0o755);
    const other = homeWith(0o777);
    mkdirSync(join(other, "caches"));
    symlinkSync(join(other, "caches"), join(home, ".cache"));
    expect(() => make(home)).toThrow("can be written by others");
    expect(existsSync(join(other, "caches", "forgectl"))).toBe(false);
  });
});

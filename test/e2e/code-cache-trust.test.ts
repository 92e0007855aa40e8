import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { foreign, good, identitiesIn, keptIn, storingUser } from "../support/code-cache.ts";
import { session } from "../support/session.ts";

// Whose compiled code is run, and where it is stored; test/e2e/code-cache.test.ts has what depends on the Node.

const isRoot = process.geteuid?.() === 0;

describe("compiled code", async () => {
  const { user, fresh, caching } = await storingUser();
  let caches: string;
  let get: ReturnType<typeof caching>["get"];
  beforeEach(() => {
    ({ caches, get } = caching());
  });

  it("of an earlier version is removed after a month", async () => {
    await get();
    const folder = join(keptIn(caches)[0] ?? "", "..");
    const index = join(folder, "index");
    const day = 86_400_000;
    const lines = [29, 31].map((days) => {
      writeFileSync(join(folder, `run-${days}-days.js`), "compiled", { mode: 0o600 });
      return `run-${days}-days.js 1:${Date.now() - days * day}000000:8:0\n`;
    });
    writeFileSync(index, readFileSync(index, "latin1") + lines.join(""));
    // Another command stores other chunks.
    const list = await user.run("envs", "list", "-p", "1", "--quiet", { env: { ...foreign, XDG_CACHE_HOME: caches } });
    expect(list.code).toBe(0);
    const left = readdirSync(folder).filter((file) => file.startsWith("run-") && file.endsWith("-days.js"));
    expect(left).toEqual(["run-29-days.js"]);
    expect(readFileSync(index, "latin1")).not.toContain("run-31-days.js");
    expect(await get()).toEqual(good);
  });

  it("behind a link or a pipe is not read", async () => {
    await get();
    const before = keptIn(caches);
    for (const [at, file] of before.entries()) {
      if (at % 2 === 0) execFileSync("sh", ["-c", 'rm "$1"; mkfifo -m 600 "$1"', "sh", file]);
      else {
        renameSync(file, `${caches}/${at}`);
        symlinkSync(`${caches}/${at}`, file);
      }
    }
    expect(await get()).toEqual(good);
    expect(keptIn(caches).map((file) => lstatSync(file).isFile())).toEqual(before.map(() => true));
  });

  it("copied from elsewhere with its index is not run", async () => {
    await get();
    const elsewhere = fresh();
    cpSync(caches, elsewhere, { recursive: true, preserveTimestamps: true });
    execFileSync("sh", [
      "-c",
      'find "$1" -type d -exec chmod 700 {} + ; find "$1" -type f -exec chmod 600 {} +',
      "sh",
      elsewhere,
    ]);
    const before = identitiesIn(elsewhere);
    expect(await get({ XDG_CACHE_HOME: elsewhere })).toEqual(good);
    expect(identitiesIn(elsewhere).some((each) => before.includes(each))).toBe(false);
  });

  it("is neither read nor stored if others can write to its folders", async () => {
    await get();
    for (const file of keptIn(caches)) truncateSync(file, 0);
    const before = identitiesIn(caches);
    for (const open of ["forgectl", "forgectl/code", "."]) {
      const { mode } = statSync(join(caches, open));
      chmodSync(join(caches, open), 0o777);
      expect(await get(), open).toEqual(good);
      expect(identitiesIn(caches), open).toEqual(before);
      chmodSync(join(caches, open), mode);
    }
    const empty = fresh();
    mkdirSync(empty);
    chmodSync(empty, 0o777);
    expect(await get({ XDG_CACHE_HOME: empty })).toEqual(good);
    expect(readdirSync(empty)).toEqual([]);
  });

  it("in a relative folder is ignored: it could come from any checkout", async () => {
    const checkout = fresh();
    await get();
    cpSync(caches, join(checkout, ".cache"), { recursive: true });
    for (const file of keptIn(join(checkout, ".cache"))) truncateSync(file, 0);
    const before = identitiesIn(join(checkout, ".cache"));
    const home = fresh();
    mkdirSync(home);
    const { code } = await user.run("users", "me", {
      cwd: checkout,
      env: { ...foreign, XDG_CACHE_HOME: ".cache", HOME: home },
    });
    expect([code, identitiesIn(join(checkout, ".cache"))]).toEqual([0, before]);
    expect(keptIn(join(home, ".cache")).length).toBeGreaterThan(0);
  });

  it.runIf(isRoot)("written by another user is not run", async () => {
    await get();
    for (const file of keptIn(caches)) chownSync(file, 12_345, 12_345);
    expect(await get()).toEqual(good);
    for (const file of keptIn(caches)) expect(statSync(file).uid).toBe(0);
  });

  it.runIf(isRoot)("is not stored in another user's home folder, as of `sudo -E`", async () => {
    chownSync(caches, 12_345, 12_345);
    expect(await get({ XDG_CACHE_HOME: undefined, HOME: caches })).toEqual(good);
    expect(readdirSync(caches)).toEqual([]);
  });

  it("is skipped if it cannot be stored", async () => {
    writeFileSync(join(caches, "forgectl"), "a file in the way");
    expect(await get()).toEqual(good);
    expect(await get({ XDG_CACHE_HOME: "/proc/nowhere" })).toEqual(good);
    expect(await get({ XDG_CACHE_HOME: undefined, HOME: undefined })).toEqual(good);
    expect(await get({ XDG_CACHE_HOME: undefined, HOME: join(caches, "missing") })).toEqual(good);
    expect(existsSync(join(caches, "missing"))).toBe(false);
  });

  it("that cannot be moved into place leaves no temporary file", async () => {
    await get();
    const before = keptIn(caches);
    expect(before).not.toEqual([]);
    for (const file of before) {
      rmSync(file);
      mkdirSync(file);
    }
    expect(await get()).toEqual(good);
    expect(keptIn(caches)).toEqual(before);
  });

  it("is not stored by help, by the version, or by a failure", async () => {
    const nobody = session({ ...foreign, XDG_CACHE_HOME: caches });
    expect((await nobody.run("--help")).code).toBe(0);
    expect((await nobody.run("users", "list", "-h")).code).toBe(0);
    expect((await nobody.run("--version")).code).toBe(0);
    expect((await nobody.run("users", "list")).code).toBe(2);
    expect(existsSync(join(caches, "forgectl"))).toBe(false);
  });
});

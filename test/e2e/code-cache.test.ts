import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { atEnd } from "../support/ending.ts";
import { node, sandboxSession, session } from "../support/session.ts";

const isRoot = process.geteuid?.() === 0;
const root = mkdtempSync(join(tmpdir(), "forgectl-code-"));
atEnd(() => {
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true, force: true });
});

/**
 * With other flags V8 rejects the code that the build compiled, as in a package that another Node built. Since Node 24,
 * those for the sizes of memory are not among them.
 */
const foreign = { NODE_OPTIONS: "--stack-trace-limit=11" };

it.runIf(node === process.execPath)(
  "compiled code from the build of this Node is used, and nothing is stored",
  async () => {
    const caches = join(root, "unused");
    mkdirSync(caches);
    const user = await sandboxSession();
    const run = (env = {}) =>
      user.run("users", "me", "--jq", ".username", { env: { XDG_CACHE_HOME: caches, ...env }, asProcess: true });
    expect(await run()).toEqual({ code: 0, stdout: "root\n", stderr: "" });
    expect(readdirSync(caches)).toEqual([]);
    expect((await run(foreign)).code).toBe(0);
    expect(readdirSync(caches)).toEqual(["forgectl"]);
  },
);

describe("compiled code", async () => {
  const user = await sandboxSession();
  let caches: string;
  let count = 0;

  beforeEach(() => {
    caches = join(root, String(++count));
    mkdirSync(caches);
  });

  const get = (env = {}) =>
    user.run("users", "get", "astrid.dlamini", "-o", "json", "--fields", "username", {
      env: { ...foreign, XDG_CACHE_HOME: caches, ...env },
    });
  const good = { code: 0, stdout: '{\n  "username": "astrid.dlamini"\n}\n', stderr: "" };
  const kept = (root = caches) => {
    const code = join(root, "forgectl", "code");
    const files = readdirSync(code).flatMap((version) =>
      readdirSync(join(code, version)).map((file) => join(code, version, file)),
    );
    return files.filter((file) => !file.endsWith("/index"));
  };
  const identities = (root = caches) => kept(root).map((file) => `${statSync(file).ino} ${statSync(file).mtimeMs}`);

  it("is stored by a run, for this user only, and used by the next", async () => {
    expect(await get()).toEqual(good);
    const first = identities();
    expect(kept().some((file) => /\/v\d+\.\d+\.\d+-\w+\/transport-[\w-]+\.js$/.test(file))).toBe(true);
    for (const file of kept()) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(caches, "forgectl")).mode & 0o777).toBe(0o700);
    expect(await get()).toEqual(good);
    expect(identities()).toEqual(first);
  });

  it.each<[string, (file: string) => void]>([
    ["is empty", (file) => truncateSync(file, 0)],
    ["is three bytes long", (file) => truncateSync(file, 3)],
    ["others can write", (file) => chmodSync(file, 0o666)],
    ["others can read", (file) => chmodSync(file, 0o644)],
    ["has another name, too", (file) => linkSync(file, `${root}/${++count}`)],
    ["is cut off", (file) => truncateSync(file, statSync(file).size >> 1)],
    ["has one byte wrong", (file) => writeFileSync(file, withByteWrong(readFileSync(file), 104))],
    ["is of something else", (file) => writeFileSync(file, "not compiled at all")],
  ])("that %s is compiled again", async (_, damage) => {
    await get();
    const whole = kept().map((file) => readFileSync(file).length);
    const before = identities();
    expect(before).not.toEqual([]);
    for (const file of kept()) damage(file);
    expect(await get()).toEqual(good);
    expect(identities().every((inode, index) => inode !== before[index])).toBe(true);
    expect(
      kept()
        .map((file) => readFileSync(file).length)
        .every((size, index) => size > (whole[index] ?? 0) / 2),
    ).toBe(true);
  });

  it("of an earlier version is removed after a month", async () => {
    await get();
    const folder = join(kept()[0] ?? "", "..");
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

  it("corrupted on disk is compiled again, and does not crash the program", async () => {
    await get();
    const before = identities();
    const index = join(kept()[0] ?? "", "../index");
    const lines = readFileSync(index, "latin1").split("\n");
    for (const file of kept()) {
      // A failing disk changes bytes without changing times, which a test cannot do: the index gets the new time
      // instead.
      writeFileSync(file, withByteWrong(readFileSync(file), readFileSync(file).length >> 1));
      const { ino, ctimeNs, size } = statSync(file, { bigint: true });
      const at = lines.findIndex((line) => line.startsWith(`${basename(file)} `));
      lines[at] = (lines[at] ?? "").replace(/ \d+:\d+:\d+/, ` ${ino}:${ctimeNs}:${size}`);
    }
    writeFileSync(index, lines.join("\n"));
    expect(await get()).toEqual(good);
    expect(identities().every((inode, at) => inode !== before[at])).toBe(true);
  });

  it("behind a link or a pipe is not read", async () => {
    await get();
    const before = kept();
    for (const [at, file] of before.entries()) {
      if (at % 2 === 0) execFileSync("sh", ["-c", 'rm "$1"; mkfifo -m 600 "$1"', "sh", file]);
      else {
        renameSync(file, `${caches}/${at}`);
        symlinkSync(`${caches}/${at}`, file);
      }
    }
    expect(await get()).toEqual(good);
    expect(kept().map((file) => lstatSync(file).isFile())).toEqual(before.map(() => true));
  });

  it("copied from elsewhere with its index is not run", async () => {
    await get();
    const elsewhere = join(root, String(++count));
    cpSync(caches, elsewhere, { recursive: true, preserveTimestamps: true });
    execFileSync("sh", [
      "-c",
      'find "$1" -type d -exec chmod 700 {} + ; find "$1" -type f -exec chmod 600 {} +',
      "sh",
      elsewhere,
    ]);
    const before = identities(elsewhere);
    expect(await get({ XDG_CACHE_HOME: elsewhere })).toEqual(good);
    expect(identities(elsewhere).some((each) => before.includes(each))).toBe(false);
  });

  it.each(["forgectl", "forgectl/code", "."])("is neither read nor stored if others can write to %s", async (open) => {
    await get();
    for (const file of kept()) truncateSync(file, 0);
    const before = identities();
    chmodSync(join(caches, open), 0o777);
    expect(await get()).toEqual(good);
    expect(identities()).toEqual(before);
    const fresh = join(root, String(++count));
    mkdirSync(fresh);
    chmodSync(fresh, 0o777);
    expect(await get({ XDG_CACHE_HOME: fresh })).toEqual(good);
    expect(readdirSync(fresh)).toEqual([]);
  });

  it("in a relative folder is ignored: it could come from any checkout", async () => {
    const checkout = join(root, String(++count));
    await get();
    cpSync(caches, join(checkout, ".cache"), { recursive: true });
    for (const file of kept(join(checkout, ".cache"))) truncateSync(file, 0);
    const before = identities(join(checkout, ".cache"));
    const home = join(root, String(++count));
    mkdirSync(home);
    const { code } = await user.run("users", "me", {
      cwd: checkout,
      env: { ...foreign, XDG_CACHE_HOME: ".cache", HOME: home },
    });
    expect([code, identities(join(checkout, ".cache"))]).toEqual([0, before]);
    expect(kept(join(home, ".cache")).length).toBeGreaterThan(0);
  });

  it.runIf(isRoot)("written by another user is not run", async () => {
    await get();
    for (const file of kept()) chownSync(file, 12_345, 12_345);
    expect(await get()).toEqual(good);
    for (const file of kept()) expect(statSync(file).uid).toBe(0);
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
    const before = kept();
    expect(before).not.toEqual([]);
    for (const file of before) {
      rmSync(file);
      mkdirSync(file);
    }
    expect(await get()).toEqual(good);
    expect(kept()).toEqual(before);
  });

  it("is skipped if Node is set to keep none", async () => {
    expect(await get({ NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual(good);
    expect(existsSync(join(caches, "forgectl"))).toBe(false);
  });

  it("is not stored by help, by the version, or by a failure", async () => {
    const nobody = session({ ...foreign, XDG_CACHE_HOME: caches });
    expect((await nobody.run("--help")).code).toBe(0);
    expect((await nobody.run("users", "list", "-h")).code).toBe(0);
    expect((await nobody.run("--version")).code).toBe(0);
    expect((await nobody.run("users", "list")).code).toBe(2);
    expect(existsSync(join(caches, "forgectl"))).toBe(false);
  });

  it("can be stored by many runs at once", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => get()));
    expect(all).toEqual(Array(8).fill(good));
    expect(kept().filter((file) => !file.endsWith(".js"))).toEqual([]);
    expect(await get()).toEqual(good);
  });
});

/** V8 would accept it, and crash. */
function withByteWrong(content: Buffer, at: number): Buffer {
  content[at] = (content[at] ?? 0) ^ 0x5a;
  return content;
}

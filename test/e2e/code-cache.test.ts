import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { foreign, good, identitiesIn, keptIn, storingUser } from "../support/code-cache.ts";
import { node } from "../support/session.ts";

it.runIf(node === process.execPath)(
  "compiled code from the build of this Node is used, and nothing is stored",
  async () => {
    const { user, caching } = await storingUser();
    const { caches } = caching();
    const run = (env = {}) =>
      user.run("users", "me", "--jq", ".username", { env: { XDG_CACHE_HOME: caches, ...env }, asProcess: true });
    expect(await run()).toEqual({ code: 0, stdout: "root\n", stderr: "" });
    expect(readdirSync(caches)).toEqual([]);
    expect((await run(foreign)).code).toBe(0);
    expect(readdirSync(caches)).toEqual(["forgectl"]);
  },
);

describe("compiled code", async () => {
  const { fresh, caching } = await storingUser();
  let caches: string;
  let get: ReturnType<typeof caching>["get"];
  beforeEach(() => {
    ({ caches, get } = caching());
  });

  it("is stored by a run, for this user only, and used by the next", async () => {
    expect(await get()).toEqual(good);
    const first = identitiesIn(caches);
    expect(keptIn(caches).some((file) => /\/v\d+\.\d+\.\d+-\w+\/transport-[\w-]+\.js$/.test(file))).toBe(true);
    for (const file of keptIn(caches)) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(caches, "forgectl")).mode & 0o777).toBe(0o700);
    expect(await get()).toEqual(good);
    expect(identitiesIn(caches)).toEqual(first);
  });

  /** What V8 or the program finds wrong, or may not trust, each done to one of the files. */
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ["is empty", (file) => truncateSync(file, 0)],
    ["is three bytes long", (file) => truncateSync(file, 3)],
    ["is cut off", (file) => truncateSync(file, statSync(file).size >> 1)],
    ["has one byte wrong", (file) => writeFileSync(file, withByteWrong(readFileSync(file), 104))],
    ["is of something else", (file) => writeFileSync(file, "not compiled at all")],
    ["others can write", (file) => chmodSync(file, 0o666)],
    ["others can read", (file) => chmodSync(file, 0o644)],
    ["has another name, too", (file) => linkSync(file, fresh())],
  ];

  it("that is damaged in any way is compiled again", async () => {
    await get();
    const files = keptIn(caches);
    expect(files.length).toBeGreaterThanOrEqual(damages.length);
    const before = files.map((file) => ({ ino: statSync(file).ino, size: readFileSync(file).length }));
    for (const [at, file] of files.entries()) damages[at % damages.length]?.[1](file);
    expect(await get()).toEqual(good);
    const after = files.map((file) => ({ ino: statSync(file).ino, size: readFileSync(file).length }));
    const isAgain = (at: number) =>
      after[at]?.ino !== before[at]?.ino && (after[at]?.size ?? 0) > (before[at]?.size ?? 0) / 2;
    expect(files.flatMap((_, at) => (isAgain(at) ? [] : [damages[at % damages.length]?.[0]]))).toEqual([]);
  });

  it("corrupted on disk is compiled again, and does not crash the program", async () => {
    await get();
    const before = identitiesIn(caches);
    const index = join(keptIn(caches)[0] ?? "", "../index");
    const lines = readFileSync(index, "latin1").split("\n");
    for (const file of keptIn(caches)) {
      // A failing disk changes bytes without changing times, which a test cannot do: the index gets the new time
      // instead.
      writeFileSync(file, withByteWrong(readFileSync(file), readFileSync(file).length >> 1));
      const { ino, ctimeNs, size } = statSync(file, { bigint: true });
      const at = lines.findIndex((line) => line.startsWith(`${basename(file)} `));
      lines[at] = (lines[at] ?? "").replace(/ \d+:\d+:\d+/, ` ${ino}:${ctimeNs}:${size}`);
    }
    writeFileSync(index, lines.join("\n"));
    expect(await get()).toEqual(good);
    expect(identitiesIn(caches).every((inode, at) => inode !== before[at])).toBe(true);
  });

  it("is skipped if Node is set to keep none", async () => {
    expect(await get({ NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual(good);
    expect(existsSync(join(caches, "forgectl"))).toBe(false);
  });

  it("can be stored by many runs at once", async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => get()));
    expect(all).toEqual(Array(4).fill(good));
    expect(keptIn(caches).filter((file) => !file.endsWith(".js"))).toEqual([]);
    expect(await get()).toEqual(good);
  });
});

/** V8 would accept it, and crash. */
function withByteWrong(content: Buffer, at: number): Buffer {
  content[at] = (content[at] ?? 0) ^ 0x5a;
  return content;
}

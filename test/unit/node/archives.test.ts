import { createHook } from "node:async_hooks";
import { readdirSync } from "node:fs";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import { nodeArchives } from "../../../src/node/archives.ts";
import { HeldPath, holdFolder } from "../../../src/node/held-folder.ts";
import { staysInside } from "../../../src/node/zip/extract.ts";
import { type ZipEntry, zip } from "../../support/zip.ts";

async function open(entries: readonly ZipEntry[] | Buffer) {
  const folder = await fs.mkdtemp(join(tmpdir(), "forgectl-archives-"));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  const archive = join(folder, "archive.zip");
  await fs.writeFile(archive, Buffer.isBuffer(entries) ? entries : zip(entries));
  const { signal } = new AbortController();
  const seen: string[] = [];
  const extract = async (to = "out", how = {}) => {
    const workspace = await fs.mkdtemp(join(folder, "workspace-"));
    const onProgress = (...at: number[]) => seen.push(at.join("/"));
    const extracting = nodeArchives(folder).extract("archive.zip", to, { workspace, signal, onProgress, ...how });
    return extracting.finally(() => fs.rm(workspace, { recursive: true }));
  };
  const text = (path: string) => fs.readFile(join(folder, path), "utf8");
  return { folder, extract, text, seen, tree: () => tree(folder) };
}

/** Everything below a folder except the archive, links as `name -> target`. */
async function tree(root: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await fs.readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (path === "archive.zip") continue;
    if (entry.isSymbolicLink()) found.push(`${path} -> ${await fs.readlink(join(root, path))}`);
    else if (entry.isDirectory()) found.push(`${path}/`, ...(await tree(root, path)));
    else found.push(path);
  }
  return found.sort();
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error: unknown = await promise.then(
    () => new Error("it was expected to fail"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof Failure) return error;
  throw error;
}

describe("an archive", () => {
  test("is unpacked with its folders, times, and executable flags", async () => {
    const { folder, extract, text, tree, seen } = await open([
      { name: "site/", mode: 0o040777 },
      { name: "site/index.html", content: "<p>hello" },
      { name: "./bin/run", content: "#!/bin/sh\n", mode: 0o106777 },
      { name: "naïve €.txt", content: "" },
      { name: "back\\slash.txt", content: "x" },
    ]);
    expect(await extract()).toEqual({ folder: "out", files: 4, size: 19 });
    expect(await tree()).toEqual([
      "out/",
      "out/back/",
      "out/back/slash.txt",
      "out/bin/",
      "out/bin/run",
      "out/naïve €.txt",
      "out/site/",
      "out/site/index.html",
    ]);
    expect(await text("out/site/index.html")).toBe("<p>hello");
    const { mode, mtime } = await fs.stat(join(folder, "out/bin/run"));
    expect([(mode & 0o7777).toString(8), mtime.getFullYear()]).toEqual([(0o777 & ~process.umask()).toString(8), 2025]);
    expect((await fs.stat(join(folder, "out/site/index.html"))).mode & 0o111).toBe(0);
    expect(seen.at(-1)).toBe("19/19");
  });

  test("without entries creates an empty folder", async () => {
    const { extract, tree } = await open([]);
    expect(await extract()).toEqual({ folder: "out", files: 0, size: 0 });
    expect(await tree()).toEqual(["out/"]);
  });

  test("is unpacked into a folder with other files: files replace files", async () => {
    const { folder, extract, text, tree } = await open([
      { name: "a.txt", content: "new" },
      { name: "sub/b.txt", content: "new" },
    ]);
    await fs.mkdir(join(folder, "out/sub"), { recursive: true });
    await fs.writeFile(join(folder, "out/a.txt"), "old");
    await fs.writeFile(join(folder, "out/sub/kept.txt"), "kept");
    await extract();
    expect(await tree()).toEqual(["out/", "out/a.txt", "out/sub/", "out/sub/b.txt", "out/sub/kept.txt"]);
    expect([await text("out/a.txt"), await text("out/sub/kept.txt")]).toEqual(["new", "kept"]);
  });

  test("may contain links that stay inside, also chained", async () => {
    const { extract, text, tree } = await open([
      { name: "lib/v1/file", content: "x" },
      { name: "lib/current", content: "v1", mode: 0o120777 },
      { name: "bin/tool", content: "../lib/current/file", mode: 0o120777 },
    ]);
    await extract();
    expect(await tree()).toContain("out/bin/tool -> ../lib/current/file");
    expect(await text("out/bin/tool")).toBe("x");
  });
});

describe("a harmful archive is refused completely", () => {
  const fine: ZipEntry = { name: "fine.txt", content: "fine" };
  const link = (name: string, target: string): ZipEntry => ({ name, content: target, mode: 0o120777 });

  test.each<[string, ZipEntry[], string]>([
    ["climbing", [{ name: "../evil.txt", content: "x" }], '"../evil.txt" would leave the folder'],
    ["climbing later", [{ name: "a/../../evil.txt" }], '"a/../../evil.txt" would leave the folder'],
    ["climbing with backslashes", [{ name: "..\\evil.txt" }], '"../evil.txt" would leave the folder'],
    ["absolute", [{ name: "/etc/passwd" }], '"/etc/passwd" would leave the folder'],
    ["of a drive", [{ name: "C:\\evil.txt" }], '"C:/evil.txt" would leave the folder'],
    ["a NUL", [{ name: "a\0b" }], '"a\\0b" is not a valid file name'],
    ["a link out", [link("l", "/etc")], 'the link "l" points outside of the folder'],
    ["a link up", [link("a/l", "../../x")], 'the link "a/l" points outside of the folder'],
    [
      "a link through another link",
      [link("d/l", "."), link("m", "d/l/../../x")],
      'the link "m" points outside of the folder',
    ],
    ["through a link", [link("l", "a"), { name: "l/x" }], '"l/x" would go through the link "l"'],
    ["through a file", [{ name: "f" }, { name: "f/x" }], '"f/x" would go through the file "f"'],
    [
      "twice",
      [
        { name: "f", content: "1" },
        { name: "./f", content: "2" },
      ],
      'it holds "f" more than once',
    ],
    ["a device", [{ name: "null", mode: 0o020666 }], '"null" is neither file, folder, nor link'],
    ["encrypted", [{ name: "secret", content: "x", encrypted: true }], '"secret" is encrypted'],
    ["a wrong checksum", [{ name: "f", content: "x", crc: 1 }], '"f" is damaged: its checksum is wrong'],
    [
      "a wrong checksum of a large file",
      [{ name: "f", content: Buffer.alloc(300_000), crc: 1 }],
      '"f" is damaged: its checksum is wrong',
    ],
    [
      "shared bytes",
      [
        { name: "f", content: "x" },
        { name: "g", content: "x", sameAs: 0 },
      ],
      "its entries overlap",
    ],
  ])("%s", async (_name, entries, reason) => {
    const { folder, extract, tree } = await open([fine, ...shifted(entries)]);
    const failure = await failureOf(extract());
    expect([failure.exit, failure.message]).toEqual(["integrity", `the archive cannot be used: ${reason}`]);
    expect(await tree()).toEqual([]);
    await fs.mkdir(join(folder, "out"));
    await fs.writeFile(join(folder, "out/kept"), "kept");
    await failureOf(extract());
    expect(await tree()).toEqual(["out/", "out/kept"]);
  });

  /** Indexes count from the first entry. */
  function shifted(entries: readonly ZipEntry[]): ZipEntry[] {
    return entries.map((entry) => (entry.sameAs === undefined ? entry : { ...entry, sameAs: entry.sameAs + 1 }));
  }

  // They are a megabyte or less, and would be up to a million folders.
  test.each([
    [
      "too deep",
      500,
      1900,
      '"0/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/..." is more than 256 levels deep',
    ],
    ["too many", 4000, 250, "its 4,000 names make more than 22,000 files and folders"],
    ["too many for a megabyte", 950, 250, "its 950 names make more than 12,850 files and folders"],
  ])("folders in folders: %s", async (_name, count, depth, reason) => {
    const names = Array.from({ length: count }, (_, n) => ({ name: `${n}/${"a/".repeat(depth)}f` }));
    const { extract, tree } = await open(names);
    expect((await failureOf(extract())).message).toBe(`the archive cannot be used: ${reason}`);
    expect(await tree()).toEqual([]);
  });

  // A file of the larger size is unpacked as a stream.
  test.each([
    [100, "an entry unpacks to more than 100 bytes"],
    [300_000, "too many bytes in the stream. expected 300000. got at least "],
  ])("a bomb: unpacks to more than the %i bytes in the directory", async (size, reason) => {
    const { extract, tree } = await open([fine, { name: "bomb", content: Buffer.alloc(5_000_000), size }]);
    const failure = await failureOf(extract());
    expect([failure.exit, failure.code]).toEqual(["integrity", "bad_archive"]);
    // How many bytes are read in advance depends on the Node.
    expect(failure.message).toContain(`the archive cannot be used: ${reason}`);
    expect(await tree()).toEqual([]);
  });

  test.each([
    [100, "an entry unpacks to 2 bytes instead of 100"],
    [300_000, "not enough bytes in the stream. expected 300000. got only 2"],
  ])("unpacks to less than the %i bytes in the directory", async (size, reason) => {
    const { extract, tree } = await open([{ name: "f", content: "xy", size }]);
    expect((await failureOf(extract())).message).toBe(`the archive cannot be used: ${reason}`);
    expect(await tree()).toEqual([]);
  });

  test("more than the free space", async () => {
    const { extract, tree } = await open(
      Array.from({ length: 100_000 / 1000 }, (_, n) => ({ name: `f${n}`, content: "x", size: 0xffff_fff0 })),
    );
    const failure = await failureOf(extract());
    expect([failure.exit, failure.code]).toEqual(["integrity", "write_failed"]);
    expect(failure.details.reason).toMatch(/^429496728000 bytes are needed in \/(?!proc\/).*, \d+ are free$/);
    expect(await tree()).toEqual([]);
  });

  test("not an archive", async () => {
    const { extract, tree } = await open(Buffer.from("<html>this is no archive</html>"));
    expect((await failureOf(extract())).message).toMatch(
      /^the archive cannot be used: it is not a complete zip archive/,
    );
    expect(await tree()).toEqual([]);
  });

  test("cut short", async () => {
    const { extract } = await open(zip([fine]).subarray(0, 60));
    expect((await failureOf(extract())).exit).toBe("integrity");
  });
});

describe("a directory with more entries than the archive says", () => {
  const bytes = zip([{ name: "a" }, { name: "b" }]);
  for (const at of [8, 10]) bytes.writeUInt16LE(1, bytes.length - 22 + at);
  const problem = { exit: "integrity", message: expect.stringContaining("more entries than the archive says") };

  test("is not unpacked", async () => {
    const { extract, tree } = await open(bytes);
    expect(await failureOf(extract())).toMatchObject(problem);
    expect(await tree()).toEqual([]);
  });
  test("is not listed as complete", async () => {
    const read = async (position: number, length: number) => bytes.subarray(position, position + length);
    const listed: string[] = [];
    const list = async () => {
      for await (const { path } of nodeArchives("/").list({ size: bytes.length, read })) listed.push(path);
    };
    expect(await failureOf(list())).toMatchObject(problem);
    expect(listed).toEqual(["a"]);
  });
});

describe("conflicting files are kept", () => {
  test.each([
    ["a link where the archive has a folder", "link", { name: "link/x" }, "is a link", "a folder"],
    ["a folder where it has a file", "folder", { name: "folder" }, "is a folder", "a file"],
    ["a file where it has a folder", "file", { name: "file/x" }, "is a file", "a folder"],
  ])("%s", async (_name, path, entry, is, has) => {
    const { folder, extract, tree } = await open([{ name: "a-first.txt" }, entry]);
    await fs.mkdir(join(folder, "out/folder"), { recursive: true });
    await fs.mkdir(join(folder, "elsewhere"));
    await fs.symlink("../elsewhere", join(folder, "out/link"));
    await fs.writeFile(join(folder, "out/file"), "");
    const before = await tree();
    const failure = await failureOf(extract());
    expect([failure.exit, failure.message, failure.details.reason]).toEqual([
      "conflict",
      `nothing was extracted: ${join(folder, "out", path)} ${is}`,
      `the archive has ${has} of that name`,
    ]);
    expect(await tree()).toEqual(before);
  });

  test("a link in place of a file is replaced, not written through", async () => {
    const { folder, extract, text } = await open([{ name: "f", content: "new" }]);
    await fs.mkdir(join(folder, "out"));
    await fs.writeFile(join(folder, "precious"), "precious");
    await fs.symlink("../precious", join(folder, "out/f"));
    await extract();
    expect([await text("out/f"), await text("precious")]).toEqual(["new", "precious"]);
  });
});

test("interrupted: nothing remains", async () => {
  const interrupt = new AbortController();
  const { extract, tree } = await open([
    { name: "a", content: Buffer.alloc(3_000_000) },
    { name: "b", content: Buffer.alloc(3_000_000) },
  ]);
  const failure = await failureOf(
    extract("out", {
      signal: interrupt.signal,
      onProgress: () => interrupt.abort(new Failure("interrupted", "interrupted")),
    }),
  );
  expect(failure.exit).toBe("interrupted");
  expect(await tree()).toEqual([]);
});

test("interrupted while files are moved into a folder: all of them are moved back", async () => {
  const names = Array.from({ length: 300 }, (_, index) => ({ name: `in/${index % 3}/${index}`, content: "new" }));
  const { folder, extract, text, tree } = await open(names);
  await fs.mkdir(join(folder, "out/in/1"), { recursive: true });
  await fs.writeFile(join(folder, "out/in/1/298"), "old");
  await fs.writeFile(join(folder, "out/in/1/299"), "old");
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const look = signal.throwIfAborted.bind(signal);
  signal.throwIfAborted = () => {
    if (readdirSync(join(folder, "out/in")).length > 1) interrupt.abort(new Failure("interrupted", "interrupted"));
    look();
  };
  const before = await tree();
  const failure = await failureOf(extract("out", { signal }));
  expect([failure.exit, await tree()]).toEqual(["interrupted", before]);
  expect([await text("out/in/1/298"), await text("out/in/1/299")]).toEqual(["old", "old"]);
});

test.runIf(process.platform === "linux")(
  "of paths in one folder, what they have in common is opened once",
  async () => {
    const folder = await fs.mkdtemp(join(tmpdir(), "forgectl-held-"));
    onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
    await fs.mkdir(join(folder, "a/b/c"), { recursive: true });
    await fs.symlink("b", join(folder, "a/link"));
    const isOpen = (path: string) => fs.stat(path).then(Boolean, () => false);
    const folders = new HeldPath(holdFolder(folder));
    const above = folders.at("a/b").path;
    const below = folders.at("a/b/c").path;
    expect([folders.at("a/b/c").path, folders.at("a/b").path]).toEqual([below, above]);
    expect([await isOpen(above), await isOpen(below)]).toEqual([true, false]);
    expect(() => folders.at("a/link/c")).toThrow(/is not a folder/);
    expect(await fs.readdir(folders.at("a/b").path)).toEqual(["c"]);
    folders.close();
    expect(await isOpen(above)).toBe(false);
  },
);

test("a link that leads out is never kept", () => {
  const part = fc.constantFrom(".", "..", "a", "b", "c");
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 3 }), (parts, depth) => {
      const path = [...Array.from({ length: depth }, () => "d"), "link"].join("/");
      if (!staysInside(path, parts.join("/"))) return;
      // Follow it: the depth below the top is never negative.
      let level = depth;
      for (const step of parts) {
        level += step === ".." ? -1 : step === "." ? 0 : 1;
        expect(level).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test.each([
  [".forgectl-0123456789ab-00000000.part", "reserved for forgectl's temporary files"],
  ["site/.forgectl-a.extract/moves.json", "reserved for forgectl's temporary files"],
  ["a/".repeat(2100), "a name of more than 4096 bytes"],
])("an archive with the name %.40s is refused", async (name, problem) => {
  const { extract, tree } = await open([
    { name: "first", content: "x" },
    { name, content: "x" },
  ]);
  const failure = await failureOf(extract());
  expect([failure.exit, failure.code, failure.message]).toEqual([
    "integrity",
    "bad_archive",
    expect.stringContaining(problem),
  ]);
  expect(await tree()).toEqual([]);
});

test("small files do not wait for the thread pool one by one", async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `d${index % 5}/f${index}`);
  const { extract } = await open(names.map((name) => ({ name, content: name })));
  expect(await tripsOf(extract)).toBeLessThan(100);
  // Replaced files must be removed, together with their workspace: two requests for each file.
  expect(await tripsOf(extract), "into a folder that has them all").toBeLessThan(2200);
});

/** File system requests that were passed to another thread. */
async function tripsOf(act: () => Promise<unknown>): Promise<number> {
  let trips = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (/^FSREQ/i.test(type)) trips += 1;
    },
  });
  hook.enable();
  await act().finally(() => hook.disable());
  return trips;
}

test("long names in deep folders take time in proportion to their length", async () => {
  const entries = Array.from({ length: 400 }, (_, index) => ({ name: `${"a/".repeat(1900)}${index}`, content: "" }));
  const start = performance.now();
  // Too deep for this system; this must be detected quickly.
  await failureOf((await open([...entries, { name: "../x", content: "" }])).extract());
  expect(performance.now() - start).toBeLessThan(10_000);
});

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isSpecial } from "../../../src/base/special-file.ts";
import {
  readAll,
  readSource,
  readTextSource,
  readUtf8,
  refusePipe,
  withoutLineEnd,
} from "../../../src/transfer/source.ts";
import { uploadSource } from "../../../src/transfer/upload.ts";
import { contextFor } from "../../support/context.ts";

function contextOf(stdin: Iterable<Uint8Array> = []) {
  const context = contextFor("http://127.0.0.1:1");
  writeFileSync(join(context.folder, "file"), "\ufefftext\n");
  writeFileSync(join(context.folder, "latin"), Uint8Array.of(0xe6));
  mkdirSync(join(context.folder, "folder"));
  execFileSync("mkfifo", [join(context.folder, "a pipe")]);
  async function* stream() {
    yield* stdin;
  }
  return Object.assign(context, { stdin: { stream } });
}
const letters = (text: string) => [...text].map((letter) => Buffer.from(letter));

test.each([
  ["/dev/stdin", true],
  ["/dev/fd/63", true],
  ["/proc/self/fd/0", true],
  ["/dev/shm/file", false],
  ["/home/dev/x", false],
  ["dev/stdin", false],
])("%s is one that a shell passes: %s", (path, is) => expect(isSpecial(path)).toBe(is));

describe("a file named on the command line", () => {
  test("is read as bytes, or as text without its mark", async () => {
    const context = contextOf();
    expect(Buffer.from(await readSource(context, "file")).toString()).toBe("\ufefftext\n");
    expect((await readUtf8(context, "file")).toString()).toBe("\ufefftext\n");
    expect(await readTextSource(context, "file")).toBe("text\n");
  });

  test("is stdin for -", async () => {
    const context = contextOf(letters("abc"));
    expect(Buffer.from(await readSource(context, "-")).toString()).toBe("abc");
  });

  test.each([
    ["gone", { message: "the file gone does not exist" }],
    ["folder", { message: "folder is a folder" }],
    [
      "a pipe",
      { message: "a pipe is a pipe or a device, not a file", details: { hint: "send it on stdin: - < 'a pipe'" } },
    ],
  ])("%s is exit 2", async (name, error) => {
    await expect(readSource(contextOf(), name)).rejects.toMatchObject({ exit: "usage", ...error });
  });

  test("that is no text is named", async () => {
    const context = contextOf([Uint8Array.of(0xe6)]);
    for (const read of [readTextSource, readUtf8]) {
      await expect(read(context, "latin")).rejects.toThrow("latin is not UTF-8 text");
      await expect(read(context, "-")).rejects.toThrow("stdin is not UTF-8 text");
    }
  });
});

test("a pipe is refused, but for one that a shell passes", () => {
  expect(() => refusePipe("other", "p", "use")).toThrow("p is a pipe or a device, not a file");
  for (const [kind, path] of [
    ["other", "/dev/fd/3"],
    ["file", "p"],
    [undefined, "p"],
  ] as const) {
    expect(refusePipe(kind, path, "use")).toBeUndefined();
  }
});

test.each([
  ["a\n", "a"],
  ["a\r\n", "a"],
  ["a\n\n", "a\n"],
  ["a\r", "a\r"],
  ["\na", "\na"],
])("the line break at the end of %j is left out", (text, without) => expect(withoutLineEnd(text)).toBe(without));

test.each([
  [Number.POSITIVE_INFINITY, "abcd"],
  [4, "abcd"],
  [3, "abcd"],
  [2, "abc"],
  [0, "a"],
])("of a stream, no more is read than one piece past a limit of %j bytes", async (limit, text) => {
  let given = 0;
  async function* stream() {
    for (const letter of letters("abcd")) {
      given += 1;
      yield letter;
    }
  }
  expect([(await readAll(stream(), limit)).toString(), given]).toEqual([text, text.length]);
});

test("an upload shows how much of it was sent", async () => {
  const context = contextOf();
  const shown: unknown[] = [];
  const task = { update: (done: number) => shown.push(done), stop: () => shown.push("stop") };
  const start = (label: string, how: object) => {
    shown.push(label, how);
    return task;
  };
  Object.assign(context, { progress: { start } });
  async function* lend() {
    yield* letters("abc");
  }
  const source = await uploadSource({ ...context, files: { ...context.files, lend } }, "file");
  for await (const _ of source.stream());
  expect(shown).toEqual(["uploading file", { total: 8, unit: "bytes" }, 1, 2, 3, "stop"]);
});

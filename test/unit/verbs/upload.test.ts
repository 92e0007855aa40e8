import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileError, UsageError } from "../../../src/base/errors.ts";
import { uploadSource } from "../../../src/transfer/upload.ts";
import { contextFor } from "../../support/context.ts";

test("a file is read when it is sent, and again for a retry", async () => {
  const context = contextFor("http://127.0.0.1:1");
  mkdirSync(join(context.folder, "sub"));
  writeFileSync(join(context.folder, "sub", "a.txt"), "hello");
  const source = await uploadSource(context, "sub/a.txt");
  expect([source.name, source.size]).toEqual(["a.txt", 5]);
  for (let attempt = 0; attempt < 2; attempt++) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.stream()) chunks.push(Uint8Array.from(chunk));
    expect(Buffer.concat(chunks).toString()).toBe("hello");
  }
});

test.each([
  ["missing", "the file missing does not exist"],
  ["folder", "folder is a folder"],
  ["empty", "empty is empty"],
  ["fifo", "fifo is not a regular file: its size must be known beforehand"],
])("%s is refused", async (name, message) => {
  const context = contextFor("http://127.0.0.1:1");
  mkdirSync(join(context.folder, "folder"));
  writeFileSync(join(context.folder, "empty"), "");
  execFileSync("mkfifo", [join(context.folder, "fifo")]);
  await expect(uploadSource(context, name)).rejects.toThrow(new UsageError(message));
});

test("an unreadable file is refused", async () => {
  const context = contextFor("http://127.0.0.1:1");
  const path = join(context.folder, "locked");
  writeFileSync(path, "x");
  chmodSync(path, 0);
  const denied = new FileError(
    "locked",
    "read",
    Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" }),
  );
  const files = {
    ...context.files,
    // biome-ignore lint/correctness/useYield: it fails like an unreadable file, which root could read
    async *stream() {
      throw denied;
    },
  };
  await expect(uploadSource({ ...context, files }, "locked")).rejects.toMatchObject({
    message: "locked cannot be read",
    exit: "usage",
  });
});

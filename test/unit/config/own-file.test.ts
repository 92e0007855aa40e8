import { promises as fs } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openOwnFile, readOwnText } from "../../../src/config/own-file.ts";
import { nodeFiles } from "../../../src/node/files.ts";
import { failureOf, temporary } from "./support/machine.ts";

const files = nodeFiles("/");
const text = "planted";

/** What another user could leave where a file is expected: each makes it at the path. */
const plants: Record<string, (path: string) => Promise<unknown>> = {
  "is a link, or has several names": async (path) => {
    await fs.writeFile(`${path}.real`, text, { mode: 0o600 });
    await fs.symlink(`${path}.real`, path);
  },
  "can be read or written by others": (path) => fs.writeFile(path, text, { mode: 0o644 }),
};
const secondName = async (path: string) => {
  await fs.writeFile(`${path}.first`, text, { mode: 0o600 });
  await fs.link(`${path}.first`, path);
};
const ofAnother = async (path: string) => {
  await fs.writeFile(path, text, { mode: 0o600 });
  await fs.chown(path, 12_345, 12_345);
};
const isRoot = process.geteuid?.() === 0;

const cases: [string, (path: string) => Promise<unknown>][] = [
  ...Object.entries(plants),
  ["is a link, or has several names", secondName],
  ...(isRoot ? [["belongs to another user", ofAnother] as [string, typeof ofAnother]] : []),
];

describe.each(cases)("a file that %s", (is, plant) => {
  test("is not believed, and is left as it is", async () => {
    const path = join(await temporary(), "file");
    await plant(path);
    for (const use of [readOwnText, openOwnFile]) {
      const failure = await failureOf(use(files, path, "a journal"));
      expect([failure.exit, failure.code, failure.message, failure.details.reason]).toEqual([
        "usage",
        "not_own_file",
        `${path} ${is}`,
        "a journal must be a private file of this user",
      ]);
    }
    expect(await fs.readFile(path, "utf8")).toBe(text);
  });
});

test("a private file is read, and cut, through the handle that was checked", async () => {
  const path = join(await temporary(), "journal");
  expect(await readOwnText(files, path, "a journal")).toBeUndefined();
  expect(await openOwnFile(files, path, "a journal")).toBeUndefined();
  await fs.writeFile(path, 'one\ntwo\n{"x', { mode: 0o600 });
  expect(await readOwnText(files, path, "a journal")).toBe('one\ntwo\n{"x');
  const file = await openOwnFile(files, path, "a journal");
  if (file === undefined) throw new Error("it was not opened");
  // Another file of that name is not what was checked.
  await fs.rename(path, `${path}.own`);
  await fs.writeFile(path, text, { mode: 0o666 });
  const read: Uint8Array[] = [];
  for await (const chunk of file.stream()) read.push(chunk);
  expect([file.size, Buffer.concat(read).toString()]).toEqual([11, 'one\ntwo\n{"x']);
  await file.truncate(8);
  await file.write([new TextEncoder().encode("three\n")]);
  await file.close();
  expect(await fs.readFile(`${path}.own`, "utf8")).toBe("one\ntwo\nthree\n");
  expect(await fs.readFile(path, "utf8")).toBe(text);
});

test("a folder, a pipe, and a device are errors, and none of them blocks", async () => {
  const folder = await temporary();
  expect((await failureOf(openOwnFile(files, folder, "a journal"))).message).toBe(`${folder} is not a file`);
  expect((await failureOf(readOwnText(files, folder, "a journal"))).exit).toBe("usage");
  expect((await failureOf(readOwnText(files, "/dev/zero", "a journal"))).details.reason).toBe("it is not a file");
});

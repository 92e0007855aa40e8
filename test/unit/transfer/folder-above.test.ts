import { expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { folderAbove } from "../../../src/transfer/folder-above.ts";

test("a path of any length is looked up a bounded number of times", async () => {
  let looks = 0;
  const facts = async (path: string) => {
    looks += 1;
    return path === "." ? { kind: "folder" } : undefined;
  };
  const above = (levels: number) => folderAbove({ files: { facts } } as never, "a/".repeat(levels), "--save");
  expect([await above(1000), looks]).toEqual([".", 1000]);
  await expect(above(100_000)).rejects.toThrow(UsageError);
  expect(looks).toBe(1000);
});

import { expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { idNamed } from "../../../src/verbs/listed-names.ts";

test("a path of any length costs a bounded number of requests", async () => {
  const asked: unknown[] = [];
  const list = (_: unknown, { project }: { project: unknown }) => {
    asked.push(project);
    return [];
  };
  const find = (levels: number, input = {}) =>
    idNamed({ api: { list } } as never, "repository", `${"a/".repeat(levels)}b`, input);
  await expect(find(3)).rejects.toThrow("no registry repository is named");
  expect(asked.splice(0)).toEqual(["a/a/a/b", "a/a/a", "a/a"]);
  await expect(find(100_000)).rejects.toThrow(UsageError);
  expect(asked).toEqual([]);
  await expect(find(1000, { project: "7" })).rejects.toThrow("no registry repository is named");
  expect(asked).toEqual(["7"]);
});

import { describe, expect, test } from "vitest";
import { isInShard, isShard, shardOf, shardWords } from "../../../src/jobs/shard.ts";

const ids = Array.from({ length: 1000 }, (_, index) => `project ${index}`);

describe("the shards of a whole", () => {
  test.each([1, 2, 3, 7])("of %i have each item once, and nearly the same number", (total) => {
    const parts = Array.from({ length: total }, (_, index) =>
      ids.filter((id) => isInShard({ index: index + 1, total }, id)),
    );
    expect(parts.flat().sort()).toEqual([...ids].sort());
    for (const part of parts) expect(part.length / (ids.length / total)).toBeCloseTo(1, 0);
  });

  test("stay the same from release to release: machines with two of them share the work", () => {
    // The first four bytes of SHA-256 of "a" are ca978112, of "b" 3e23e816: remainders 2 and 0 of 3.
    expect(isInShard({ index: (0xca978112 % 3) + 1, total: 3 }, "a")).toBe(true);
    expect(isInShard({ index: (0x3e23e816 % 3) + 1, total: 3 }, "b")).toBe(true);
  });

  test("are the words that give them again; without one, each item belongs to it", () => {
    expect(shardWords({ index: 2, total: 4 })).toEqual(["--shard", "2/4"]);
    expect(shardWords(undefined)).toEqual([]);
    expect(shardOf({}, undefined)).toBeUndefined();
    expect(isInShard(undefined, "a")).toBe(true);
  });
});

describe("--shard", () => {
  test.each([
    ["1/1", { index: 1, total: 1 }],
    ["2/4", { index: 2, total: 4 }],
    ["10000/10000", { index: 10_000, total: 10_000 }],
  ])("%s", (text, shard) => expect(shardOf({}, text)).toEqual(shard));

  test.each([
    "0/4",
    "5/4",
    "1/10001",
    "1/0",
    "",
    "2",
    "2/",
    "/4",
    "-1/4",
    "1.5/4",
    "1/4 ",
    "x2/4",
    "2/4x",
    "100000/100001",
  ])("%j is a usage error", (text) => {
    expect(() => shardOf({}, text)).toThrow(
      expect.objectContaining({ exit: "usage", message: `--shard ${text} is not a part of a whole` }),
    );
  });
});

describe("--shard ci", () => {
  test.each([
    [
      { CI_NODE_INDEX: "3", CI_NODE_TOTAL: "5" },
      { index: 3, total: 5 },
    ],
    // A job without `parallel:`.
    [{ CI_NODE_TOTAL: "1" }, { index: 1, total: 1 }],
  ])("%j", (env, shard) => expect(shardOf(env, "ci")).toEqual(shard));

  test("outside of a CI job says what is missing, and how to do without", () => {
    expect(() => shardOf({}, "ci")).toThrow(
      expect.objectContaining({
        message: "--shard ci: neither CI_NODE_INDEX nor CI_NODE_TOTAL is set",
        details: { hint: "give the job parallel: <n>, or the part itself: --shard 2/4" },
      }),
    );
  });

  test.each([
    { CI_NODE_INDEX: "6", CI_NODE_TOTAL: "5" },
    { CI_NODE_INDEX: "2" },
    { CI_NODE_TOTAL: "2" },
    { CI_NODE_INDEX: "", CI_NODE_TOTAL: "3" },
    { CI_NODE_INDEX: "1e0", CI_NODE_TOTAL: "3" },
    { CI_NODE_INDEX: "1", CI_NODE_TOTAL: "123456" },
    { CI_NODE_INDEX: "0", CI_NODE_TOTAL: "1" },
  ])("%j is a usage error that names both", (env) => {
    const { CI_NODE_INDEX: index = "", CI_NODE_TOTAL: total = "" } = env as Record<string, string>;
    expect(() => shardOf(env, "ci")).toThrow(
      `--shard ci: CI_NODE_INDEX=${index} and CI_NODE_TOTAL=${total} is not a part of a whole`,
    );
  });
});

test.each([
  [undefined, true],
  [{ index: 1, total: 2 }, true],
  [null, false],
  ["1/2", false],
  [{ index: 1 }, false],
  [{ index: "1", total: 2 }, false],
  [{ index: 1, total: 2.5 }, false],
])("%j as a stored shard: %s", (value, is) => expect(isShard(value)).toBe(is));

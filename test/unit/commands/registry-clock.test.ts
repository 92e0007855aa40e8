import { expect, test } from "vitest";
import { clockOf } from "../../../src/commands/registry/prune/clock.ts";
import { readCriteria } from "../../../src/commands/registry/prune/criteria.ts";
import type { Context } from "../../../src/context.ts";

test.each([
  ["image", 405, {}],
  ["image", 200, { "x-page": "1" }],
  ["instance", 200, { link: "</x>; rel=next" }],
  ["unknown", 403, {}],
  ["unknown", 500, {}],
] as const)("%s: %s %j", async (clock, status, headers) => {
  const asked: string[] = [];
  const raw = async ({ path }: { path: string }) => {
    asked.push(path);
    return { status, headers, body: [] };
  };
  const context = { api: { raw }, config: {}, warn: () => undefined } as unknown as Context;
  const criteria = await readCriteria(context, {
    project: "acme/shop",
    repository_id: 12,
    delete_regex: "x",
    keep_n: 1,
  });
  expect(await clockOf(context, criteria)).toBe(clock);
  expect(asked).toEqual(["projects/acme%2Fshop/registry/repositories/12/tags?pagination=keyset&per_page=1"]);
});

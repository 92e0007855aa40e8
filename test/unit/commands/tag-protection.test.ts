import { expect, test } from "vitest";
import { Protections } from "../../../src/commands/registry/prune/protection.ts";

test.each([
  ["v.*", ["protected", "open"]],
  ["(?:a?){1000}".repeat(80), ["protected", "protected"]],
])("a pattern protects in time what it matches, and all if it is too large: %.12s", async (pattern, verdicts) => {
  const rule = { tag_name_pattern: pattern, minimum_access_level_for_delete: "owner" };
  const list = async function* () {
    yield rule;
  };
  const call = async () => ({ permissions: { project_access: { access_level: 40 } } });
  const { of } = await new Protections({ api: { list, call } } as never).in("acme/storefront");
  const start = process.cpuUsage();
  expect(["v1", "x1"].map(of)).toEqual(verdicts);
  for (let at = 0; at < 500; at++) of(`x${"a".repeat(100)}${at}`);
  expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
});

import { expect, test } from "vitest";
import { Protections } from "../../../src/commands/registry/prune/protection.ts";

test.each([
  ["v.*", 1, ["protected", "open"]],
  ["(?:a?){1000}".repeat(80), 1, ["protected", "protected"]],
  ["(?:[a-z]?){300}[A-Z]", 1, ["open", "open"]],
  ["(?:[a-z]?){300}[A-Z]", 50, ["protected", "protected"]],
  ["x{1000}".repeat(1000), 20, ["protected", "protected"]],
])(
  "patterns protect in time what they match, and all if they are too large: case %#",
  async (pattern, count, verdicts) => {
    const rule = { tag_name_pattern: pattern, minimum_access_level_for_delete: "owner" };
    const list = async function* () {
      for (let at = 0; at < count; at++) yield rule;
    };
    const call = async () => ({ permissions: { project_access: { access_level: 40 } } });
    const start = process.cpuUsage();
    const { of } = await new Protections({ api: { list, call } } as never).in("acme/storefront");
    expect(["v1", "x1"].map(of)).toEqual(verdicts);
    for (let at = 0; at < 500; at++) of(`x${"a".repeat(100)}${at}`);
    expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
  },
);

test("a level of an unknown name protects nothing, even if every object has that name", async () => {
  for (const least of ["constructor", "__proto__", "someone"]) {
    const list = async function* () {
      yield { tag_name_pattern: ".*", minimum_access_level_for_delete: least };
    };
    const asked: unknown[] = [];
    const call = async (endpoint: unknown) => asked.push(endpoint);
    const { of } = await new Protections({ api: { list, call } } as never).in("acme/storefront");
    expect([least, of("v1"), asked]).toEqual([least, "open", []]);
  }
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { amender } from "../../src/commands/audit/amendments.ts";
import { oncePerFile } from "../support/ending.ts";
import { sandboxSession } from "../support/session.ts";

// The `where` of a baseline file names places, however the user or the file writes them.

const admin = oncePerFile(() => sandboxSession({ asDeployed: true }));

async function audited(rules: readonly object[], ...words: string[]) {
  const { run, home } = await admin();
  writeFileSync(join(home, "baseline.json"), JSON.stringify({ rules }));
  return run("audit", "--baseline", "baseline.json", ...words);
}

describe("a project is the same one in another case, by an earlier path, and by its ID", () => {
  test.each(["acme/**", "ACME/Storefront", "acme/storefront", "Acme/* env **"])("where: %s", async (where) => {
    const rules = [{ rule: "envs.*", where, severity: "high" }];
    const judge = (...words: string[]) => audited(rules, "--min-severity", "high", "--exit-code", ...words);
    const [first, ...others] = await Promise.all(
      ["acme/storefront", "ACME/Storefront", "acme/shop", "7"].map((name) => judge("-p", name)),
    );
    expect([first?.code, first?.stdout]).toEqual([10, expect.stringContaining("acme/storefront env ")]);
    for (const each of others) expect(each.stdout).toBe(first?.stdout);
  });

  test("a project that is not shown keeps its name", async () => {
    const { code, stdout } = await audited([], "-p", "acme/none");
    expect([code, stdout]).toEqual([9, expect.stringContaining("acme/none\tenvs.*\t")]);
  });
});

test("case is of no account in paths and names of users, and counts in names of environments", () => {
  const exempt = { reason: "known", until: "2999-01-01" };
  const fits = (where: string, place: string, scope: string) =>
    amender([{ rule: "a.b", where, severity: undefined, exempt }], "2026-01-01")("a.b", [place, scope]).exempt ===
    exempt;
  const cases = [
    ["Acme/Docs env Live", "acme/docs env Live", "acme/docs", true],
    ["acme/docs env live", "acme/docs env Live", "acme/docs", false],
    ["acme/docs env *", "acme/docs env Live", "acme/docs", true],
    ["acme/*/sandbox", "acme/docs env live/sandbox", "acme/docs", false],
    ["ACME hook 3", "Acme hook 3", "Acme", true],
    ["user Env*y", "user ENVoy", "instance", true],
    ["user env x", "user Env x", "instance", true],
    ["Instance", "user x", "instance", true],
    ["user y*", "user x", "instance", false],
  ] as const;
  for (const [where, place, scope, isFitting] of cases)
    expect([where, place, fits(where, place, scope)]).toEqual([where, place, isFitting]);
});

describe("globs that would take minutes are refused before anything is sent", () => {
  const many = (count: number, glob: (at: number) => string, more: object = {}) =>
    Array.from({ length: count }, (_, at) => ({ rule: "users.*", where: glob(at), severity: "low", ...more }));

  test.each([
    ["many that begin alike", many(2000, (at) => `user *a*e*${at}*z`), "where of users.* costs too much"],
    ["many that begin alike but for their case", many(2000, (at) => `${at % 2 ? "u" : "U"}*e*${at}*o*z`), "where of"],
    ["a long one", many(1, () => "*a".repeat(20_000)), "where of users.* costs too much"],
    [
      "hosts",
      [{ rule: "hooks.foreign_host", expect: { in: Array.from({ length: 2000 }, (_, at) => `*a*e*${at}*.example`) } }],
      "expect of hooks.foreign_host costs too much",
    ],
  ])("%s", async (_name, rules, message) => {
    const { code, stdout, stderr } = await audited(rules);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });

  test("places by name, and globs that begin otherwise, are as many as there are", async () => {
    const names = [...many(5000, (at) => `user name-${at}`), ...many(2000, (at) => `user n${at}-*`)];
    expect(await audited(names, "--min-severity", "high")).toMatchObject({ code: 0 });
  });
});

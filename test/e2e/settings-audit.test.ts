import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

interface Judged {
  setting: string;
  severity: string;
  verdict: string;
  expected: string;
  why: string | null;
}

test("a danger is said only where there is one, the gravest first", async () => {
  const { run } = await sandboxSession();
  const rows: Judged[] = JSON.parse((await run("settings", "audit", "-o", "json")).stdout);
  for (const { verdict, why } of rows) expect(why !== null).toBe(verdict === "fail" || verdict === "exempt");
  // An expected text has no quotes.
  expect(rows.map(({ expected }) => expected)).toContain("private");
  const failed = rows.filter(({ verdict }) => verdict === "fail").map(({ severity }) => severity);
  expect(rows.slice(0, failed.length).every(({ verdict }) => verdict === "fail")).toBe(true);
  const ranks = failed.map((severity) => ["high", "medium", "low"].indexOf(severity));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
});

test.each(["high", "medium", "low"])("the fix file for %s is a file that plan accepts", async (severity) => {
  const own = await sandboxSession();
  const audit = ["settings", "audit", "--min-severity", severity, "--fix-file", "fix.yaml"];
  expect((await own.run(...audit)).code).toBe(0);
  const plan = await own.run("settings", "plan", "-f", "fix.yaml");
  expect([plan.code, plan.stderr]).toEqual([0, expect.stringContaining("match")]);
  if (severity !== "high") return;
  // All of these can lock users out.
  expect(readFileSync(join(own.home, "fix.yaml"), "utf8")).toMatch(/^# can lock users out:$[\s\S]*^\{\}$/m);
});

test("what is no documented lockout, and can be one, is commented out as well", async () => {
  const own = await sandboxSession();
  const name = "throttle_authenticated_api_requests_per_period";
  const rules = [
    { setting: "throttle_authenticated_api_enabled", expect: { is: true }, severity: "high", why: "x" },
    { setting: name, expect: { is: 1 }, severity: "high", why: "x" },
  ];
  writeFileSync(join(own.home, "baseline.json"), JSON.stringify({ rules }));
  const audit = "settings audit --min-severity high --baseline baseline.json --fix-file fix.yaml";
  expect((await own.run(...audit.split(" "))).code).toBe(0);
  expect(readFileSync(join(own.home, "fix.yaml"), "utf8")).toContain(`# can lock users out:\n# ${name}: 1\n`);
});

test("reasons and names of a baseline file are no lines of the fix file", async () => {
  const own = await sandboxSession();
  const rules = [
    { setting: "signup_enabled", expect: { is: true }, severity: "high", why: "x\nadmin_mode: false\r\ny: 1" },
    { setting: "a\nb", expect: { is: "c" }, severity: "high", why: "\u2028z: 1" },
  ];
  writeFileSync(join(own.home, "baseline.json"), JSON.stringify({ rules }));
  const audit = [
    "settings",
    "audit",
    "--min-severity",
    "high",
    "--baseline",
    "baseline.json",
    "--fix-file",
    "fix.yaml",
  ];
  expect((await own.run(...audit)).code).toBe(0);
  const lines = readFileSync(join(own.home, "fix.yaml"), "utf8").split(/[\n\r\u2028]/);
  expect(lines.filter((line) => /^(?:y|z|b|admin_mode)/.test(line))).toEqual([]);
  expect(lines).toContain("# x admin_mode: false y: 1");
});

test("an exemption ends on a day that exists", async () => {
  const { home, run } = await sandboxSession();
  const audit = async (until: string) => {
    const exempt = [{ setting: "admin_mode", reason: "x", until }];
    writeFileSync(join(home, "baseline.json"), JSON.stringify({ exempt }));
    return run("settings", "audit", "--baseline", "baseline.json");
  };
  expect((await audit("2096-02-29")).code).toBe(0);
  expect(await audit("2097-02-29")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("exempt[0] must have setting, reason, and until"),
  });
});

test("the fix file has as a comment what an instance does for good, with what that is", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  expect((await run("settings", "audit", "--fix-file", "fix.yaml")).code).toBe(0);
  const text = readFileSync(join(home, "fix.yaml"), "utf8");
  expect(text).toMatch(/^# within hours the instance deletes each account .*:\n# delete_unconfirmed_users: true$/m);
  const { stderr } = await run("settings", "plan", "-f", "fix.yaml");
  expect(stderr).not.toContain("which nothing takes back");
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { session } from "../support/session.ts";
import { smallInstance } from "../support/small-instance.ts";

// Words and levels that the documents do not show: an audit does not call them a pass.

const person = {
  ...{ name: "x", state: "active", email: "a@b.example", two_factor_enabled: false },
  ...{ created_at: "2026-01-01T00:00:00Z", last_activity_on: "2999-01-01", last_sign_in_at: "2026-11-20T00:00:00Z" },
};
const environment = {
  required_approval_count: 2,
  approval_rules: [{ id: 1, access_level: 40, required_approvals: 2 }],
};
const open = { id: 2, user_id: null, group_id: null, access_level: 30 };

const answers = {
  "GET /user": { id: 1, username: "root", is_admin: true },
  "GET /users": [
    { ...person, id: 1, username: "hidden" },
    { ...person, id: 2, username: "quoted", is_admin: "true" },
    { ...person, id: 3, username: "safe", two_factor_enabled: true },
  ],
  "GET /application/settings": { id: 1, rsa_key_restriction: -1, ed25519_key_restriction: -1, dsa_key_restriction: 0 },
  "GET /projects/p/job_token_scope": { inbound_enabled: true },
  "GET /projects/p": { id: 1, path_with_namespace: "p" },
  "GET /projects/p/protected_environments": [
    { ...environment, name: "reporters", deploy_access_levels: [{ ...open, access_level: 20 }] },
    { ...environment, name: "closed", deploy_access_levels: [{ ...open, access_level: 0 }] },
    { ...environment, name: "unnamed", deploy_access_levels: [open, { id: 3, user_id: null }] },
    { ...environment, name: "odd", deploy_access_levels: [{ id: 4, user_id: 9 }] },
  ],
  "GET /users/9": { id: 9, username: "nine", state: "suspended" },
};

async function run(line: string, files: Readonly<Record<string, string>> = {}) {
  const { url } = await smallInstance(answers);
  const own = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-root" });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own.home, name), text);
  return own.run(...line.split(" "), "-o", "json");
}

describe("what the documents do not show is no pass", () => {
  test("audit: levels below developer, rules without a subject, and unknown states", async () => {
    const { stdout } = await run("audit -p p");
    const rows = JSON.parse(stdout) as { where: string; rule: string; verdict: string }[];
    expect(rows.map(({ where, rule, verdict }) => `${where} ${rule} ${verdict}`).sort()).toEqual([
      "p env odd envs.blocked_user unknown",
      "p env reporters envs.developers_deploy fail",
      "p env unnamed envs.blocked_user unknown",
      "p env unnamed envs.developers_deploy fail",
    ]);
    const single = await run("envs audit -p p");
    expect(single.code).toBe(9);
    expect(single.stdout).toContain("the state suspended");
  });

  test("audit: who may be an administrator is shown at the severity of administrators", async () => {
    const { stdout } = await run("audit --min-severity high");
    const rows = JSON.parse(stdout) as { where: string; rule: string; verdict: string }[];
    expect(rows.filter(({ rule }) => rule.startsWith("users."))).toMatchObject([
      { where: "user hidden", rule: "users.admin_no_two_factor", verdict: "unknown" },
      { where: "user quoted", rule: "users.admin_no_two_factor", verdict: "unknown" },
    ]);
  });

  test("settings audit: a forbidden type of keys is not too short", async () => {
    const rows = JSON.parse((await run("settings audit")).stdout) as { setting: string; verdict: string }[];
    const of = (wanted: string) => rows.flatMap(({ setting, verdict }) => (verdict === wanted ? [setting] : []));
    expect([of("pass"), of("fail")]).toEqual([
      ["rsa_key_restriction", "ed25519_key_restriction"],
      ["dsa_key_restriction"],
    ]);
  });

  test("settings audit: what else a baseline says of a forbidden type of keys holds", async () => {
    const rule = (setting: string, expect: object) => ({ setting, expect, severity: "high", why: "ours" });
    const rules = [
      rule("rsa_key_restriction", { is: 3072 }),
      rule("ed25519_key_restriction", { not: -1, atLeast: 256 }),
    ];
    const audit = "settings audit --baseline baseline.json --exit-code";
    const { code, stdout } = await run(audit, { "baseline.json": JSON.stringify({ rules }) });
    const rows = JSON.parse(stdout) as { setting: string; verdict: string; why: string }[];
    expect(rows.filter(({ why }) => why === "ours").map(({ setting, verdict }) => [setting, verdict])).toEqual([
      ["rsa_key_restriction", "fail"],
      ["ed25519_key_restriction", "fail"],
    ]);
    expect(code).toBe(10);
  });
});

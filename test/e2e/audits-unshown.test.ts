import { describe, expect, test } from "vitest";
import { session } from "../support/session.ts";
import { smallInstance } from "../support/small-instance.ts";

// What an answer lacks, or has in another type, is neither a pass nor a finding.

const user = {
  ...{ name: "x", state: "active", email: "a@b.example", is_admin: false, two_factor_enabled: true },
  ...{ created_at: "2026-01-01T00:00:00Z", last_activity_on: "2999-01-01", last_sign_in_at: "2026-11-20T00:00:00Z" },
};
const https = { url: "https://a.example", alert_status: "executable", token_present: true };
const level = { id: 1, access_level: 40 };

const answers = {
  "GET /user": { id: 1, username: "root", is_admin: true },
  "GET /users": [
    { ...user, id: 1, username: "null", two_factor_enabled: null },
    { ...user, id: 2, username: "quoted", two_factor_enabled: "false" },
    { ...user, id: 3, username: "undated", last_activity_on: null, last_sign_in_at: undefined },
    { ...user, id: 4, username: "misdated", last_activity_on: "soon" },
    { ...user, id: 5, username: "right" },
    { ...user, id: 6, username: "weak", two_factor_enabled: false },
  ],
  "GET /application/settings": {
    ...{ signup_enabled: null, ecdsa_key_restriction: "0", runner_token_expiration_interval: [] },
    ...{ codesearch_enabled: false, id: 1 },
  },
  "GET /groups/g": { id: 1, full_path: "g" },
  "GET /groups/g/descendant_groups": [],
  "GET /groups/g/projects": [],
  "GET /groups/g/hooks": [
    { ...https, id: 1 },
    { ...https, id: 2, enable_ssl_verification: "false" },
    { ...https, id: 3, enable_ssl_verification: true },
    { ...https, id: 4, enable_ssl_verification: true, alert_status: null, disabled_until: "soon", token_present: null },
  ],
  ...Object.fromEntries([1, 2, 3, 4].map((id) => [`GET /groups/g/hooks/${id}/events`, []])),
  "GET /projects/p/job_token_scope": { outbound_enabled: true },
  "GET /projects/q/job_token_scope": { inbound_enabled: "false" },
  ...Object.fromEntries(
    ["p", "q"].flatMap((each) =>
      ["allowlist", "groups_allowlist"].map((list) => [`GET /projects/${each}/job_token_scope/${list}`, []]),
    ),
  ),
  "GET /projects/q/protected_environments": [],
  "GET /projects/p": { id: 1, path_with_namespace: "p" },
  "GET /projects/p/protected_environments": [
    { name: "hidden", deploy_access_levels: [level], approval_rules: null },
    {
      name: "quoted",
      deploy_access_levels: [{ id: 1, access_level: "30" }],
      approval_rules: [{ id: 1, user_id: "9" }],
    },
    { name: "unnamed", deploy_access_levels: [{ id: 5 }, { id: 6, user_id: 10 }], approval_rules: [level, level] },
  ],
  "GET /users/9": { id: 9, username: "nine", state: "Blocked" },
  "GET /users/10": { id: 10, username: "ten" },
};

async function runner() {
  const { url } = await smallInstance(answers);
  return session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" }).run;
}

async function rowsOf<T>(line: string): Promise<[code: number | null, rows: T[], stderr: string]> {
  const run = await runner();
  const { code, stdout, stderr } = await run(...line.split(" "), "-o", "json");
  return [code, JSON.parse(stdout), stderr];
}

describe("a field that decides is missing, null, or of another type", () => {
  test("settings audit: how many rules were not judged is said", async () => {
    const [code, rows, stderr] = await rowsOf<{ verdict: string }>("settings audit --exit-code");
    const unknown = rows.filter(({ verdict }) => verdict === "unknown").length;
    const failed = rows.filter(({ verdict }) => verdict === "fail").length;
    expect([code, unknown > failed]).toEqual([10, true]);
    expect(stderr).toBe(`${failed} of ${rows.length} rules failed; ${unknown} unknown: what they need is not shown\n`);
  });

  test("audit: the verdict is unknown", async () => {
    const [, rows] = await rowsOf<{ where: string; rule: string; verdict: string }>(
      "audit --settings -g g -p p -p q --all",
    );
    const of = (wanted: string, area: RegExp) =>
      rows.flatMap(({ where, rule, verdict }) => (verdict === wanted && area.test(rule) ? [`${where} ${rule}`] : []));
    expect(of("unknown", /^(?!settings)/).sort()).toEqual([
      "g hook 1 hooks.no_certificate_check",
      "g hook 2 hooks.no_certificate_check",
      "g hook 4 hooks.disabled",
      "g hook 4 hooks.no_secret",
      "p env hidden envs.blocked_user",
      "p env hidden envs.no_approval",
      "p env hidden envs.single_approver",
      "p env unnamed envs.blocked_user",
      "p env unnamed envs.blocked_user",
      "p env unnamed envs.developers_deploy",
      "p job-token.open",
      "q job-token.open",
      "user misdated users.dormant",
      "user null users.no_two_factor",
      "user quoted users.no_two_factor",
      "user undated users.dormant",
      "user undated users.never_signed_in",
    ]);
    expect(of("fail", /^(?!settings)/).sort()).toEqual([
      "p env quoted envs.blocked_user",
      "p env quoted envs.developers_deploy",
      "p env quoted envs.single_approver",
      "user weak users.no_two_factor",
    ]);
    expect(of("pass", /^settings/)).toEqual([]);
    expect(of("fail", /^settings/).sort()).toEqual([
      "instance settings.ecdsa_key_restriction",
      "instance settings.runner_token_expiration_interval",
    ]);
    // Its condition is not known; that of the other one is false.
    expect(of("unknown", /require_admin_approval|codesearch/)).toEqual([
      "instance settings.require_admin_approval_after_user_signup",
    ]);
  });

  test("the single audits: a row says so, and the exit code is 9", async () => {
    const [hooks, found] = await rowsOf<{ id: number; finding: string }>("hooks audit -g g");
    expect([hooks, found.map(({ id, finding }) => `${id} ${finding}`)]).toEqual([9, ["1 unreadable", "2 unreadable"]]);
    const [envs, weak] = await rowsOf<{ environment: string; detail: string }>("envs audit -p p");
    expect([envs, weak.filter(({ detail }) => detail.includes("does not show")).map((row) => row.environment)]).toEqual(
      [9, ["hidden", "unnamed", "unnamed"]],
    );
    const [tokens, reach] = await rowsOf<{ open: unknown; error: string }>("job-token audit -p p -p q");
    const hidden = { open: null, error: "the instance does not show inbound_enabled" };
    expect([tokens, reach]).toMatchObject([9, [hidden, hidden]]);
  });

  test("users report: those that are known are listed, and the exit code is 9", async () => {
    const [code, people, stderr] = await rowsOf<{ username: string }>("users report");
    expect([code, people.map(({ username }) => username)]).toEqual([9, ["weak"]]);
    expect(stderr).toContain("4 of 6 users could not be judged");
    // Another reason does not need what is missing.
    const run = await runner();
    expect((await run("users", "report", "--reason", "administrator")).code).toBe(0);
  });
});

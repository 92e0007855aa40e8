import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { session } from "../support/session.ts";
import { smallInstance } from "../support/small-instance.ts";

// What the page of a merge request shows: of the findings with one fingerprint only one, and as new only those whose
// fingerprints are new. And what a request of an audit was refused is not passed over.

const rule = (id: number, user: number) => ({ id, user_id: user, group_id: null, access_level: null });
const environment = (deploys: readonly object[]) => ({
  "GET /projects/p/job_token_scope": { inbound_enabled: true },
  "GET /projects/p": { id: 1, path_with_namespace: "p" },
  "GET /projects/p/protected_environments": [
    { name: "production", deploy_access_levels: deploys, approval_rules: [{ id: 1, access_level: 40 }] },
  ],
  "GET /users/7": { id: 7, username: "seven", state: "blocked" },
  "GET /users/8": { id: 8, username: "eight", state: "banned" },
  "GET /users/9": { status: 403, body: { message: "403 Forbidden" } },
});
const minimum = ["--min-severity", "medium"];

async function audited(answers: Parameters<typeof smallInstance>[0], ...words: string[]) {
  const { url } = await smallInstance(answers);
  const { run, home } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const baseline = { rules: ["users.dormant", "hooks.failing"].map((name) => ({ rule: name, exempt: lapsed })) };
  writeFileSync(join(home, "baseline.yaml"), JSON.stringify(baseline));
  const reports = ["--report", "codequality=q.json", "--report", "sarif=s.sarif"];
  const { code, stdout } = await run("audit", "-p", "p", ...minimum, ...words, ...reports, "-o", "json", "-q");
  const read = (name: string) => JSON.parse(readFileSync(join(home, name), "utf8"));
  const issues: { description: string; fingerprint: string }[] = read("q.json");
  return { code, rows: JSON.parse(stdout) as object[], issues, sarif: read("s.sarif").runs[0] };
}
const lapsed = { reason: "until spring", until: "2020-01-31" };
const printsOf = (issues: readonly { fingerprint: string }[]) => issues.map(({ fingerprint }) => fingerprint);

describe("findings of one rule at one place differ", () => {
  test("another blocked user of an environment is a new finding, and the first one stays the same", async () => {
    const one = await audited(environment([rule(3, 7)]));
    const two = await audited(environment([rule(3, 7), rule(4, 8)]));
    expect([one.issues.length, two.issues.length]).toEqual([1, 2]);
    expect(new Set(printsOf(two.issues)).size).toBe(2);
    expect(two.sarif.results.length).toBe(2);
    const printsIn = ({ sarif }: typeof one) =>
      sarif.results.map((each: { partialFingerprints: object }) => JSON.stringify(each.partialFingerprints));
    expect(new Set(printsIn(two)).size).toBe(2);
    expect(printsIn(two)).toContain(printsIn(one)[0]);
    // The page shows those of all jobs: of another instance, it is another finding.
    expect(printsOf(two.issues)).not.toContain(printsOf(one.issues)[0]);
  });

  test("each exemption that lapsed is a finding of its own", async () => {
    const { issues } = await audited(environment([]), "--baseline", "baseline.yaml");
    expect(issues.map(({ description }) => description).sort()).toEqual([
      expect.stringContaining("hooks.failing lapsed"),
      expect.stringContaining("users.dormant lapsed"),
    ]);
    expect(new Set(printsOf(issues)).size).toBe(2);
  });
});

describe("a user of a rule who cannot be read", () => {
  test("is a row that says why, and exit 9, as envs audit has it", async () => {
    const { code, rows, sarif } = await audited(environment([rule(3, 9)]), "--exit-code");
    const finding = "not read: rule 3: user:9: the instance answered 403";
    expect(rows).toMatchObject([{ where: "p env production", rule: "envs.blocked_user", verdict: "unknown", finding }]);
    expect([code, sarif.invocations[0].executionSuccessful]).toEqual([9, false]);
  });

  test("is none if the rule is not asked for, or accepted", async () => {
    expect((await audited(environment([rule(3, 9)]), "--min-severity", "high")).code).toBe(0);
  });
});

describe("an exemption of a place", () => {
  const open = { deploy_access_levels: [{ id: 2, user_id: null, group_id: null, access_level: 30 }] };
  const named = (name: string) => ({ name, ...open, approval_rules: [{ id: 1, access_level: 40 }] });
  const verdictsBy = async (where: string) => {
    const { url } = await smallInstance({
      "GET /projects/acme%2Fdocs/job_token_scope": { inbound_enabled: true },
      "GET /projects/acme%2Fdocs": { id: 2, path_with_namespace: "acme/docs" },
      "GET /projects/acme%2Fdocs/protected_environments": [named("live/sandbox"), named("live env sandbox")],
    });
    const { run, home } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
    const exempt = { reason: "a sandbox", until: "2999-12-31" };
    writeFileSync(join(home, "b.yaml"), JSON.stringify({ rules: [{ rule: "envs.*", where, exempt }] }));
    const words = ["audit", "-p", "acme/docs", "--baseline", "b.yaml", ...minimum, "-o", "json", "-q"];
    const rows = JSON.parse((await run(...words)).stdout) as { where: string; verdict: string }[];
    const accepted = rows.filter(({ verdict }) => verdict === "exempt");
    return accepted.map((row) => row.where.replace("acme/docs env ", "")).sort();
  };

  test.each([
    ["acme/*/sandbox", []],
    ["**/sandbox", []],
    ["acme/* env sandbox", []],
    ["acme/docs env live/*", ["live/sandbox"]],
    ["acme/* env live env sandbox", ["live env sandbox"]],
    ["acme/docs env**", ["live env sandbox", "live/sandbox"]],
    ["acme/doc*", ["live env sandbox", "live/sandbox"]],
    ["**", ["live env sandbox", "live/sandbox"]],
  ])("%s is of a project, or of a project and its environment", async (where, accepted) => {
    expect(await verdictsBy(where)).toEqual(accepted);
  });
});

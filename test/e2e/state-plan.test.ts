import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

test("state plan marks the fields that are sent along, with a secret and without, and names no secret's value", async () => {
  const admin = await sandboxSession();
  writeFileSync(
    join(admin.home, "forge.yaml"),
    `forgectl: 1
settings: { throttle_authenticated_web_enabled: true }
groups:
  acme:
    hooks: [{ name: Deploys, url: "https://deploys.new.example/webhook", token: { env: DEPLOYS_TOKEN } }]
`,
  );
  const env = { DEPLOYS_TOKEN: "glaring-secret" };
  const words = ["state", "plan", "-f", "forge.yaml"];

  const { stdout } = await admin.run(...words, "-o", "table", { env });
  expect(stdout).toMatch(/^ {2}throttle_authenticated_web_enabled +false → true$/m);
  expect(stdout).toMatch(/^ {2}throttle_authenticated_web_period_in_seconds +\d+ \(sent along\)$/m);
  expect(stdout).toMatch(/^ {2}token +\(secret, \$DEPLOYS_TOKEN\) sent along$/m);
  expect(stdout).not.toContain(env.DEPLOYS_TOKEN);

  const rows = JSON.parse((await admin.run(...words, "-o", "json", { env })).stdout) as PlanRow[];
  const sources = rows.flatMap(({ fields }) => fields.map(({ path, source }) => [path, source]));
  expect(sources).toContainEqual(["throttle_authenticated_web_period_in_seconds", "sent along"]);
  expect(sources).toContainEqual(["token", "$DEPLOYS_TOKEN, sent along"]);
});

test("a reason that several sections of a scope have is shown once, and in each row for programs", async () => {
  const admin = await sandboxSession();
  const sections =
    "{ job_token_scope: { inbound_enabled: true }, error_tracking: { active: true, integrated: false } }";
  writeFileSync(join(admin.home, "forge.yaml"), `forgectl: 1\nprojects:\n  acme/nothere: ${sections}\n`);
  const words = ["state", "plan", "-f", "forge.yaml"];
  const reason = "not found, or not visible to this token (404 Project Not Found)";
  const shown = await admin.run(...words, "-o", "table");
  expect([shown.code, shown.stdout]).toEqual([
    9,
    "? acme/nothere#job_token_scope  forge.yaml:3\n" +
      `  ${reason}\n` +
      "? acme/nothere#error_tracking  forge.yaml:3  for the same reason\n",
  ]);
  const rows = await admin.run(...words, "-o", "json", "--jq", ".[].reason");
  expect(rows.stdout).toBe(`${JSON.stringify(reason)}\n`.repeat(2));
});

test("of a set, a plan shows the items that come and go, whatever their form, order, and letters", async () => {
  const admin = await sandboxSession();
  const state = (domains: string, addresses: string, levels: string, level: string) => `forgectl: 1
settings: { domain_allowlist: ${domains}, globally_allowed_ips: "${addresses}", restricted_visibility_levels: ${levels} }
projects:
  acme/website:
    protected_environments: [{ name: blue, deploy_access_levels: [{ access_level: developer }, ${level}] }]
`;
  const file = join(admin.home, "forge.yaml");
  const before = [
    "[a.example, b.example]",
    "10.0.0.1, 10.0.0.2",
    "[public, private]",
    "{ access_level: admin }",
  ] as const;
  writeFileSync(file, state(...before));
  expect(await admin.run("state", "apply", "-f", "forge.yaml", "--yes", "-q")).toMatchObject({ code: 0, stderr: "" });
  writeFileSync(
    file,
    state("[C.example, A.example]", "10.0.0.3 10.0.0.1", "[internal, public]", "{ access_level: maintainer }"),
  );
  const { stdout } = await admin.run("state", "plan", "-f", "forge.yaml", "-o", "table");
  const shown = stdout.split("\n").map((line) =>
    line
      .trim()
      .replace(/ +/g, " ")
      .replace(/ \(rule \d+\)$/, ""),
  );
  for (const lines of [
    ["domain_allowlist - b.example", "+ c.example"],
    ["globally_allowed_ips - 10.0.0.2", "+ 10.0.0.3"],
    ["restricted_visibility_levels - private", "+ internal"],
    ["deploy_access_levels - level:admin", "+ level:maintainer"],
  ]) {
    const at = shown.indexOf(lines[0] as string);
    expect([lines[0], shown.slice(at, at + 2)]).toEqual([lines[0], lines]);
  }
  expect(stdout).not.toMatch(/a\.example|10\.0\.0\.1|public|developer/);
});

interface PlanRow {
  fields: { path: string; source: string | null }[];
}

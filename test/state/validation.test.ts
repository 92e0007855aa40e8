import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { session } from "../support/session.ts";

// What can never be applied does not validate, and the message names what was typed.

const links = (level: string) => `groups: { acme: { saml_group_links: [{ name: A, access_level: ${level} }] } }`;
const project = (name: string) => `projects: { ${name}: { container_registry_access_level: private } }`;
const environment = (rules: string) =>
  `projects: { a/b: { protected_environments: [{ name: production, ${rules} }] } }`;

test.each([
  [links("77"), "groups.acme.saml_group_links[0].access_level", "the number of a level"],
  [links("-1"), "groups.acme.saml_group_links[0].access_level", "the number of a level"],
  [links("maintaner"), "groups.acme.saml_group_links[0].access_level", "did you mean maintainer?"],
  [
    "settings: { terminal_max_session_time: -5 }",
    "settings.terminal_max_session_time",
    "must be at least 0 seconds, not -5",
  ],
  [
    environment("approval_rules: [{ access_level: maintainer, required_approvals: -1 }]"),
    "projects.a/b.protected_environments[0].approval_rules[0].required_approvals",
    "must be at least 0, not -1",
  ],
  [
    environment("deploy_access_levels: [{ group_id: 7, group_inheritance_type: 2 }]"),
    "projects.a/b.protected_environments[0].deploy_access_levels[0].group_inheritance_type",
    "must be at most 1, not 2",
  ],
  ["instance: forge.example.com", "instance", "must be the address of an instance, such as https://"],
  ["settings: { default_project_visibility: pubic }", "settings.default_project_visibility", '"pubic" is not one of'],
  ["settings: { restricted_visibility_levels: [secret] }", "settings.restricted_visibility_levels", '"secret" is not'],
  ["settings: { signup_enabled: yes }", "settings.signup_enabled", "yes is a string: YAML 1.2 knows true and false"],
  [
    "projects: { a/b: { error_tracking: { active: on } } }",
    "projects.a/b.error_tracking.active",
    "on is a string: YAML 1.2 knows true and false",
  ],
  ['settings: { signup_enabled: "true" }', "settings.signup_enabled", "write it without quotes"],
  [project('""'), "projects.", "is neither the ID nor the full path of a project"],
  [project('"../../users/1"'), "projects.../../users/1", "is neither the ID nor the full path of a project"],
  [project('"acme/website?x=1"'), "projects.acme/website?x=1", "* and ** are the only wildcards"],
  [project("acme"), "projects.acme", "is neither the ID nor the full path of a project"],
  [project('"0"'), "projects.0", "is neither the ID nor the full path of a project"],
  ['groups: { "acme//x": { hooks: [] } }', "groups.acme//x", "is neither the ID nor the full path of a group"],
])("%s", async (text, path, words) => {
  const { home, run } = session();
  writeFileSync(join(home, "bad.yaml"), `forgectl: 1\n${text}\n`);
  const { code, stdout } = await run("state", "validate", "-f", "bad.yaml", "-o", "json");
  const [first] = JSON.parse(stdout) as { path: string; severity: string; message: string; hint: string | null }[];
  expect([code, first?.path, first?.severity]).toEqual([2, path, "error"]);
  expect(`${first?.message} ${first?.hint}`).toContain(words);
});

test("a text that is no number has no hint about quotes", async () => {
  const { home, run } = session();
  writeFileSync(join(home, "bad.yaml"), "forgectl: 1\nsettings: { max_login_attempts: three }\n");
  expect((await run("state", "validate", "-f", "bad.yaml")).stdout).not.toContain("quotes");
});

test("lock-outs of every kind come last: throttles, settings that the documents do not name, and environments", async () => {
  const { run, home, seen } = await alteringSession(({ path, body }) =>
    path.endsWith("/application/settings")
      ? { body: { disable_password_login: false, ...(body as object) } }
      : undefined,
  );
  writeFileSync(
    join(home, "state.yaml"),
    `forgectl: 1
settings:
  disable_password_login: true
  throttle_authenticated_api_enabled: true
  throttle_authenticated_api_requests_per_period: 1
  throttle_authenticated_api_period_in_seconds: 3600
  terminal_max_session_time: 60
groups: { acme: { saml_group_links: [{ name: New, access_level: guest }] } }
`,
  );
  await run("state", "apply", "-f", "state.yaml", "--yes");
  const order = seen.filter((line) => !line.startsWith("GET ")).map((line) => line.split(" ").slice(0, 2).join(" "));
  expect(order).toEqual([
    "PUT /api/v4/application/settings",
    "POST /api/v4/groups/acme/saml_group_links",
    "PUT /api/v4/application/settings",
  ]);
});

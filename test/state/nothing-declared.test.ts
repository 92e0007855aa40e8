import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// A command for settings is given files that have none, such as those of another folder: nothing differs then, and that
// is no proof of what they were meant to declare.

const { run, home } = await sandboxSession();
writeFileSync(join(home, "group.yaml"), "forgectl: 1\ngroups: { acme: { hooks: [] } }\n");
const scope = "projects: { acme/storefront: { job_token_scope: { groups_allowlist: [] } } }\n";
writeFileSync(join(home, "scope.yaml"), `forgectl: 1\n${scope}`);
writeFileSync(join(home, "bare.yaml"), "signup_enabled: true\n");

test.each([
  "settings plan -f group.yaml --exit-code",
  "settings apply -f group.yaml --yes",
  "settings audit -f group.yaml",
])("%s says that the files have no settings", async (line) => {
  const { stderr } = await run(...line.split(" "));
  expect(stderr).toMatch(/^warning: the files have no settings, so nothing is compared$/m);
});

test.each([
  "settings plan -f bare.yaml",
  "job-token plan -f scope.yaml -p acme/storefront",
  "state plan -f group.yaml",
])("%s does not", async (line) => {
  const { code, stderr } = await run(...line.split(" "));
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("warning")]);
});

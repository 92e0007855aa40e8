import { expect, test } from "vitest";
import { session } from "../support/session.ts";
import { smallInstance } from "../support/small-instance.ts";

test.each([
  ["job-token", { inbound_enabled: false }, "job_token_scope", "/allowlist", "/groups_allowlist"],
  ["envs", [{ name: "production", deploy_access_levels: [], approval_rules: [] }], "protected_environments"],
] as const)("%s audit prints JSON of what it found if a project could not be read", async (group, found, ...paths) => {
  const [path, ...lists] = paths;
  const { url } = await smallInstance({
    [`GET /projects/7/${path}`]: found,
    ...Object.fromEntries(lists.map((list) => [`GET /projects/7/${path}${list}`, []])),
  });
  const { run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const audited = await run(group, "audit", "-p", "7", "-p", "8", "-o", "json");
  const rows: { project: string }[] = JSON.parse(audited.stdout);
  expect([audited.code, rows.map(({ project }) => project)]).toEqual([9, ["7", "8"]]);
});

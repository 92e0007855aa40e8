import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

test("what a request that was sent twice has made, and the list shows, is the run's, and a rollback takes it back", async () => {
  const { run, direct, home } = await alteringSession(async ({ method, path, sent, status }) => {
    if (method !== "POST" || status >= 300) return undefined;
    const headers = { "content-type": "application/json", "PRIVATE-TOKEN": direct.sandbox.tokens.administrator };
    const again = await fetch(new URL(path, direct.sandbox.url), { method, headers, body: JSON.stringify(sent) });
    return { status: again.status, body: await again.json() };
  });
  const job = "job_token_scope: { inbound_enabled: false, allowlist: [acme/docs] }";
  const envs = "protected_environments: [{ name: canary, deploy_access_levels: [{ access_level: 40 }] }]";
  writeFileSync(join(home, "s.yaml"), `forgectl: 1\nprojects: { acme/website: { ${job}, ${envs} } }\n`);
  const state = (line: string) => run("state", ...line.split(" "), "-o", "json");
  const before = (await state("plan -f s.yaml")).stdout;
  const applied = await state("apply -f s.yaml --yes");
  const rows = JSON.parse(applied.stdout) as { address: string; status: string }[];
  const created = rows.filter(({ address }) => /allowlist\/|canary/.test(address));
  expect([applied.code, created.map(({ status }) => status)]).toEqual([0, ["done", "done"]]);
  const back = await state("rollback --yes");
  expect(back.code, back.stderr).toBe(0);
  expect((await state("plan -f s.yaml")).stdout).toBe(before);
});

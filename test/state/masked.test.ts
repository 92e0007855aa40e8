import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { sandboxSession } from "../support/session.ts";

// A mask that another person has written hides no difference from a plan.

const hooks = `forgectl: 1
groups: { acme: { hooks: [{ name: Good, url: "https://good.example/h", events: [push] }] } }
`;

test.each(["https://evil.example/[masked]", "https://evil.example/?********"])(
  "a hook that was turned to %s is a difference, and turned back",
  async (url) => {
    const { home, run } = await sandboxSession();
    writeFileSync(join(home, "s.yaml"), hooks);
    expect((await run(..."state apply -f s.yaml --yes".split(" "))).code).toBe(0);
    const { stdout } = await run(..."hooks list -g acme -o json".split(" "));
    const { id } = (JSON.parse(stdout) as { id: number; name: string }[]).find(({ name }) => name === "Good") ?? {};
    expect((await run("hooks", "update", String(id), "-g", "acme", "--url", url, "--yes")).code).toBe(0);
    const plan = await run(..."state plan -f s.yaml --exit-code".split(" "));
    expect([plan.code, plan.stdout]).toEqual([10, expect.stringContaining(url)]);
    expect((await run(..."state apply -f s.yaml --yes".split(" "))).code).toBe(0);
    const now = await run("hooks", "get", String(id), "-g", "acme", "--jq", ".url");
    expect(now.stdout).toBe("https://good.example/h\n");
    // The earlier address holds what may be a mask, so that it is not known.
    const back = await run(..."state rollback --yes".split(" "));
    expect([back.code, back.stderr]).toEqual([9, expect.stringContaining("restored without the secrets")]);
  },
);

test("an address that was stored as this program shows it is a difference, as no instance shows it so", async () => {
  const { home, run } = await sandboxSession();
  const env = { HOOK: "https://user:s3cretpass@good.example/h" };
  writeFileSync(join(home, "s.yaml"), hooks.replace('"https://good.example/h"', "{ env: HOOK }"));
  expect((await run("state", "apply", "-f", "s.yaml", "--yes", { env })).code).toBe(0);
  expect((await run("state", "plan", "-f", "s.yaml", "--exit-code", { env })).code).toBe(0);
  const { stdout } = await run("hooks", "list", "-g", "acme", "-o", "json");
  const { id } = (JSON.parse(stdout) as { id: number; name: string }[]).find(({ name }) => name === "Good") ?? {};
  const shown = "https://[redacted]@good.example/h";
  expect((await run("hooks", "update", String(id), "-g", "acme", "--url", shown, "--yes")).code).toBe(0);
  expect((await run("state", "plan", "-f", "s.yaml", "--exit-code", { env })).code).toBe(10);
  expect((await run("state", "apply", "-f", "s.yaml", "--yes", { env })).code).toBe(0);
  const now = await run("hooks", "get", String(id), "-g", "acme", "--jq", ".url");
  expect(now.stdout).toBe(`${env.HOOK}\n`);
});

const inHook = { url: "https://deploys.acme.example/webhook" };

test.each([
  ["push_events_branch_filter", "groups/1/hooks/2", { ...inHook, push_events_branch_filter: "********" }, "main"],
  ["push_events_branch_filter", "groups/1/hooks/2", { ...inHook, push_events_branch_filter: "x://[hidden]" }, "main"],
  ["custom_webhook_template", "groups/1/hooks/2", { ...inHook, custom_webhook_template: "[redacted]" }, ""],
  ["description", "groups/1/hooks/2", { ...inHook, description: "a [masked] one" }, expect.any(String)],
  ["url", "groups/1/hooks/2", { url: "https://deploys.acme.example/[masked]" }, inHook.url],
  ["email_restrictions", "application/settings", { email_restrictions: "[hidden]" }, ""],
  ["domain_allowlist", "application/settings", { domain_allowlist: ["acme.example", "[hidden]"] }, []],
])(
  "%s is compared, restored, and exported, whatever mask another person writes into it",
  async (name, at, body, was) => {
    const { run, sandbox } = await sandboxSession();
    const scope = at === "application/settings" ? ["--settings"] : ["-g", "acme"];
    await run("state", "export", ...scope, "-O", "s.yaml");
    // Another program's: this one does not send what it shows in place of a secret.
    const headers = { "private-token": sandbox.tokens.administrator, "content-type": "application/json" };
    const init = { method: "PUT", headers, body: JSON.stringify(body) };
    expect((await fetch(`${sandbox.url}/api/v4/${at}`, init)).status).toBe(200);
    const masked = (body as Record<string, unknown>)[name];
    const plan = await run("state", "plan", "-f", "s.yaml", "--exit-code", "-o", "json");
    expect(plan.code).toBe(10);
    const [{ fields }] = JSON.parse(plan.stdout) as [{ fields: object[] }];
    expect(fields).toEqual([expect.objectContaining({ path: name, from: masked, to: was })]);
    await run("state", "export", ...scope, "-O", "theirs.yaml");
    expect((await run("state", "plan", "-f", "theirs.yaml", "--exit-code")).code).toBe(0);
    expect((await run("state", "apply", "-f", "s.yaml", "--yes")).code).toBe(0);
    expect((await run("state", "plan", "-f", "s.yaml", "--exit-code")).code).toBe(0);
    const back = await run("state", "plan", "-f", "theirs.yaml", "--exit-code", "-o", "json");
    expect([back.code, back.stdout]).toEqual([
      name === "url" ? 0 : 10,
      expect.stringContaining(name === "url" ? "" : "["),
    ]);
  },
);

test.each(["[hidden]", "********", "https://user:pass@a.example"])(
  "who may deploy is compared, exported, and restored, whatever a user's name is: %s",
  async (name) => {
    const { home, run, direct } = await alteringSession(({ method, path, body }) =>
      method === "GET" && path.includes("/protected_environments")
        ? { body: JSON.parse(JSON.stringify(body).replaceAll("Dana Dixon", name)) }
        : undefined,
    );
    const held = async () => {
      const { stdout } = await direct.run("api", "projects/acme%2Fstorefront/protected_environments/production");
      const found = JSON.parse(stdout) as { deploy_access_levels: Record<string, unknown>[] };
      return found.deploy_access_levels.map(
        ({ user_id, group_id, access_level }) => user_id ?? group_id ?? access_level,
      );
    };
    const before = await held();
    expect(before).toHaveLength(3);
    writeFileSync(
      join(home, "s.yaml"),
      `forgectl: 1
projects:
  acme/storefront:
    protected_environments: [{ name: production, deploy_access_levels: [{ access_level: maintainer }] }]
`,
    );
    const plan = await run(..."state plan -f s.yaml --exit-code".split(" "));
    expect([plan.code, plan.stdout]).toEqual([10, expect.stringContaining("deploy_access_levels")]);
    expect((await run(..."state apply -f s.yaml --yes".split(" "))).code).toBe(0);
    expect(await held()).toHaveLength(1);
    const back = await run(..."state rollback --yes".split(" "));
    expect([back.code, back.stderr]).toEqual([0, expect.anything()]);
    expect((await held()).toSorted()).toEqual(before.toSorted());
    const { stdout } = await run(..."state export -p acme/storefront --only protected_environments -O -".split(" "));
    expect(stdout).toContain("user_id: 4");
  },
);

test("a hook whose address an instance shows with a mask keeps it when something else of it changes", async () => {
  const { home, run, direct } = await alteringSession(({ path, body }) =>
    path.includes("/hooks")
      ? { body: JSON.parse(JSON.stringify(body).replaceAll("user:pass@", "user:********@")) }
      : undefined,
  );
  const env = { HOOK_URL: "https://user:pass@good.example/h" };
  for (const events of ["push", "push, tag_push"]) {
    const hook = `{ name: Good, url: { env: HOOK_URL }, events: [${events}] }`;
    writeFileSync(join(home, "s.yaml"), `forgectl: 1\ngroups: { acme: { hooks: [${hook}] } }\n`);
    const applied = await run(..."state apply -f s.yaml --yes".split(" "), { env });
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("done")]);
    expect((await run(..."state plan -f s.yaml --exit-code".split(" "), { env })).code).toBe(0);
  }
  const urls = await direct.run("api", "groups/acme/hooks", "--reveal", "--jq", ".[].url");
  expect(urls.stdout).toContain("https://user:pass@good.example/h\n");
});

test("what this program shows in place of a secret is not sent as one, also behind a word", async () => {
  const { home, run } = await sandboxSession();
  writeFileSync(join(home, "token.txt"), "Authorization: Bearer [redacted]\n");
  writeFileSync(join(home, "masked.txt"), "c2VjcmV0OnNlY3JldA [redacted]");
  writeFileSync(join(home, "header.txt"), "Authorization: Bearer [redacted]\n");
  const url = "https://chat.acme.example/hooks/{channel}";
  const headers = "custom_headers: [{ key: Authorization, value: { env: AUTH } }]";
  writeFileSync(
    join(home, "s.yaml"),
    `forgectl: 1\ngroups: { acme: { hooks: [{ name: Chat, url: "${url}", ${headers} }] } }\n`,
  );
  for (const words of [
    "hooks update 1 -g acme --token-file token.txt",
    "hooks update 1 -g acme --header-file header.txt",
    "state apply -f s.yaml",
    "api -X PUT groups/acme/hooks/1 -F token=@masked.txt",
  ]) {
    const { code, stderr } = await run(...words.split(" "), "--yes", { env: { AUTH: "Bearer [redacted]" } });
    expect([words, code, stderr]).toEqual([
      words,
      2,
      expect.stringMatching(/(?:has what is|was) shown in place of a secret/),
    ]);
    expect(stderr).not.toContain("c2VjcmV0");
  }
});

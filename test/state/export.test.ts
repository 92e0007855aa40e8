import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileOf } from "../../src/state/export/dump.ts";
import { alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { sandboxSession } from "../support/session.ts";

// An export is the whole: what it leaves out could change without a plan that shows it.

const read = ({ home }: { home: string }, name: string) => readFileSync(join(home, name), "utf8");

/** An instance whose settings have more, and other, values than the documents name. */
function withSettings(more: object) {
  return alteringSession(({ path, body }: Exchange) =>
    path.endsWith("/application/settings") ? { body: { ...(body as object), ...more } } : undefined,
  );
}

const undocumented = {
  max_yaml_depth: 100,
  import_sources: ["remote_export", "git"],
  motto: null,
  updated_motto_at: "2026-01-01T00:00:00Z",
  motto_html: "<p></p>",
  newest_secret_token: "very-secret-value",
  mirror_address: "https://u:p4ssw0rd@mirror.example/",
  metrics_backend: { enabled: true, targets: [{ api_token: "very-secret-part" }] },
};

test("no file is written through a folder that is a link to another place", async () => {
  const { run, home } = await sandboxSession();
  mkdirSync(join(home, "elsewhere"));
  mkdirSync(join(home, "forge"));
  symlinkSync(join(home, "elsewhere"), join(home, "forge/projects"));
  const { code, stderr } = await run("state", "export", "-p", "acme/docs", "-g", "acme", "--dir", "forge");
  expect([code, stderr]).toEqual([2, expect.stringContaining("forge/projects is a link to another place")]);
  expect([readdirSync(join(home, "elsewhere")), readdirSync(join(home, "forge"))]).toEqual([[], ["projects"]]);
});

describe("settings", () => {
  test("that are empty are written, and a change of one is found", async () => {
    const admin = await sandboxSession();
    await admin.run("state", "export", "--settings", "-O", "all.yaml");
    expect(read(admin, "all.yaml")).toMatch(/^ {2}home_page_url: ""$/m);
    expect(read(admin, "all.yaml")).toMatch(/^ {2}max_login_attempts: null$/m);
    const words = ["state", "plan", "-f", "all.yaml", "--exit-code", "--fields", "fields", "--no-header"];
    expect(await admin.run(...words)).toMatchObject({ code: 0, stdout: "" });
    await admin.run("settings", "set", "home_page_url=https://evil.example/", "max_login_attempts=3", "--yes");
    const { code, stdout } = await admin.run(...words);
    expect([code, stdout]).toEqual([10, expect.stringMatching(/home_page_url: .*evil.*max_login_attempts: 3/)]);
  });

  test("that the documents do not name are written behind a comment, secrets as references, one of two names", async () => {
    const { run, home } = await withSettings(undocumented);
    await run("state", "export", "--settings", "-O", "all.yaml");
    const text = read({ home }, "all.yaml");
    expect(text.slice(text.indexOf("  # returned by"))).toBe(`  # returned by the instance, not in the API documents
  import_sources:
    - remote_export
    - git
  max_yaml_depth: 100
  metrics_backend:
    env: METRICS_BACKEND
  mirror_address:
    env: MIRROR_ADDRESS
  motto: null
  newest_secret_token:
    env: NEWEST_SECRET_TOKEN
`);
    expect(text).not.toMatch(/very-secret|p4ssw0rd|allow_local_requests_from_hooks_and_services/);
    expect(text).toContain("allow_local_requests_from_web_hooks_and_services");
    const plan = await run("state", "plan", "-f", "all.yaml", "--exit-code");
    expect([plan.code, plan.stdout.trim().split("\n").length]).toEqual([0, 1]);
    writeFileSync(join(home, "before.yaml"), text.replace("motto: null", "motto: Per aspera"));
    const drift = await run("state", "plan", "-f", "before.yaml", "--exit-code", "--jq", ".[].fields[].path");
    expect([drift.code, drift.stdout]).toEqual([10, expect.stringMatching(/^motto$/m)]);
    await run("state", "export", "--settings", "--documented", "-O", "known.yaml");
    expect(read({ home }, "known.yaml")).not.toMatch(/max_yaml_depth|returned by/);
    const file = (await run("settings", "export")).stdout;
    expect(file).toContain("# returned by the instance, not in the API documents\nmax_yaml_depth: 100\n");
    expect(file).toContain("# newest_secret_token: { env: NEWEST_SECRET_TOKEN }\n");
    expect(file).not.toMatch(/very-secret|p4ssw0rd/);
  });

  test("that hold a secret are neither in a plan, nor in a record, nor accepted in plain text", async () => {
    const { run, home } = await withSettings(undocumented);
    const parts = "\n  metrics_backend:\n    enabled: false\n    targets: [{ api_token: very-secret-new }]\n";
    writeFileSync(join(home, "new.yaml"), `forgectl: 1\nsettings:${parts}`);
    const shown = await run("state", "plan", "-f", "new.yaml", "--save", "plan.json", "-o", "json");
    const table = await run("state", "plan", "-f", "new.yaml", "-o", "table");
    await run("state", "apply", "-f", "new.yaml", "--record", "record.ndjson", "--yes");
    const files = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => /json$/.test(name));
    const texts = [shown, table].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    texts.push(...files.map((name) => read({ home }, name)));
    expect(files.some((name) => name.endsWith("record.ndjson"))).toBe(true);
    expect(texts.filter((text) => text.includes("very-secret"))).toEqual([]);
    expect(texts.some((text) => text.includes("metrics_backend"))).toBe(true);
    const strict = await run("state", "validate", "-f", "new.yaml", "--strict", "-o", "json");
    expect([strict.code, strict.stdout]).toEqual([2, expect.stringContaining("contains credentials in plain text")]);
  });

  test.each([
    ["equal", "true", 0],
    ["different", "false", 2],
  ])("two names of one setting: %s", async (_, value, code) => {
    const admin = await sandboxSession();
    writeFileSync(
      join(admin.home, "two.yaml"),
      `forgectl: 1
settings:
  allow_local_requests_from_web_hooks_and_services: true
  allow_local_requests_from_hooks_and_services: ${value}
`,
    );
    const valid = await admin.run("state", "validate", "-f", "two.yaml");
    expect([valid.code, valid.stdout]).toEqual([
      code,
      expect.stringContaining("is the old name of allow_local_requests_from_web_hooks_and_services"),
    ]);
  });
});

test("hook events that only the hook knows are exported, compared, turned off, and come back", async () => {
  const flags: Record<string, unknown> = { milestone_events: true, confidential_note_events: null };
  const { run, home } = await alteringSession(({ method, path, sent, body }) => {
    if (!/\/groups\/acme\/hooks/.test(path)) return undefined;
    if (method === "PUT" && "milestone_events" in (sent as object)) {
      flags.milestone_events = (sent as { milestone_events: unknown }).milestone_events;
    }
    const more = (hook: object) => ((hook as { name: string }).name === "Deploys" ? { ...hook, ...flags } : hook);
    return { body: Array.isArray(body) ? body.map(more) : more(body as object) };
  });
  await run("state", "export", "-g", "acme", "--only", "hooks", "-O", "hooks.yaml");
  const text = read({ home }, "hooks.yaml");
  expect(text).toMatch(/name: Deploys\n(?: {8}.*\n)* {10}- milestone\n/);
  const plan = (...more: string[]) => run("state", "plan", "-f", "hooks.yaml", "--exit-code", ...more);
  expect(await plan()).toMatchObject({ code: 0 });
  writeFileSync(join(home, "hooks.yaml"), text.replace("          - milestone\n", ""));
  const off = await plan("--fields", "fields", "--no-header");
  expect(off).toMatchObject({ code: 10, stdout: "milestone_events: true → false\n" });
  expect(await run("state", "apply", "-f", "hooks.yaml", "--yes")).toMatchObject({ code: 0 });
  expect(flags.milestone_events).toBe(false);
  expect(await plan()).toMatchObject({ code: 0 });
  expect(await run("state", "rollback", "--yes")).toMatchObject({ code: 0 });
  expect(flags.milestone_events).toBe(true);
  // Removed, all of them are off; and they are restored.
  writeFileSync(join(home, "none.yaml"), "forgectl: 1\ngroups: { acme: { hooks: [] } }\n");
  expect((await run("state", "apply", "-f", "none.yaml", "--prune", "--yes", "--max-delete", "all")).code).toBe(0);
  expect(flags.milestone_events).toBe(false);
  await run("state", "rollback", "--yes");
  expect(flags.milestone_events).toBe(true);
  writeFileSync(
    join(home, "odd.yaml"),
    "forgectl: 1\ngroups: { acme: { hooks: [{ name: Deploys, url: 'https://x.example/', events: [pussh] }] } }\n",
  );
  expect((await run("state", "validate", "-f", "odd.yaml")).stdout).toContain("did you mean push?");
  const odd = await run("state", "plan", "-f", "odd.yaml", "--fields", "reason", "--no-header");
  expect([odd.code, odd.stdout]).toEqual([
    9,
    expect.stringContaining("neither the API documents nor the instance have pussh_events"),
  ]);
});

test("SAML links of one name and two providers are exported, kept apart, replaced, and restored", async () => {
  const admin = await sandboxSession({ asDeployed: true });
  for (const [provider, level] of [
    ["one", "developer"],
    ["two", "reporter"],
  ] as const) {
    await admin.run("saml", "links", "add", "devs", "-g", "acme", "--access-level", level, "--provider", provider);
  }
  await admin.run("state", "export", "-g", "acme", "--only", "saml_group_links", "-O", "saml.yaml");
  const text = read(admin, "saml.yaml");
  const plan = (...more: string[]) =>
    admin.run(
      "state",
      "plan",
      "-f",
      "saml.yaml",
      "--prune",
      "--exit-code",
      "--fields",
      "address",
      "--no-header",
      ...more,
    );
  expect(await plan()).toMatchObject({ code: 0, stdout: "" });
  writeFileSync(join(admin.home, "saml.yaml"), text.replace("access_level: reporter", "access_level: owner"));
  expect((await plan()).stdout).toBe("acme#saml_group_links/devs/two\n");
  expect((await admin.run("state", "apply", "-f", "saml.yaml", "--prune", "--yes")).code).toBe(0);
  expect(await plan()).toMatchObject({ code: 0 });
  expect((await admin.run("state", "rollback", "--yes")).code).toBe(0);
  await admin.run("state", "export", "-g", "acme", "--only", "saml_group_links", "-O", "saml.yaml", "--force");
  expect(read(admin, "saml.yaml")).toBe(text);
  writeFileSync(
    join(admin.home, "saml.yaml"),
    "forgectl: 1\ngroups: { acme: { saml_group_links: [{ name: devs, access_level: guest }] } }\n",
  );
  const unclear = await plan("--fields", "address,reason");
  expect([unclear.code, unclear.stdout]).toEqual([
    9,
    expect.stringContaining("2 of them exist: add provider to the entry"),
  ]);
});

test("what is not declared stays through a replace", async () => {
  const admin = await sandboxSession({ asDeployed: true });
  const add = ["-g", "acme", "--access-level", "developer", "--member-role-id", "13"];
  await admin.run("saml", "links", "add", "roles", ...add, "--provider", "one");
  await admin.run(
    "ldap",
    "links",
    "add",
    "--cn",
    "roles",
    "--provider",
    "ldapmain",
    "-g",
    "acme",
    "--group-access",
    "30",
    "--member-role-id",
    "13",
  );
  writeFileSync(
    join(admin.home, "roles.yaml"),
    `forgectl: 1
groups:
  acme:
    saml_group_links: [{ name: roles, access_level: maintainer }]
    ldap_group_links: [{ cn: roles, provider: ldapmain, group_access: maintainer }]
`,
  );
  expect((await admin.run("state", "apply", "-f", "roles.yaml", "--yes")).code).toBe(0);
  const saml = await admin.run(
    "saml",
    "links",
    "list",
    "-g",
    "acme",
    "--jq",
    '.[] | select(.name == "roles")',
    "-o",
    "json",
  );
  expect(saml.stdout).toMatch(/"access_level": ?40/);
  expect(saml.stdout).toMatch(/"member_role_id": ?13/);
  expect(saml.stdout).toMatch(/"provider": ?"one"/);
});

test("an environment that is pruned comes back with the approval rules that its list leaves out", async () => {
  const { run, home } = await alteringSession(({ path, body }) =>
    /protected_environments(?:\?|$)/.test(path) && Array.isArray(body)
      ? { body: body.map(({ approval_rules: _, ...each }: Record<string, unknown>) => each) }
      : undefined,
  );
  const rules = async () => (await run("envs", "get", "production", "-p", "acme/storefront", "-o", "json")).stdout;
  const before = JSON.parse(await rules()) as { approval_rules: object[] };
  expect(before.approval_rules.length).toBeGreaterThan(0);
  writeFileSync(
    join(home, "none.yaml"),
    "forgectl: 1\nprojects: { acme/storefront: { protected_environments: [] } }\n",
  );
  const applied = await run("state", "apply", "-f", "none.yaml", "--prune", "--yes");
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("2 changes made and verified")]);
  expect((await run("state", "rollback", "--yes")).code).toBe(0);
  const after = JSON.parse(await rules()) as { approval_rules: Record<string, unknown>[] };
  const plain = (list: object[]) => list.map((rule) => ({ ...rule, id: 0 }));
  expect(plain(after.approval_rules)).toEqual(plain(before.approval_rules));
});

test("no two scopes share a file, and each file is read again", () => {
  const names = ["acme", "acme/.github", "acme/.config", "acme/api.schema", "acme.yaml", "acme/x.yml", "7"];
  const files = names.map((name) => fileOf({ at: "project", name }));
  expect(new Set(files).size).toBe(files.length);
  for (const file of files) expect(file.split("/").some((part) => part.startsWith("."))).toBe(false);
  for (const file of files)
    expect(
      file
        .split("/")
        .slice(0, -1)
        .some((part) => /\.ya?ml$/.test(part)),
    ).toBe(false);
});

test("a project whose name begins with a dot, or ends in .schema, is exported and planned", async () => {
  const names = ["acme/.github", "acme/.config", "acme/api.schema"];
  const held = ["acme/storefront", "acme/docs", "acme/website"];
  const named = (path: string, from: readonly string[], to: readonly string[]) =>
    from.reduce(
      (text, name, index) => text.replace(encodeURIComponent(name), encodeURIComponent(to[index] ?? "")),
      path,
    );
  // The sandbox's own projects, under other names.
  const { run } = await alteringSession(
    ({ path, body }) => {
      const [, name = ""] = /\/projects\/([^/]+)$/.exec(path) ?? [];
      return name === "" ? undefined : { body: { ...(body as object), path_with_namespace: decodeURIComponent(name) } };
    },
    {},
    (path) => named(path, names, held),
  );
  const scopes = names.flatMap((name) => ["-p", name]);
  const words = ["--only", "job_token_scope", "--dir", "ex", "--fields", "file", "--no-header"];
  const exported = await run("state", "export", ...scopes, ...words);
  expect(new Set(exported.stdout.trim().split("\n")).size).toBe(3);
  const plan = await run("state", "plan", "-f", "ex", "--exit-code");
  const objects = /(\d+) objects match/.exec(plan.stderr)?.[1];
  expect([plan.code, Number(objects) > 3]).toEqual([0, true]);
  const three = await run("state", "validate", "-f", "ex");
  expect(three.stderr).toContain("3 files");
});

test("a file that was edited since its export is not replaced without --force, and nothing is written", async () => {
  const admin = await sandboxSession();
  const words = ["state", "export", "--settings", "-g", "acme", "--dir", "forge"];
  expect((await admin.run(...words)).code).toBe(0);
  expect((await admin.run(...words)).stdout).not.toContain("written");
  const path = join(admin.home, "forge/groups/acme.yaml");
  const edited = `${read(admin, "forge/groups/acme.yaml")}keep: { saml_group_links: ["break-glass"] }\n`;
  writeFileSync(path, edited);
  await admin.run("settings", "set", "terminal_max_session_time=60");
  const before = read(admin, "forge/instance.yaml");
  const refused = await admin.run(...words);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("forge/groups/acme.yaml: not as an export"),
  ]);
  expect([read(admin, "forge/instance.yaml"), read(admin, "forge/groups/acme.yaml")]).toEqual([before, edited]);
  expect((await admin.run(...words, "--force")).code).toBe(0);
  expect(read(admin, "forge/groups/acme.yaml")).not.toContain("keep:");
  // Version control may have changed the line ends.
  writeFileSync(path, read(admin, "forge/groups/acme.yaml").replaceAll("\n", "\r\n"));
  expect((await admin.run(...words)).code).toBe(0);
});

describe("keep matches every name of an entry", () => {
  test.each([
    [
      "allowlist",
      "acme/*",
      "projects: { acme/storefront: { job_token_scope: { allowlist: [] } } }",
      /allowlist\/(?:1|2)\n/,
    ],
    ["allowlist", "1", "projects: { acme/storefront: { job_token_scope: { allowlist: [] } } }", /allowlist\/1\n/],
    [
      "groups_allowlist",
      "acme/mobile",
      "projects: { acme/storefront: { job_token_scope: { groups_allowlist: [] } } }",
      /groups_allowlist/,
    ],
    // Paths have no case here either.
    [
      "allowlist",
      "ACME/*",
      "projects: { ACME/Storefront: { job_token_scope: { allowlist: [] } } }",
      /allowlist\/(?:1|2)\n/,
    ],
    [
      "groups_allowlist",
      "ACME/Mobile",
      "projects: { acme/storefront: { job_token_scope: { groups_allowlist: [] } } }",
      /groups_allowlist/,
    ],
    ["ldap_group_links", "engineering", "groups: { acme: { ldap_group_links: [] } }", /engineering/],
    ["ldap_group_links", "ldapmain/engineering", "groups: { acme: { ldap_group_links: [] } }", /ldapmain\/engineering/],
    ["hooks", "https://deploys.acme.example/**", "groups: { acme: { hooks: [] } }", /Deploys/],
    ["saml_group_links", "Platform *", "groups: { acme: { saml_group_links: [] } }", /Platform/],
  ])("%s: %s", async (kind, pattern, text, kept) => {
    const admin = await sandboxSession();
    const plan = async (keep: string) => {
      writeFileSync(join(admin.home, "keep.yaml"), `forgectl: 1\n${text}\n${keep}`);
      return (await admin.run("state", "plan", "-f", "keep.yaml", "--prune", "--fields", "address", "--no-header"))
        .stdout;
    };
    expect(await plan("")).toMatch(kept);
    expect(await plan(`keep: { ${kind}: ["${pattern}"] }\n`)).not.toMatch(kept);
  });

  test("a pattern that can match nothing of its kind is a warning", async () => {
    const admin = await sandboxSession();
    writeFileSync(join(admin.home, "keep.yaml"), 'forgectl: 1\nkeep: { allowlist: ["break-glass-*"] }\nsettings: {}\n');
    const { stdout } = await admin.run(
      "state",
      "validate",
      "-f",
      "keep.yaml",
      "--fields",
      "severity,message",
      "--no-header",
    );
    expect(stdout).toContain('warning\t"break-glass-*" can match no project');
  });
});

test("what settings audit writes as fixes is a file that settings plan reads, even if all of it is comments", async () => {
  const admin = await sandboxSession();
  writeFileSync(join(admin.home, "settings.yaml"), "max_login_attempts: 50\n");
  await admin.run("settings", "audit", "-f", "settings.yaml", "--fix-file", "fixes.yaml");
  expect(read(admin, "fixes.yaml")).toContain("# max_login_attempts: 10\n");
  expect(await admin.run("settings", "plan", "-f", "fixes.yaml", "--exit-code")).toMatchObject({ code: 0 });
});

test("the empty texts of a webhook are written, and a branch filter or template that another user adds is found", async () => {
  const { run, home } = await sandboxSession();
  writeFileSync(join(home, "template.json"), "{}");
  await run("state", "export", "-g", "acme", "-O", "acme.yaml");
  const plan = ["state", "plan", "-f", "acme.yaml", "--exit-code", "-o", "json"];
  expect((await run(...plan)).code).toBe(0);
  const hooks = await run("hooks", "list", "-g", "acme", "--jq", ".[].id");
  const id = hooks.stdout.trim().split("\n")[0] ?? "";
  await run("hooks", "update", id, "-g", "acme", "--branch-filter", "none", "--template-file", "template.json");
  const { code, stdout } = await run(...plan);
  const [{ fields }] = JSON.parse(stdout) as [{ fields: object[] }];
  expect([code, fields]).toEqual([
    10,
    [
      expect.objectContaining({ path: "push_events_branch_filter", from: "none", to: "" }),
      expect.objectContaining({ path: "custom_webhook_template", from: "{}", to: "" }),
    ],
  ]);
});

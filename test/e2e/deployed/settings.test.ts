import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Session, sandboxSession } from "../../support/session.ts";
import { shellWords } from "../../support/shell.ts";

const { run } = await sandboxSession({ asDeployed: true });
const type = (line: string) => run(...line.split(" "));

const secrets = [
  "sandbox-mail-signing-key",
  "sandbox-client-key",
  "sandbox-private-key",
  "sandbox-credentials",
  "sandbox-analytics",
  "sandbox-sentry-key",
  "sandbox-search-password",
];

test.each([
  "settings list -o json",
  "settings get -o json",
  "api application/settings",
  "settings export",
  "state export --settings -O -",
])("settings-secrets-shown: %s hides the secrets that an instance decrypts", async (line) => {
  const { code, stdout, stderr } = await type(`${line} --debug`);
  expect(code).toBe(0);
  for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
  // Keys with public names are not secrets.
  if (!line.includes("export")) expect(stdout).toContain("sandbox-site-key");
});

test("settings-secrets-shown: an address with a password is left out of a file, with a note on how to set it", async () => {
  const { stdout } = await type("settings export");
  expect(stdout).toMatch(/^# codesearch_url: \{ env: CODESEARCH_URL \}$/m);
  expect(await run("settings", "plan", "-f", "-", "--exit-code", { input: stdout })).toMatchObject({ code: 0 });
});

test("settings-passed-over: settings that an instance lacks are refused or named, and never listed", async () => {
  const { code, stderr } = await type("settings set signup_enabledd=true");
  expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean signup_enabled?")]);
  // Of another tier: the documents have it, this instance does not.
  const free = await sandboxSession({ asDeployed: true, tier: "free" });
  const alone = await free.run(..."settings set allow_account_deletion=false --yes".split(" "));
  expect([alone.code, alone.stderr]).toEqual([
    1,
    expect.stringContaining("cause: the instance has none of allow_account_deletion\n"),
  ]);
  expect(alone.stderr.length).toBeLessThan(600);
  const beside = await free.run(
    ..."settings set allow_account_deletion=false signup_enabled=true --yes -o json".split(" "),
  );
  expect([beside.code, JSON.parse(beside.stderr).error.fields]).toEqual([
    9,
    { allow_account_deletion: ["sent false, not in the answer"] },
  ]);
});

test("settings-companions-sent: required settings are sent too, even if empty or already set", async () => {
  for (const name of ["umlrenderer_enabled", "codesearch_enabled", "shared_runners_enabled"]) {
    const { code, stderr } = await type(`settings set ${name}=true --yes -q`);
    expect([name, code, stderr]).toEqual([name, 0, ""]);
  }
  // Settings that are sent along have their real values, not the displayed ones.
  expect((await type("settings get codesearch_url --reveal")).stdout).toContain("sandbox-search-password");
  const { code, stderr } = await type("settings set spamsvc_enabled=true --yes");
  expect([code, stderr]).toEqual([2, expect.stringContaining("spamsvc_api_key: is required when spamsvc_enabled")]);
});

describe("settings-hash-replaced", () => {
  const protection = "default_branch_protection_defaults";
  const all = {
    allowed_to_push: [{ access_level: 40 }],
    allow_force_push: false,
    allowed_to_merge: [{ access_level: 40 }],
  };
  const stored = async (place: Session) =>
    JSON.parse((await place.run("settings", "get", protection, "-o", "json")).stdout);

  test.each([true, false])(
    "keys that are not given are kept, and the undo line restores the rest (deployed: %s)",
    async (asDeployed) => {
      const place = await sandboxSession({ asDeployed });
      const { code, stderr } = await place.run("settings", "set", `${protection}={"allow_force_push":true}`);
      expect(code).toBe(0);
      expect(stderr).toContain(`${protection}.allowed_to_push, ${protection}.allowed_to_merge`);
      expect(await stored(place)).toEqual({ ...all, allow_force_push: true });
      const undo = /undo: +forgectl (.*)$/m.exec(stderr)?.[1] ?? "";
      expect((await place.run(...(await shellWords(undo, { cwd: place.home, env: place.env })))).code).toBe(0);
      expect(await stored(place)).toEqual(all);
    },
  );

  test("no undo line is shown for a new key, which none would remove", async () => {
    const place = await sandboxSession({ asDeployed: true });
    const set = (value: string) => place.run("settings", "set", `sign_in_restrictions=${value}`, "--yes");
    const known = await set('{"require_admin_two_factor_authentication":true}');
    expect([known.code, known.stderr]).toEqual([0, expect.stringContaining("undo: ")]);
    const added = await set('{"session_expire_from_init":true}');
    expect([added.code, added.stderr]).toEqual([0, expect.not.stringContaining("undo: ")]);
    expect(JSON.parse((await place.run(..."settings get sign_in_restrictions -o json".split(" "))).stdout)).toEqual({
      disable_password_authentication_for_users_with_sso_identities: false,
      require_admin_two_factor_authentication: true,
      session_expire_from_init: true,
    });
  });
});

test("settings-undated: settings have no dates, and a read shows the last change at once", async () => {
  const place = await sandboxSession({ asDeployed: true });
  expect((await place.run("settings", "set", "terminal_max_session_time=9")).code).toBe(0);
  const { stdout } = await place.run("settings", "list", "-o", "json");
  expect(stdout).toContain("terminal_max_session_time");
  expect(stdout).not.toMatch(/"(?:created|updated)_at"/);
  const again = await place.run("settings", "set", "terminal_max_session_time=10");
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("terminal_max_session_time=9 ")]);
});

describe("waiting-accounts-approved", () => {
  const name = "require_admin_approval_after_user_signup";
  const waiting = async (place: Session) => {
    const { stdout } = await place.run(..."users list -L all --fields state -o csv --no-header".split(" "));
    return stdout.split("\n").filter((state) => state === "blocked_pending_approval").length;
  };

  test("settings set asks before sign-ups need no approval any more, and promises no way back", async () => {
    const place = await sandboxSession({ asDeployed: true });
    const before = await waiting(place);
    expect(before).toBeGreaterThan(0);
    const asked = await place.run("settings", "set", `${name}=false`);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("approves every account that waits")]);
    expect(await waiting(place)).toBe(before);
    const made = await place.run("settings", "set", `${name}=false`, "--yes");
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("undo: ")]);
    expect(await waiting(place)).toBe(0);
    // Nothing more is let in by these.
    for (const value of ["false", "true"]) {
      expect((await place.run("settings", "set", `${name}=${value}`)).code).toBe(0);
    }
  });

  test("a plan says so, and so does that of a rollback", async () => {
    const place = await sandboxSession({ asDeployed: true });
    writeFileSync(join(place.home, "settings.yaml"), `${name}: false\n`);
    const plan = await place.run(..."settings plan -f settings.yaml".split(" "));
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("approves every account that waits")]);
    await place.run("settings", "set", `${name}=false`, "--yes");
    writeFileSync(join(place.home, "settings.yaml"), `${name}: true\n`);
    const applied = await place.run(..."settings apply -f settings.yaml --yes".split(" "));
    expect([applied.code, applied.stdout]).toEqual([0, expect.not.stringContaining("approves every")]);
    const back = await place.run(..."settings rollback --dry-run".split(" "));
    expect(back.stdout + back.stderr).toContain("approves every account that waits");
  });
});

test("settings-old-name-unshown: a change by an old name that only the new one shows was made", async () => {
  const { code, stderr } = await type("settings set admin_notification_email=abuse@acme.example");
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("did not apply")]);
  expect((await type("settings get abuse_notification_email")).stdout).toBe("abuse@acme.example\n");
  expect((await type("settings get admin_notification_email")).code).toBe(3);
});

test("settings-taken-in-megabytes: a limit is in bytes, as it is shown, and so are its undo line and its rollback", async () => {
  const place = await sandboxSession({ asDeployed: true });
  const line = (text: string) => place.run(...text.split(" "));
  const stored = async () => Number((await line("settings get repository_size_limit")).stdout);
  const refused = await line("settings set repository_size_limit=10240");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("10240 megabytes are 10737418240")]);
  writeFileSync(join(place.home, "settings.yaml"), "repository_size_limit: { env: LIMIT }\n");
  const referred = await place.run(..."settings apply -f settings.yaml --yes".split(" "), {
    env: { LIMIT: "10485760" },
  });
  expect([referred.code, referred.stderr]).toEqual([2, expect.stringContaining("must be a number of bytes")]);
  // As a text, it would be taken in megabytes.
  for (const text of ['"10737418240"', "010737418240"]) {
    expect((await line(`settings set repository_size_limit=${text}`)).code).toBe(2);
  }
  expect(await stored()).toBe(0);
  expect((await line("settings set repository_size_limit=10737418240")).code).toBe(0);
  expect(await stored()).toBe(10_737_418_240);
  writeFileSync(join(place.home, "settings.yaml"), "repository_size_limit: 21474836480\n");
  expect((await line("settings apply -f settings.yaml --yes")).code).toBe(0);
  expect(await stored()).toBe(21_474_836_480);
  expect((await line("settings rollback --yes")).code).toBe(0);
  expect(await stored()).toBe(10_737_418_240);
});

test("settings-changed-along: what an instance changes beside what was sent is named", async () => {
  const place = await sandboxSession({ asDeployed: true });
  const set = (...words: string[]) => place.run("settings", "set", ...words);
  const proxied = await set("asset_proxy_enabled=true", "asset_proxy_url=https://images.acme.example");
  expect([proxied.code, proxied.stderr]).toEqual([
    0,
    expect.stringContaining(
      "warning: not as it was read either, though it was not sent: local_markdown_version (0 → 1)\n",
    ),
  ]);
  // The other name of a setting is none.
  const limited = await set("throttle_unauthenticated_web_enabled=true");
  expect([limited.code, limited.stderr]).toEqual([0, expect.not.stringContaining("not as it was read")]);
});

describe("settings-computed", () => {
  test.each([
    "usage_ping_enabled=false",
    "require_admin_two_factor_authentication=true",
    "housekeeping_optimize_repository_period=20",
    "housekeeping_incremental_repack_period=20",
    "lock_assistant_features_enabled=true",
  ])("%s: what is computed from it is not changed along", async (word) => {
    const place = await sandboxSession({ asDeployed: true, settingsCacheSeconds: 600 });
    const shown = async () => {
      const { updated_at: _, ...values } = JSON.parse((await place.run(..."settings get -o json".split(" "))).stdout);
      return values;
    };
    const before = await shown();
    const [name = "", value = ""] = word.split("=");
    const { stderr: said, code } = await place.run("settings", "set", word, "--yes");
    expect([code, said]).toEqual([0, expect.not.stringContaining("not as it was read")]);
    if (!word.startsWith("lock")) expect(said).toMatch(new RegExp(`^undo: +forgectl settings set .*${name}=`, "m"));
    const fresh = await sandboxSession({ asDeployed: true });
    const run = (line: string) => fresh.run(...line.split(" "));
    writeFileSync(join(fresh.home, "s.yaml"), `${name}: ${value}\n`);
    const made = await run("settings apply -f s.yaml --yes");
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("not as it was read")]);
    const back = await run("settings rollback --yes");
    expect([back.code, back.stderr]).toEqual([0, expect.not.stringContaining("changed since")]);
    const { updated_at: _, ...after } = JSON.parse((await run("settings get -o json")).stdout);
    expect({ ...after, created_at: 0 }).toEqual({ ...before, created_at: 0 });
  });

  test("nor is what a file declares beside it, which no rollback restores", async () => {
    const place = await sandboxSession({ asDeployed: true });
    const run = (line: string) => place.run(...line.split(" "));
    const shown = async () => (await run("settings get usage_ping_features_enabled usage_ping_enabled -o json")).stdout;
    const before = await shown();
    writeFileSync(join(place.home, "s.yaml"), "usage_ping_enabled: false\nusage_ping_features_enabled: true\n");
    const made = await run("settings apply -f s.yaml --yes");
    expect([made.code, made.stdout]).toEqual([
      9,
      expect.stringContaining("keeps usage_ping_features_enabled as false"),
    ]);
    const back = await run("settings rollback --yes");
    expect([back.code, await shown()]).toEqual([0, before]);
  });

  test.each([
    ["a change", "{ container_registry_access_level: private }"],
    ["an entry that is left alone", "{ job_token_scope: { allowlist: [acme/docs] } }"],
  ])("what a file declares beside it is examined as well where another object has %s", async (_, project) => {
    const place = await sandboxSession({ asDeployed: true });
    const run = (line: string) => place.run(...line.split(" "));
    const settings = ["settings:", "  usage_ping_enabled: false", "  usage_ping_features_enabled: true"];
    const projects = ["projects:", `  acme/storefront: ${project}`];
    writeFileSync(join(place.home, "s.yaml"), ["forgectl: 1", ...settings, ...projects, ""].join("\n"));
    const made = await run("state apply -f s.yaml --yes");
    expect(made.stdout).toContain("keeps usage_ping_features_enabled as false");
    expect(made.code).toBe(9);
    expect((await run("state plan -f s.yaml --exit-code")).code).toBe(10);
  });

  test("a counter that a file has beside it does not end the first part: what can lock users out follows", async () => {
    const place = await sandboxSession({ asDeployed: true });
    const run = (line: string) => place.run(...line.split(" "));
    const secret = "asset_proxy_secret_key: abcdefghijklmn";
    const proxy = `{ asset_proxy_enabled: true, asset_proxy_url: https://p.example, ${secret},`;
    const settings = `settings: ${proxy} local_markdown_version: 0, require_two_factor_authentication: true }`;
    const hooks = 'hooks: [{ url: "https://x.example/h", events: [push] }]';
    const projects = ["projects:", `  acme/storefront: { ${hooks} }`];
    writeFileSync(join(place.home, "s.yaml"), ["forgectl: 1", settings, ...projects, ""].join("\n"));
    const { code, stdout } = await run("state apply -f s.yaml --yes --allow-lockout");
    const rows = stdout.split("\n").filter((line) => line.startsWith("#settings"));
    expect([code, rows]).toEqual([9, [expect.stringContaining("done"), expect.stringContaining("altered")]]);
    expect(rows[1]).toContain("keeps local_markdown_version as 1");
    expect((await run("settings get require_two_factor_authentication")).stdout).toContain("true");
  });
});

test("settings set refuses a setting beside the one that it replaces: an instance would lose it", async () => {
  const { run: typed } = await sandboxSession({ asDeployed: true });
  const both = ["default_branch_protection=1", 'default_branch_protection_defaults={"allow_force_push":false}'];
  const { code, stderr } = await typed("settings", "set", ...both, "-o", "json");
  const { error } = JSON.parse(stderr);
  expect([code, Object.keys(error.fields)]).toEqual([2, ["default_branch_protection_defaults"]]);
  expect(stderr).toContain("instances compute it from default_branch_protection");
  for (const each of both) expect((await typed("settings", "set", each)).code).toBe(0);
});

test("settings-group-path: a group is not taken by its ID, which is said", async () => {
  const place = await sandboxSession({ asDeployed: true });
  const made = await place.run("settings", "set", "performance_bar_allowed_group_id=1");
  expect([made.code, made.stderr]).toEqual([9, expect.stringContaining("look there for the path of a group")]);
  writeFileSync(join(place.home, "settings.yaml"), "performance_bar_allowed_group_id: 1\n");
  const applied = await place.run("settings", "apply", "-f", "settings.yaml", "--yes");
  expect([applied.code, applied.stdout]).toEqual([9, expect.stringContaining("not_taken")]);
});

describe("settings-all-protocols", () => {
  const name = "enabled_git_access_protocol";
  const place = async () => {
    const found = await sandboxSession({ asDeployed: true });
    const line = (text: string) => found.run(...text.split(" "));
    const shown = async () => (await line(`settings get ${name} max_attachment_size signup_enabled -o json`)).stdout;
    return { ...found, line, shown: async () => JSON.parse(await shown()) };
  };

  test("the word for all is applied, though it is shown as nothing, and the undo line gives it back", async () => {
    const { line, run: typed, home, env, shown } = await place();
    expect((await shown())[name]).toBe("");
    const set = await line(`settings set ${name}=ssh -y`);
    const undo = /undo: +forgectl (.*)$/m.exec(set.stderr)?.[1] ?? "";
    expect([set.code, undo]).toEqual([0, expect.stringContaining(`${name}=`)]);
    const undone = await typed(...(await shellWords(undo, { cwd: home, env })));
    expect([undone.code, undone.stderr]).toEqual([0, expect.not.stringContaining("did not apply")]);
    expect((await shown())[name]).toBe("");
    for (const value of ["http", "all", "all", "null", "ssh", ""]) {
      expect([value, (await line(`settings set ${name}=${value} -y`)).code]).toEqual([value, 0]);
    }
    expect((await shown())[name]).toBe("");
    // Nothing was changed that a line could take back.
    expect((await line(`settings set ${name}=all -y`)).stderr).not.toContain("undo: forgectl");
  });

  test("a run with it is rolled back, with all its other settings", async () => {
    const { line, home, shown } = await place();
    const before = await shown();
    writeFileSync(join(home, "s.yaml"), `${name}: http\nsignup_enabled: true\nmax_attachment_size: 77\n`);
    expect((await line("settings apply -f s.yaml -y")).code).toBe(0);
    expect((await shown())[name]).toBe("http");
    expect((await line("settings rollback -y")).code).toBe(0);
    expect(await shown()).toEqual(before);
  });

  test.each(["all", '""', "null", "{ env: PROTOCOLS }"])("a file may say %s", async (value) => {
    const { line, run: typed, home, shown } = await place();
    const apply = (command: string) =>
      typed(...`settings ${command} -f s.yaml`.split(" "), { env: { PROTOCOLS: "all" } });
    writeFileSync(join(home, "s.yaml"), `${name}: ${value}\nmax_attachment_size: 55\n`);
    expect((await line(`settings set ${name}=ssh max_attachment_size=44 -y`)).code).toBe(0);
    expect((await apply("plan --exit-code")).code).toBe(10);
    const applied = await apply("apply -y");
    expect([applied.code, applied.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(await shown()).toMatchObject({ [name]: "", max_attachment_size: 55 });
    expect((await apply("plan --exit-code")).code).toBe(0);
  });

  test("an exported file sets it back", async () => {
    const { line, shown } = await place();
    expect((await line("settings export -O a.yaml")).code).toBe(0);
    expect((await line(`settings set ${name}=ssh max_attachment_size=55 -y`)).code).toBe(0);
    expect((await line("settings apply -f a.yaml -y")).code).toBe(0);
    expect((await shown())[name]).toBe("");
  });

  test.each([
    ["is: ssh", "fail"],
    ["not: all", "fail"],
    ["not: ''", "fail"],
    ["is: all", "pass"],
    ["is: ''", "pass"],
    ["not: http", "pass"],
    ["given: true", "pass"],
  ])("a rule has the word, too: { %s } is %s", async (expected, verdict) => {
    const { line, home } = await place();
    writeFileSync(join(home, "b.yaml"), `rules: [{ setting: ${name}, expect: { ${expected} } }]\n`);
    writeFileSync(join(home, "s.yaml"), `${name}: ""\n`);
    for (const more of ["", " -f s.yaml"]) {
      const rows = JSON.parse((await line(`settings audit --baseline b.yaml -o json${more}`)).stdout) as object[];
      expect(rows).toContainEqual(expect.objectContaining({ setting: name, verdict }));
    }
    const { stdout } = await line("audit --baseline b.yaml -o json");
    expect(stdout.includes(`"settings.${name}"`)).toBe(verdict === "fail");
  });

  test("any other value is refused by the instance", async () => {
    const { line } = await place();
    const { code, stderr } = await line(`settings set ${name}=git -y`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${name} does not have a valid value`)]);
    const raw = await line(`api application/settings -X PUT -f ${name}= -y`);
    expect([raw.code, raw.stderr]).toEqual([1, expect.stringContaining(`${name} does not have a valid value`)]);
  });
});

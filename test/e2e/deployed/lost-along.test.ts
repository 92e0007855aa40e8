import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../../src/sandbox/index.ts";
import { alteringSession } from "../../support/altering-proxy.ts";
import { type Session, sandboxSession } from "../../support/session.ts";

// What an instance removes along with a change, and what a plan and a rollback say of it.

async function applied(place: Session, lines: readonly string[], ...more: string[]) {
  await writeFile(join(place.home, "state.yaml"), ["forgectl: 1", ...lines, ""].join("\n"));
  const plan = await place.run(..."state plan -f state.yaml -o json".split(" "), ...more);
  const made = await place.run(..."state apply -f state.yaml --max-delete all --yes".split(" "), ...more);
  const back = await place.run(..."state rollback --yes".split(" "));
  return { rows: JSON.parse(plan.stdout), made, back };
}

test("hook-filter-dropped: a plan shows the branch filter that goes, and a rollback restores it", async () => {
  const place = await sandboxSession({ asDeployed: true, as: "owner" });
  const filter = async () =>
    (await place.run(..."hooks get 2 -g acme --jq .push_events_branch_filter".split(" "))).stdout;
  expect(await filter()).toBe("main\n");
  const hook = ["      - name: Deploys", "        url: https://deploys.acme.example/webhook"];
  const strategy = "        branch_filter_strategy: all_branches";
  const { rows, made, back } = await applied(place, ["groups:", "  acme:", "    hooks:", ...hook, strategy]);
  const [{ fields }] = rows.filter(({ action }: { action: string }) => action === "update");
  expect(fields.map(({ path }: { path: string }) => path).sort()).toEqual([
    "branch_filter_strategy",
    "push_events_branch_filter",
  ]);
  expect([made.code, back.code]).toEqual([0, 0]);
  expect(await filter()).toBe("main\n");
  const line = "hooks update 3 -g acme --branch-filter main";
  expect(await place.run(...line.split(" "))).toMatchObject({
    code: 9,
    stderr: expect.stringContaining("sent push_events_branch_filter main, the instance stored nothing"),
  });
});

test("hook-filter-dropped: of a file that declares the filter, too, a rollback restores it", async () => {
  const place = await sandboxSession({ asDeployed: true, as: "owner" });
  const hook = async () =>
    JSON.parse((await place.run(..."hooks get 2 -g acme -o json".split(" "))).stdout) as Record<string, unknown>;
  const before = await hook();
  expect(before.push_events_branch_filter).toBe("main");
  const lines = ["      - name: Deploys", "        url: https://deploys.acme.example/webhook"];
  const both = ["        branch_filter_strategy: all_branches", "        push_events_branch_filter: main"];
  const { rows, made, back } = await applied(place, ["groups:", "  acme:", "    hooks:", ...lines, ...both]);
  const note = "with branch_filter_strategy: all_branches, instances keep no push_events_branch_filter";
  expect(rows).toContainEqual(expect.objectContaining({ action: "update", reason: note }));
  expect([made.code, made.stderr]).toEqual([9, expect.stringContaining(note)]);
  expect([back.code, await hook()]).toEqual([0, before]);
});

test("a setting of the file that changed along is a conflict of a rollback, and restored with --overwrite", async () => {
  let url = "";
  const along = async (value: number) => {
    const headers = { "private-token": "sandbox-administrator-token", "content-type": "application/json" };
    const body = JSON.stringify({ session_expire_delay: value });
    return (await fetch(`${url}/api/v4/application/settings`, { method: "PUT", headers, body })).json();
  };
  const place = await alteringSession(async ({ method, sent }) => {
    const isOurs = method === "PUT" && (sent as Record<string, unknown>).terminal_max_session_time === 77;
    return isOurs ? { body: await along(1) } : undefined;
  });
  url = place.direct.sandbox.url;
  const before = (await along(480)) as Record<string, unknown>;
  const declared = "settings: { terminal_max_session_time: 77, session_expire_delay: 480 }";
  const { made, back } = await applied(place, [declared]);
  expect([made.code, made.stdout]).toEqual([9, expect.stringContaining("keeps session_expire_delay as 1")]);
  // Reads of settings are cached: it may be what another user has changed just before.
  expect([back.code, back.stderr]).toEqual([6, expect.stringContaining("#settings: changed since run")]);
  expect((await place.run(..."state rollback --overwrite --yes".split(" "))).code).toBe(0);
  const after = JSON.parse((await place.run("settings", "get", "-o", "json")).stdout);
  expect(after.session_expire_delay).toBe(480);
  expect(after.terminal_max_session_time).toBe(before.terminal_max_session_time);
});

test.each(["before", "after"])(
  "what another user changes between a plan and its change, or %s it, is theirs: a rollback leaves it alone",
  async (when) => {
    let url = "";
    const put = (body: object) => {
      const headers = { "private-token": "sandbox-administrator-token", "content-type": "application/json" };
      const at = `${url}/api/v4/groups/acme/hooks/2`;
      const whole = { url: "https://deploys.acme.example/webhook", ...body };
      return fetch(at, { method: "PUT", headers, body: JSON.stringify(whole) });
    };
    let isOver = false;
    const place = await alteringSession(async ({ method, path }) => {
      const isMoment = when === "before" ? method === "GET" && /hooks(?:\?|$)/.test(path) : method === "PUT";
      if (!isMoment || isOver) return undefined;
      isOver = true;
      await put({ enable_ssl_verification: false });
      return undefined;
    });
    url = place.direct.sandbox.url;
    await put({ enable_ssl_verification: true, description: "Old" });
    const chat = [
      "      - name: Chat",
      "        url: https://chat.acme.example/hooks/{channel}",
      "        description: New",
    ];
    const deploys = ["      - name: Deploys", "        url: https://deploys.acme.example/webhook"];
    const both = ["        description: New", "        enable_ssl_verification: true"];
    const lines = ["forgectl: 1", "groups:", "  acme:", "    hooks:", ...deploys, ...both, ...chat, ""];
    await writeFile(join(place.home, "state.yaml"), lines.join("\n"));
    const made = await place.run(..."state apply -f state.yaml --yes".split(" "));
    expect([made.code, made.stdout]).toEqual([9, expect.stringContaining("keeps enable_ssl_verification as false")]);
    expect((await place.run("state", "rollback", "--yes")).code).toBe(0);
    const hook = JSON.parse((await place.run(..."hooks get 2 -g acme -o json".split(" "))).stdout);
    expect(hook).toMatchObject({ description: "Old", enable_ssl_verification: false });
  },
);

test("settings-changed-along: a counter that the instance has raised is not lowered again", async () => {
  const place = await sandboxSession({ asDeployed: true });
  const version = async () => Number((await place.run("settings", "get", "local_markdown_version")).stdout);
  const before = await version();
  const declared = `settings: { asset_proxy_allowlist: [images.example], local_markdown_version: ${before} }`;
  const { made, back } = await applied(place, [declared]);
  expect([made.code, made.stdout]).toEqual([9, expect.stringContaining("keeps local_markdown_version as")]);
  expect([back.code, await version()]).toEqual([0, before + 2]);
});

test("a plan of a webhook's new URL names the URL variables that go, and only if there are some", async () => {
  const place = await sandboxSession({ asDeployed: true, as: "owner" });
  const reasonOf = async (id: number) => {
    const { id: own, name } = JSON.parse(
      (await place.run("hooks", "get", String(id), "-g", "acme", "-o", "json")).stdout,
    );
    const lines = [
      `      - id: ${own}`,
      ...(name ? [`        name: ${name}`] : []),
      "        url: https://new.acme.example/x",
    ];
    const { rows, made } = await applied(place, ["groups:", "  acme:", "    hooks:", ...lines]);
    expect(made.stderr).toMatch(/^warning: acme#hooks\/[^\n]*: a new url drops token/m);
    return rows.find(({ action }: { action: string }) => action === "update").reason;
  };
  expect(await reasonOf(1)).toBe("a new url drops token and url_variables, which the file does not give");
  expect(await reasonOf(2)).not.toContain("url_variables");
});

test("saml-link-unshown: a removal, a replacement, and a rollback say what no request restores", async () => {
  const place = await sandboxSession({ asDeployed: true, as: "owner" });
  const lost =
    "its group in SCIM, and whether it assigns seats, are not known to the API: added again, it may have neither";
  const [{ name, access_level: level }] = JSON.parse(
    (await place.run(..."saml links list -g acme -o json".split(" "))).stdout,
  );
  const other = level === 20 ? "developer" : "reporter";
  const link = [`      - name: ${JSON.stringify(name)}`, `        access_level: ${other}`];
  const { rows, made, back } = await applied(place, ["groups:", "  acme:", "    saml_group_links:", ...link]);
  const [replaced] = rows.filter(({ action }: { action: string }) => action === "replace");
  expect(replaced.reason).toBe(lost);
  expect([made.code, back.code]).toEqual([0, 0]);
  const none = await applied(place, ["groups:", "  acme:", "    saml_group_links: []"], "--prune");
  expect(none.back.stderr).toContain(`acme#saml_group_links/${name}`);
  expect([none.back.code, none.back.stderr]).toEqual([0, expect.stringContaining(`not restored: ${lost}`)]);
  const asked = await place.run("saml", "links", "remove", "-g", "acme", name);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(lost)]);
});

test("branch-removed-along: a removal of a protection and its rollback say what goes with it", async () => {
  const place = await sandboxSession({ asDeployed: true, as: "owner" });
  const lines = ["projects:", "  acme/storefront:", "    protected_branches:", "      - name: main"];
  const { rows, made, back } = await applied(place, lines, "--prune");
  const lost = "its squash option, and its place in status checks and approval rules, are not known to the API";
  expect(rows).toContainEqual(expect.objectContaining({ action: "delete", reason: expect.stringContaining(lost) }));
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(`release/*: ${lost}`)]);
  expect([back.code, back.stderr]).toEqual([0, expect.stringContaining(`release/*: not restored: ${lost}`)]);
});

test("ldap-members-stay: a plan that removes links says once that members may stay", async () => {
  const place = await sandboxSession({ asDeployed: true, as: "owner" });
  const { rows, made } = await applied(place, ["groups:", "  acme:", "    ldap_group_links: []"], "--prune");
  const stay = "members whom the last LDAP link of a server added stay in the group";
  const removed = rows.filter(({ action }: { action: string }) => action === "delete");
  expect(removed.length).toBeGreaterThan(1);
  for (const { reason } of removed) expect(reason).toBe(stay);
  expect([made.code, made.stderr.split(stay).length]).toEqual([0, 2]);
});

test("branch-custom-roles: a rule for a custom role is exported, planned, and restored as one, not as one for its level", async () => {
  const place = await sandboxSession({ asDeployed: true, as: "owner" });
  const path = "projects/7/protected_branches/main";
  const pushers = async () => {
    const { stdout } = await place.run("api", path, "--jq", ".push_access_levels");
    const levels = JSON.parse(stdout) as { id: number; access_level: number; member_role_id: number | null }[];
    return levels.map(({ access_level: level, member_role_id: role }) => (role === null ? `level ${level}` : role));
  };
  const [{ id }] = JSON.parse((await place.run("api", path, "--jq", ".push_access_levels")).stdout);
  const only = { allowed_to_push: [{ member_role_id: 42 }, { id, _destroy: true }] };
  await place.run("api", "-X", "PATCH", path, "--input", "-", { input: JSON.stringify(only) });
  expect(await pushers()).toEqual([42]);
  const exported = await place.run(..."state export -p acme/storefront -O -".split(" "));
  const [, main = ""] = /- name: main\n(.*?)(?=\n {6}- name:)/s.exec(exported.stdout) ?? [];
  expect(main).toMatch(/push_access_levels:\n +- member_role_id: 42 # Custom role 42\n +merge_access_levels:/);
  await writeFile(join(place.home, "exported.yaml"), exported.stdout);
  const same = await place.run(..."state plan -f exported.yaml -p acme/storefront --exit-code".split(" "));
  expect([same.code, same.stdout]).toEqual([0, expect.not.stringContaining("protected_branches/main")]);
  const branch = ["projects:", "  acme/storefront:", "    protected_branches:"];
  const level = ["      - name: main", "        push_access_levels: [{ access_level: maintainer }]"];
  const changed = await applied(place, [...branch, ...level]);
  expect(changed.rows.map(({ action }: { action: string }) => action)).toContain("update");
  expect([changed.made.code, changed.back.code, await pushers()]).toEqual([0, 0, [42]]);
  const { made, back } = await applied(place, ["projects: { acme/storefront: { protected_branches: [] } }"], "--prune");
  expect([made.code, back.code, await pushers()]).toEqual([0, 0, [42]]);
});

describe("settings-changed-along: the old setting of the branch protection replaces the new one", () => {
  const name = "default_branch_protection_defaults";
  const custom = { allowed_to_push: [{ access_level: 60 }], allowed_to_merge: [{ access_level: 60 }] };
  const all = { ...custom, allow_force_push: false };
  const warned = expect.stringMatching(
    /^warning: not as it was read either, though it was not sent: default_branch_protection_defaults \(\{.*\} → \{.*\}\)$/m,
  );

  /** What is answered to a PUT that changes nothing: that is never cached. */
  async function stored({ sandbox }: Awaited<ReturnType<typeof sandboxSession>>) {
    const answer = await fetch(`${sandbox.url}/api/v4/application/settings`, {
      method: "PUT",
      headers: { "PRIVATE-TOKEN": sandbox.tokens.administrator, "content-type": "application/json" },
      body: JSON.stringify({ max_attachment_size: 100 }),
    });
    const shown = (await answer.json()) as Record<string, unknown>;
    return [shown.default_branch_protection, shown[name]];
  }

  test.each([
    ["settings are read as they are", 0, "state"],
    ["settings are cached", 600, "state"],
    ["settings are cached", 600, "settings"],
  ])("%s, %i seconds: %s apply warns, and its rollback restores both", async (_, settingsCacheSeconds, group) => {
    const place = await sandboxSession({ asDeployed: true, settingsCacheSeconds });
    expect((await place.run("settings", "set", `${name}=${JSON.stringify(all)}`)).code).toBe(0);
    const text =
      group === "state"
        ? "forgectl: 1\nsettings: { default_branch_protection: 4 }\n"
        : "default_branch_protection: 4\n";
    await writeFile(join(place.home, "file.yaml"), text);
    const made = await place.run(group, "apply", "-f", "file.yaml", "--yes");
    expect([made.code, made.stderr]).toEqual([0, warned]);
    const weaker = { allowed_to_push: [{ access_level: 40 }], allowed_to_merge: [{ access_level: 40 }] };
    expect(await stored(place)).toEqual([4, { ...weaker, allow_force_push: false, developer_can_initial_push: true }]);
    const back = await place.run(group, "rollback", "--yes");
    expect([back.code, back.stderr, await stored(place)]).toEqual([
      0,
      expect.stringContaining("1 change made and verified"),
      [2, all],
    ]);
    expect(back.stderr).not.toContain("not as it was read");
  });

  test("also once the new one has been set back by hand", async () => {
    const place = await sandboxSession({ asDeployed: true });
    const set = `settings set ${name}=${JSON.stringify(all)}`.split(" ");
    await place.run(...set);
    await writeFile(join(place.home, "file.yaml"), "default_branch_protection: 0\n");
    expect((await place.run(..."settings apply -f file.yaml --yes".split(" "))).code).toBe(0);
    await place.run(...set);
    expect((await place.run("settings", "rollback", "--yes")).code).toBe(0);
    expect(await stored(place)).toEqual([2, all]);
  });

  test("also after a change whose outcome is not known", async () => {
    const place = await alteringSession(
      ({ sent }) => {
        const isLost = (sent as Record<string, unknown> | undefined)?.default_branch_protection === 0;
        return isLost ? { status: 500, body: { message: "500 Internal Server Error" } } : undefined;
      },
      { asDeployed: true, settingsCacheSeconds: 600 },
    );
    await place.run("settings", "set", `${name}=${JSON.stringify(all)}`);
    const { made, back } = await applied(place, ["settings: { default_branch_protection: 0 }"]);
    expect(made.stdout).toContain("#settings\tupdate\tunknown");
    // The lost change may still be made after it.
    expect([back.code, back.stdout]).toEqual([9, expect.stringContaining("#settings\tupdate\tdone")]);
    expect(await stored(place.direct)).toEqual([2, all]);
  });

  test("a refusal of the second request is not one of both: a cached read does not show the first", async () => {
    let isRefused = false;
    const place = await alteringSession(
      ({ method, sent }) => {
        const isSecond = isRefused && method === "PUT" && Object.keys(sent as object).join() === name;
        return isSecond ? { status: 400, body: { message: "no" } } : undefined;
      },
      { asDeployed: true, settingsCacheSeconds: 600 },
    );
    await writeFile(join(place.home, "file.yaml"), "default_branch_protection: 0\n");
    expect((await place.run(..."settings apply -f file.yaml --yes".split(" "))).code).toBe(0);
    isRefused = true;
    const back = await place.run("settings", "rollback", "--yes");
    expect(back.stdout).toContain("#settings\tupdate\tunknown");
  });

  test("settings set warns, and offers no line that would undo only half of it", async () => {
    const place = await sandboxSession({ asDeployed: true });
    const { code, stderr } = await place.run("settings", "set", "default_branch_protection=0");
    expect([code, stderr]).toEqual([0, warned]);
    expect(stderr).not.toContain("undo: ");
  });
});

describe("settings-changed-along: what the file does not declare", () => {
  /** An instance that changes one setting along with another. */
  async function changing(options: SandboxOptions = {}, along: object = { session_expire_delay: 1 }) {
    let url = "";
    const put = async (body: object) => {
      const headers = { "private-token": "sandbox-administrator-token", "content-type": "application/json" };
      const at = `${url}/api/v4/application/settings`;
      return (await fetch(at, { method: "PUT", headers, body: JSON.stringify(body) })).json();
    };
    const place = await alteringSession(async ({ method, sent }) => {
      const isOurs =
        method === "PUT" &&
        "terminal_max_session_time" in (sent as object) &&
        !Object.keys(along).some((name) => name in (sent as object));
      return isOurs ? { body: await put(along) } : undefined;
    }, options);
    url = place.direct.sandbox.url;
    return place;
  }
  const declared = "settings: { terminal_max_session_time: 77 }";

  test("is named, and a rollback is a conflict; --overwrite restores it", async () => {
    const place = await changing();
    const { made, back } = await applied(place, [declared]);
    const words = "warning: not as it was read either, though it was not sent: session_expire_delay (480 → 1)\n";
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(words)]);
    expect([back.code, back.stderr]).toEqual([6, expect.stringContaining("#settings: changed since run")]);
    expect((await place.run(..."state rollback --overwrite --yes".split(" "))).code).toBe(0);
    expect((await place.run("settings", "get", "session_expire_delay")).stdout).toBe("480\n");
  });

  test.each([
    ["https://old:pw@search.example/", "", '("https://[redacted]@search.example/" → "")'],
    ["https://search.example/?token=OLD", "https://search.example/?token=NEW", "(a secret in it)"],
  ])("if a secret is in it, no line shows it, and a rollback says that it is lost: %s", async (before, now, words) => {
    const place = await changing({}, { codesearch_url: now });
    expect((await place.run("settings", "set", `codesearch_url=${before}`, "--yes")).code).toBe(0);
    const { made, back } = await applied(place, [declared]);
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(`not sent: codesearch_url ${words}\n`)]);
    expect([back.code, back.stderr]).toEqual([
      9,
      expect.stringContaining("the secrets in codesearch_url; set them again"),
    ]);
    expect(made.stderr + back.stderr).not.toMatch(/OLD|NEW|pw@/);
  });

  test("so is it while a cached read does not show it: what was answered is remembered", async () => {
    const place = await changing({ settingsCacheSeconds: 600 });
    // The answer to a change is not cached.
    const stored = async () => {
      const answer = await place.direct.run(..."api application/settings -X PUT -f first_day_of_week=1 -y".split(" "));
      const { session_expire_delay: delay, terminal_max_session_time: time } = JSON.parse(answer.stdout);
      return [time, delay];
    };
    const { made, back } = await applied(place, [declared]);
    expect(made.code).toBe(0);
    expect([back.code, back.stderr]).toEqual([6, expect.stringContaining("#settings: changed since run")]);
    expect(back.stderr).not.toContain("in the file");
    const over = await place.run(..."state rollback --overwrite --yes".split(" "));
    expect([over.code, await stored()]).toEqual([0, [0, 480]]);
  });
});

test("what a run or an apply right before it has written is not changed along, nor is another name of it", async () => {
  const place = await sandboxSession({ asDeployed: true, settingsCacheSeconds: 600 });
  const hook =
    "groups: { acme: { hooks: [{ name: Deploys, url: 'https://deploys.acme.example/webhook', description: New }] } }";
  // What can lock users out is sent last, in a request of its own.
  const declared =
    "settings: { throttle_unauthenticated_web_enabled: true, password_authentication_enabled_for_web: false }";
  await writeFile(join(place.home, "state.yaml"), ["forgectl: 1", declared, hook, ""].join("\n"));
  const made = await place.run(..."state apply -f state.yaml --yes".split(" "));
  expect([made.code, made.stdout.split("#settings").length]).toEqual([0, 3]);
  await writeFile(join(place.home, "settings.yaml"), "terminal_max_session_time: 77\n");
  const next = await place.run(..."settings apply -f settings.yaml --yes".split(" "));
  const back = await place.run("settings", "rollback", "--yes");
  expect([next.code, back.code]).toEqual([0, 0]);
  expect(made.stderr + next.stderr + back.stderr).not.toContain("not as it was read");
});

describe("settings-computed: a word for a feature and its lock", () => {
  const names = ["assistant_availability", "assistant_features_enabled", "lock_assistant_features_enabled"];
  const shown = async ({ run }: Session) => {
    const all = JSON.parse((await run("api", "application/settings")).stdout);
    return names.map((name) => all[name]);
  };

  test("that tells both: a rollback restores them, and nothing warns", async () => {
    const place = await sandboxSession({ asDeployed: true });
    for (const word of ["never_on", "default_off", "default_on"]) {
      for (const other of ["default_off", "default_on", "never_on"].filter((each) => each !== word)) {
        expect((await place.run("settings", "set", `${names[0]}=${word}`, "--yes")).code).toBe(0);
        const before = await shown(place);
        const { made, back } = await applied(place, [`settings: { ${names[0]}: ${other} }`]);
        expect([word, other, made.code, back.code, await shown(place)]).toEqual([word, other, 0, 0, before]);
        expect(made.stderr).not.toContain("not as it was read");
      }
    }
  });

  test("that does not tell that it is on and locked: what else changed is a conflict of the rollback", async () => {
    const place = await sandboxSession({ asDeployed: true });
    await place.run("settings", "set", `${names[1]}=true`, `${names[2]}=true`, "--yes");
    expect(await shown(place)).toEqual(["never_on", true, true]);
    const { made, back } = await applied(place, [`settings: { ${names[0]}: default_off }`]);
    expect([made.code, back.code]).toEqual([0, 6]);
    expect(made.stderr).toContain(`not as it was read either, though it was not sent: `);
  });
});

test("what is computed from what another part of the run wrote is not changed along, also while reads are cached", async () => {
  const place = await sandboxSession({ asDeployed: true, settingsCacheSeconds: 600 });
  const pings = "usage_ping_enabled: false, usage_ping_features_enabled: true";
  const both = ["settings:", `  { ${pings}, password_authentication_enabled_for_web: false }`];
  const hook = "{ name: Deploys, url: 'https://deploys.acme.example/webhook', enable_ssl_verification: false }";
  const { made, back } = await applied(place, [...both, `groups: { acme: { hooks: [${hook}] } }`]);
  expect([made.code, back.code]).toEqual([9, 0]);
});

test("no warning of what changed along has a secret of a text, and no row", async () => {
  const secret = (count: number) => ({
    zz_text: `curl -H 'PRIVATE-TOKEN: glitter-${count}' https://a.example`,
    zz_json: `{"password":"glitter-${count}"}`,
    zz_object: { command: `curl -H "Authorization: Bearer glitter-${count}"` },
  });
  let count = 1;
  const place = await alteringSession(({ method, path, status, body }) => {
    if (!path.includes("application/settings") || status !== 200) return undefined;
    if (method === "PUT") count += 1;
    return { body: { ...(body as object), ...secret(count) } };
  });
  const set = await place.run("settings", "set", "default_projects_limit=77");
  expect([set.code, set.stdout]).toEqual([0, expect.not.stringContaining("glitter")]);
  expect(set.stderr).toContain("warning: not as it was read either");
  expect(set.stderr).toContain("zz_text (a secret in it), zz_json (a secret in it), zz_object (a secret in it)");
  expect(set.stderr).not.toContain("glitter");
  const text = JSON.stringify(secret(0).zz_text);
  const { made, back } = await applied(place, ["settings:", "  default_projects_limit: 78", `  zz_text: ${text}`]);
  expect(made.code).toBe(9);
  for (const { stdout, stderr } of [made, back]) expect(stdout + stderr).not.toMatch(/glitter-[^0]/);
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findSetting, type Setting } from "../../src/settings/catalogue.ts";
import { sandboxSession, session } from "../support/session.ts";
import { settingsInstance } from "../support/settings-instance.ts";

// Settings of an instance that shows and takes them as real ones do: an exported file is valid, and planning it shows
// nothing; after an apply of an edited one nothing is left to plan, and a rollback, or an undo line, restores the rest.

type Values = Record<string, unknown>;

async function place(stored: Values = {}) {
  const instance = await settingsInstance();
  // Instances show secrets, and require them again where a setting is switched on.
  instance.put({ spamsvc_api_key: "k3y-of-spam", chatapp_id: "1" });
  instance.put({ chatapp_secret: "s3cret-1", chatapp_signing_secret: "s3cret-2", chatapp_verification_token: "t0ken" });
  instance.put(stored);
  const { home, run } = session({ FORGECTL_BASE_URL: instance.url, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const settings = (line: string) => run("settings", ...line.split(" "));
  const write = (name: string, values: Values) => writeFileSync(join(home, name), JSON.stringify(values));
  const exported = async () => {
    expect((await settings("export -O export.yaml")).code).toBe(0);
    return parse(readFileSync(join(home, "export.yaml"), "utf8")) as Values;
  };
  /** Without the counter that a change of the asset proxy raises; what was null may have become empty. */
  const shown = () =>
    Object.fromEntries(
      Object.entries(instance.shown()).map(([name, value]) =>
        name === "local_markdown_version" ? [name, 0] : [name, value === null ? "" : value],
      ),
    );
  return { instance, run, settings, write, exported, shown };
}

const others: Readonly<Record<string, unknown>> = {
  asset_proxy_allowlist: ["images.example", "forge.acme.example"],
  default_branch_protection_defaults: { allowed_to_push: [{ access_level: 30 }], allow_force_push: true },
  editor_extension_marketplace: { enabled: true },
  external_pipeline_validation_service_timeout: "5",
  polling_interval_multiplier: 2,
  repository_storages_weighted: { default: 60, nfs: 40 },
  sign_in_restrictions: { session_expire_from_init: true },
  spam_check_endpoint_url: "tls://spam.example:443",
};

/** Another value of a setting, of its documented type. */
function otherThan(value: unknown, { name, type, values, max }: Setting): unknown {
  if (Object.hasOwn(others, name)) return others[name];
  const [one] = values?.filter((each) => each !== value) ?? ["https://other.example"];
  if (type === "boolean") return !value;
  if (type === "integer" || type === "number") return Number(value) + (max === undefined ? 1 : -1);
  return type === "array" ? [one] : one;
}

test("an exported file in which all that is documented is edited", async () => {
  // Terms of service that were given cannot be taken away.
  const { settings, write, exported, shown } = await place({ terms: "Be kind" });
  const before = shown();
  const first = await exported();
  expect((await settings("validate -f export.yaml")).code).toBe(0);
  expect((await settings("plan -f export.yaml --exit-code")).code).toBe(0);
  const documented = Object.keys(first).flatMap((name) => findSetting(name) ?? []);
  const edited = documented.filter(({ name }) => name !== "performance_bar_allowed_group_id");
  expect(edited.length).toBeGreaterThan(150);
  write("edited.yaml", {
    ...first,
    ...Object.fromEntries(edited.map((setting) => [setting.name, otherThan(first[setting.name], setting)])),
    // On while the tokens are disabled, and off while the usage ping is, as they are then.
    disable_feed_token: true,
    usage_ping_features_enabled: false,
  });
  const made = await settings("apply -f edited.yaml --yes --allow-lockout");
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
  expect((await settings("plan -f edited.yaml --exit-code")).code).toBe(0);
  const back = await settings("rollback --yes");
  expect([back.code, back.stdout + back.stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
  expect(shown()).toEqual(before);
  expect((await settings("plan -f export.yaml --exit-code")).code).toBe(0);
});

/** Values that are stored, or shown, in another form than they are written. */
const forms: readonly (readonly [name: string, value: unknown])[] = [
  ["editor_extension_marketplace", { enabled: true }],
  ["external_pipeline_validation_service_timeout", "7"],
  ["git_rate_limit_users_alertlist", [3, 2]],
  ["housekeeping_enabled", false],
  ["housekeeping_optimize_repository_period", 20],
  ["outbound_local_requests_allowlist_raw", "10.0.0.1, b.example"],
  ["polling_interval_multiplier", 1.5],
  ["protected_paths_raw", "/b\n/a\n"],
  ["sign_in_restrictions", { session_expire_from_init: true }],
];

describe.each(forms)("%s", (name, value) => {
  test(`${JSON.stringify(value)} in an exported file`, async () => {
    const { settings, write, exported, shown } = await place();
    const before = shown();
    write("edited.yaml", { ...(await exported()), [name]: value });
    const made = await settings("apply -f edited.yaml --yes --allow-lockout");
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
    expect(shown()).not.toEqual(before);
    expect((await settings("plan -f edited.yaml --exit-code")).code).toBe(0);
    expect((await settings("rollback --yes")).code).toBe(0);
    expect(shown()).toEqual(before);
  });

  test(`${JSON.stringify(value)}, and the undo line`, async () => {
    const { run, shown } = await place();
    const before = shown();
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const made = await run("settings", "set", `${name}=${text}`, "--yes");
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("undo: forgectl settings set ")]);
    expect(made.stderr).not.toContain("not as it was read");
    expect(shown()).not.toEqual(before);
    const [, line = ""] = /undo: forgectl (.*)/.exec(made.stderr) ?? [];
    const words = line.match(/'[^']*'|\S+/g) ?? [];
    expect((await run(...words.map((word) => word.replace(/^'|'$/g, "")), "--yes")).code).toBe(0);
    expect(shown()).toEqual(before);
  });
});

test("exports have neither parts of an object, nor a counter, nor what is only shown as others say", async () => {
  const { instance, exported } = await place();
  const names = [
    "disable_password_authentication_for_users_with_sso_identities",
    "editor_extension_marketplace_enabled",
    "local_markdown_version",
    "require_admin_two_factor_authentication",
    "usage_ping_generation_enabled",
  ];
  expect(Object.keys(instance.shown())).toEqual(expect.arrayContaining(names));
  expect(names.filter((name) => name in instance.shown())).toEqual(names);
  expect(Object.keys(await exported())).not.toEqual(expect.arrayContaining([expect.toBeOneOf(names)]));
  expect(await exported()).toHaveProperty("disable_feed_token", false);
  instance.put({ disable_personal_access_tokens: true });
  expect(instance.shown().disable_feed_token).toBe(true);
  expect(await exported()).not.toHaveProperty("disable_feed_token");

  // What is shown of these is what is stored for them, the other way round.
  expect(await exported()).toHaveProperty("usage_ping_features_enabled", true);
  instance.put({ usage_ping_enabled: false });
  expect(await exported()).not.toHaveProperty("usage_ping_features_enabled");
  expect(await exported()).toHaveProperty("usage_ping_generation_enabled");
});

test("a file that contradicts what is shown of another setting says what to write, and is quiet with it", async () => {
  const { settings, write, exported } = await place();
  const edited = { ...(await exported()), usage_ping_enabled: false };
  write("edited.yaml", edited);
  const made = await settings("apply -f edited.yaml --yes --allow-lockout");
  expect([made.code, made.stdout]).toEqual([
    9,
    expect.stringContaining("write usage_ping_features_enabled: false in the file"),
  ]);
  write("edited.yaml", { ...edited, usage_ping_features_enabled: false });
  expect((await settings("plan -f edited.yaml --exit-code")).code).toBe(0);
});

test.each([
  [
    { throttle_unauthenticated_enabled: true, throttle_unauthenticated_web_enabled: false },
    "it is replaced by throttle_unauthenticated_web_enabled, which is in the file too",
  ],
])("%j says two things of one setting", async (values, said) => {
  const { settings, write, shown } = await place();
  const before = shown();
  write("both.yaml", values);
  const made = await settings("apply -f both.yaml --yes --allow-lockout");
  expect([made.code, made.stderr]).toEqual([2, expect.stringContaining(said)]);
  expect(shown()).toEqual(before);
});

test("a part by itself beside its object, which does not have it, is stored with the object", async () => {
  const { settings, write, instance } = await place();
  const parts = { require_admin_two_factor_authentication: true };
  write("both.yaml", { ...parts, sign_in_restrictions: { session_expire_from_init: true } });
  const made = await settings("apply -f both.yaml --yes --allow-lockout");
  expect([made.code, instance.shown()]).toEqual([0, expect.objectContaining(parts)]);
  expect(instance.shown().session_expire_from_init).toBe(true);
});

test("settings set of a part and of its object, without that part, stores both", async () => {
  const { run, instance } = await place();
  const part = "require_admin_two_factor_authentication=true";
  const line = ["settings", "set", part, 'sign_in_restrictions={"session_expire_from_init":true}', "--yes"];
  expect((await run(...line)).code).toBe(0);
  expect(instance.shown()).toMatchObject({
    require_admin_two_factor_authentication: true,
    session_expire_from_init: true,
  });
});

test("a part and its object that say the same are both written", async () => {
  const { settings, write, instance } = await place();
  write("both.yaml", { sign_in_restrictions: { session_expire_from_init: true }, session_expire_from_init: true });
  const made = await settings("apply -f both.yaml --yes --allow-lockout");
  expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("is a part of")]);
  expect(instance.shown()).toMatchObject({ session_expire_from_init: true });
});

test.each([
  [{ sign_in_restrictions: { session_expire_from_init: true } }, { session_expire_from_init: false }],
  [{ editor_extension_marketplace: { enabled: false } }, { editor_extension_marketplace_enabled: true }],
])("a part that says otherwise than its object is a warning: %j and %j", async (object, part) => {
  const { settings, write } = await place();
  write("both.yaml", { ...object, ...part });
  const { code, stderr } = await settings("plan -f both.yaml");
  const [name] = Object.keys(part);
  const [whole] = Object.keys(object);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${name} is a part of ${whole}, which says otherwise`)]);
});

test("an instance that has a part as a setting of its own, as documented, is exported and restored with both", async () => {
  const name = "require_admin_two_factor_authentication";
  const { home, run } = await sandboxSession();
  expect((await run("settings", "set", `${name}=true`, "--yes")).code).toBe(0);
  expect((await run("settings", "export", "-O", "settings.yaml")).code).toBe(0);
  expect(readFileSync(join(home, "settings.yaml"), "utf8")).toContain(`\n${name}: true\n`);
  expect((await run("settings", "plan", "-f", "settings.yaml", "--exit-code")).code).toBe(0);
  expect((await run("settings", "set", `${name}=false`, "--yes")).code).toBe(0);
  expect((await run(..."settings apply -f settings.yaml --yes --allow-lockout".split(" "))).code).toBe(0);
  expect((await run("settings", "get", name)).stdout).toBe("true\n");
});

test("terms of service cannot be emptied, and a group is not taken by its ID: the cause is said", async () => {
  const { run } = await place();
  const terms = await run("settings", "set", "terms=Be nice");
  expect([terms.code, terms.stderr]).toEqual([0, expect.not.stringContaining("undo:")]);
  const emptied = await run("settings", "set", "terms=");
  expect([emptied.code, emptied.stderr]).toEqual([9, expect.stringContaining("keep the terms of service")]);
  const group = await run("settings", "set", "performance_bar_allowed_group_id=42");
  expect([group.code, group.stderr]).toEqual([9, expect.stringContaining("look there for the path of a group")]);
});

describe("a switch that no document has, which an instance takes only together with others", () => {
  const alongside = "sent along as they were read, since the instance requires them: maildrop_";

  test("is restored by the undo line of settings set", async () => {
    const { run, shown } = await place();
    const before = shown();
    const off = await run("settings", "set", "maildrop_events_enabled=false");
    expect([off.code, off.stderr]).toEqual([
      0,
      expect.stringContaining("undo: forgectl settings set maildrop_events_enabled=true"),
    ]);
    const back = await run("settings", "set", "maildrop_events_enabled=true");
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining(alongside)]);
    expect(back.stdout + back.stderr).not.toContain("k3y-of-maildrop");
    expect(shown()).toEqual(before);
  });

  test("is restored by a rollback, and the rest of the run with it", async () => {
    const { settings, write, shown } = await place();
    const before = shown();
    write("off.yaml", { maildrop_events_enabled: false, signup_enabled: true });
    expect((await settings("apply -f off.yaml --yes --allow-lockout")).code).toBe(0);
    const back = await settings("rollback --yes");
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining(alongside)]);
    expect(back.stdout + back.stderr).not.toContain("k3y-of-maildrop");
    expect(shown()).toEqual(before);
  });

  test("is refused where the instance does not show what it requires", async () => {
    const { run, instance, shown } = await place({ maildrop_events_enabled: false });
    instance.hide("maildrop_signing_key");
    const before = shown();
    const { code, stderr } = await run("settings", "set", "maildrop_events_enabled=true");
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("maildrop_signing_key is missing, maildrop_region is missing"),
    ]);
    expect(shown()).toEqual(before);
  });

  test.each([
    ["masked", { maildrop_region: { id: 1, secret: "********" } }, ["maildrop_events_enabled=true"]],
    ["given by its part", {}, ["maildrop_archive_enabled=true", "session_expire_from_init=true"]],
  ])("is refused where what it requires is %s", async (_why, stored, assignments) => {
    const { run, shown } = await place({ maildrop_events_enabled: false, ...stored });
    const before = shown();
    const { code, stderr } = await run("settings", "set", ...assignments, "--yes");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cause: .* is missing/)]);
    expect(shown()).toEqual(before);
  });

  test("is sent with what is shown by then, not with what was read before a wait", async () => {
    const { run, instance, shown } = await place({ maildrop_events_enabled: false });
    instance.limitOnce(() => instance.put({ maildrop_region: "us" }));
    expect((await run("settings", "set", "maildrop_events_enabled=true")).code).toBe(0);
    expect(shown()).toMatchObject({ maildrop_events_enabled: true, maildrop_region: "us" });
  });
});

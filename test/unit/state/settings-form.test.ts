import { describe, expect, test } from "vitest";
import { settingsFile } from "../../../src/commands/settings/settings-file.ts";
import { Findings, type Origin } from "../../../src/state/finding.ts";
import type { Values } from "../../../src/state/kind.ts";
import {
  exportSettings,
  isLeftOut,
  readSettings,
  settingsSchema,
  undocumentedIn,
} from "../../../src/state/kinds/settings-form.ts";
import type { Mapping } from "../../../src/state/yaml/tree.ts";
import { compose } from "../../../src/state/yaml/yaml.ts";
import { Remark } from "../../../src/state/yaml/yaml-comment.ts";

function read(text: string, strict = false) {
  const findings = new Findings();
  const places: Record<string, Origin> = {};
  const spot = { file: "s.yaml", path: "settings", findings, strict, kind: "settings", folder: undefined, nulls: [] };
  const values = readSettings(compose(text) as Mapping, places, spot);
  const found = findings.list.map(({ line, path, severity, message }) => `${line} ${path} ${severity}: ${message}`);
  return { values, places, found };
}

describe("the settings of a file", () => {
  test("are values by name, each with its line", () => {
    const { values, places, found } = read("signup_enabled: false\nmax_login_attempts: 5\n");
    expect(values).toEqual({ signup_enabled: false, max_login_attempts: 5 });
    expect(places).toEqual({
      signup_enabled: { file: "s.yaml", line: 1 },
      max_login_attempts: { file: "s.yaml", line: 2 },
    });
    expect(found).toEqual([]);
  });

  test.each([
    ["signup_enabled: maybe", "1 settings.signup_enabled error: must be true or false"],
    ["\nsignup_enabled: null", "2 settings.signup_enabled error: must be true or false, not null"],
    ["signup_enabledd: true", "1 settings.signup_enabledd warning: "],
    ["moon: null", "1 settings.moon warning: "],
  ])("%j: %s", (text, finding) => {
    const { found } = read(text);
    expect([found.length, found[0]]).toEqual([1, expect.stringContaining(finding)]);
  });

  test("null is what an instance answers for a value that was never set", () => {
    expect(read("max_login_attempts: null\nafter_sign_up_text: null")).toMatchObject({
      values: { max_login_attempts: null, after_sign_up_text: null },
      found: [],
    });
  });

  test("texts, addresses, and unknown settings may be references; numbers and switches not", () => {
    const text = "after_sign_up_text: { env: A }\nglobally_allowed_ips: { env: B }\nmoon: { env: C }";
    const { values } = read(text);
    expect(Object.values(values)).toMatchObject(["A", "B", "C"].map((name) => ({ reference: "env", name })));
    expect(read("max_login_attempts: { env: A }").found[0]).toContain("1 settings.max_login_attempts error");
  });

  test("a secret in plain text is an error with --strict", () => {
    expect(read("spamsvc_api_key: abc", true).found[0]).toContain("1 settings.spamsvc_api_key error");
  });

  test("what the instance sets itself is left out, with its place", () => {
    const { values, places } = read("id: 1\ncreated_at: x\nupdated_at: y\nsignup_enabled: true");
    expect([values, Object.keys(places)]).toEqual([{ signup_enabled: true }, ["signup_enabled"]]);
  });

  test.each([
    [
      "asset_proxy_whitelist: [a.example]\nasset_proxy_allowlist: [a.example]",
      "warning: is the old name of asset_proxy_allowlist, which is in the file too",
    ],
    [
      "asset_proxy_whitelist: [a.example]\nasset_proxy_allowlist: [b.example]",
      "error: is the old name of asset_proxy_allowlist, which is in the file too",
    ],
    [
      "admin_notification_email: a@b.c\nabuse_notification_email: a@b.c",
      "error: is deprecated: it is replaced by abuse_notification_email, which is in the file too",
    ],
    [
      "password_authentication_enabled: true\npassword_authentication_enabled_for_web: true",
      "warning: is another name of password_authentication_enabled_for_web, which is in the file too",
    ],
    [
      "password_authentication_enabled: true\npassword_authentication_enabled_for_web: false",
      "error: is another name of password_authentication_enabled_for_web, which is in the file too",
    ],
    [
      'domain_allowlist_raw: "b.example\\na.example"\ndomain_allowlist: [a.example, b.example]',
      "warning: is another name of domain_allowlist, which is in the file too",
    ],
    [
      "domain_allowlist_raw: a.example\ndomain_allowlist: [a.example, b.example]",
      "error: is another name of domain_allowlist, which is in the file too",
    ],
    [
      "assistant_availability: never_on\nassistant_features_enabled: true",
      "error: is another name of assistant_features_enabled, which is in the file too",
    ],
  ])("of two names of one setting one is read: %s", (text, finding) => {
    const { values, places, found } = read(text);
    const [old = "", successor = ""] = text.split("\n").map((line) => line.replace(/:.*/, ""));
    expect([Object.keys(values), Object.keys(places)]).toEqual([[successor], [successor]]);
    expect(found).toContain(`1 settings.${old} ${finding}`);
  });

  test("an old name alone is read", () => {
    expect(read("asset_proxy_whitelist: [a.example]").values).toEqual({ asset_proxy_whitelist: ["a.example"] });
  });
});

describe("an export of settings", () => {
  test.each<[law: string, live: Values, written: Values]>([
    [
      "is in alphabetical order",
      { signup_enabled: true, after_sign_up_text: "x" },
      { after_sign_up_text: "x", signup_enabled: true },
    ],
    [
      "has the API's types",
      { max_login_attempts: "5", signup_enabled: "true" },
      { max_login_attempts: 5, signup_enabled: true },
    ],
    [
      "writes empty values too, by their type",
      {
        after_sign_up_text: null,
        globally_allowed_ips: null,
        restricted_visibility_levels: null,
        domain_allowlist: null,
        sign_in_restrictions: null,
        max_login_attempts: null,
      },
      {
        after_sign_up_text: "",
        globally_allowed_ips: "",
        restricted_visibility_levels: [],
        domain_allowlist: [],
        sign_in_restrictions: {},
        max_login_attempts: null,
      },
    ],
    ["leaves out a switch that was never set", { signup_enabled: null }, {}],
    ["writes secrets as variables", { spamsvc_api_key: "x" }, { spamsvc_api_key: { env: "SPAMSVC_API_KEY" } }],
    ["but not those that are not set", { spamsvc_api_key: "", chatapp_secret: null }, {}],
    ["nor those that are masked", { spamsvc_api_key: "********" }, {}],
    ["but a mask that another person wrote", { after_sign_up_text: "********" }, { after_sign_up_text: "********" }],
    [
      "writes addresses with a password as variables",
      { home_page_url: "https://u:p@a.example" },
      { home_page_url: { env: "HOME_PAGE_URL" } },
    ],
    [
      "has one of two names",
      { asset_proxy_whitelist: ["a"], asset_proxy_allowlist: ["a"] },
      { asset_proxy_allowlist: ["a"] },
    ],
    [
      "has the old name where the instance has no other",
      { asset_proxy_whitelist: ["a"] },
      { asset_proxy_whitelist: ["a"] },
    ],
    [
      "has none that others replace",
      { throttle_unauthenticated_enabled: true, throttle_unauthenticated_web_enabled: true },
      { throttle_unauthenticated_web_enabled: true },
    ],
    [
      "has nothing that the instance sets itself",
      { id: 1, created_at: "x", updated_at: "x", terms_html: "<p>", other_at: "x" },
      {},
    ],
  ])("%s", (_law, live, written) => {
    const exported = exportSettings(live);
    expect(exported).toEqual(written);
    expect(Object.keys(exported)).toEqual(Object.keys(written).sort());
  });

  test("another name of a setting that is shown is left out", () => {
    const live = {
      ...{ domain_allowlist: [], domain_allowlist_raw: "", password_authentication_enabled_for_web: true },
      ...{ password_authentication_enabled: true, assistant_availability: "default_on", moon_raw: "full" },
    };
    expect(undocumentedIn(live)).toEqual(["assistant_availability", "moon_raw"]);
    expect(undocumentedIn({ ...live, assistant_features_enabled: true })).toEqual(["moon_raw"]);
  });

  test("settings that the documents do not name follow behind a remark, in order; not with --documented", () => {
    const live = { sun: 1, moon: "full", never: null, moon_token: "x", other_token: "", signup_enabled: true };
    const exported = exportSettings(live);
    expect(Object.entries(exported)).toEqual([
      ["signup_enabled", true],
      ["", new Remark("returned by the instance, not in the API documents")],
      ["moon", "full"],
      ["moon_token", { env: "MOON_TOKEN" }],
      ["never", null],
      ["sun", 1],
    ]);
    expect(exportSettings(live, true)).toEqual({ signup_enabled: true });
    expect(undocumentedIn(live)).toEqual(["moon", "moon_token", "never", "sun"]);
  });

  test.each([
    ["spamsvc_api_key", "", true],
    ["home_page_url", "https://a.example", false],
    ["home_page_url", "https://u:p@a.example", true],
    ["moon", { a: ["[masked]"] }, false],
    ["moon", { a_tokens: 1, a_token: ["[masked]"] }, true],
    ["moon", "full", false],
  ])("%s with the value %j is left out: %s", (name, value, out) => {
    expect(isLeftOut(name, value)).toBe(out);
  });
});

test("a file of settings says what each is, with default, unit, values, tier; secrets at its end", async () => {
  const live = {
    jobqueue_job_limiter_mode: "track",
    runner_token_expiration_interval: 60,
    scan_execution_policies_action_limit: 0,
    allow_all_integrations: true,
    signin_enabled: "true",
    spamsvc_api_key: "secret",
    moon: 1,
    sun_token: "secret",
  };
  const file = await settingsFile(live);
  const entries = file.split("\n\n").map((each) => each.trim().split("\n"));
  expect(entries.slice(0, 6).map(([, line]) => line)).toEqual([
    "allow_all_integrations: true",
    "jobqueue_job_limiter_mode: track",
    "runner_token_expiration_interval: 60",
    "scan_execution_policies_action_limit: 0",
    'signin_enabled: "true"',
    "moon: 1",
  ]);
  // All secrets of the documents, so that a file can give them.
  const secrets = entries.slice(6).map(([, line]) => line);
  expect(secrets).toEqual(expect.arrayContaining(["# spamsvc_api_key: { env: SPAMSVC_API_KEY }"]));
  expect(secrets).toEqual(expect.arrayContaining(["# chatapp_secret: { env: CHATAPP_SECRET }"]));
  expect(secrets.at(-1)).toBe("# sun_token: { env: SUN_TOKEN }");
  expect(secrets.every((line) => line?.startsWith("# "))).toBe(true);
  const notes = entries.map(([comment = ""]) => /\(([^()]*)\)$/.exec(comment)?.[1]);
  expect(notes.slice(0, 5)).toEqual([
    "Ultimate",
    'default "compress"; one of track, compress',
    "in seconds",
    "default 0; Premium, Ultimate",
    "deprecated",
  ]);
  const unknown = "# returned by the instance, not in the API documents";
  expect([entries[5]?.[0], entries.at(-1)?.[0]]).toEqual([unknown, unknown]);
  expect(entries.every(([comment]) => comment?.startsWith("# "))).toBe(true);
});

test("the schema of the settings has each with its unit, tier, and default", () => {
  const { type, properties } = settingsSchema() as { type: string; properties: Record<string, Values> };
  expect(type).toBe("object");
  expect(properties.jobqueue_job_limiter_mode).toMatchObject({ default: "compress" });
  expect(properties.max_login_attempts).not.toHaveProperty("default");
  expect(properties.scan_execution_policies_action_limit).toMatchObject({ default: 0, minimum: 0 });
  const described = (name: string) => /\(([^()]*)\)$/.exec(String(properties[name]?.description))?.[1];
  expect(["shared_runners_minutes", "signin_enabled", "max_login_attempts"].map(described)).toEqual([
    "in minutes, premium",
    "deprecated",
    undefined,
  ]);
});

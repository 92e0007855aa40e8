import { describe, expect, test } from "vitest";
import { predecessors } from "../../../src/settings/other-names.ts";
import type { Values } from "../../../src/state/kind.ts";
import { settingField, settingsKind } from "../../../src/state/kinds/settings.ts";
import { changeOf, compared, reference } from "../../support/compared.ts";

/** The one request of a change: what is sent openly, and what is sent as a secret. */
function sent(to: Values, from: Values) {
  const [step, ...more] = settingsKind.steps(changeOf(settingsKind, to, from));
  expect([step?.endpoint.route, more]).toEqual(["PUT /application/settings", []]);
  return step?.input;
}

describe("the request of a change", () => {
  test("it is one PUT of what differs, with secrets apart", () => {
    const key = reference("KEY");
    const from = { signup_enabled: true, max_login_attempts: 5, spamsvc_enabled: false };
    expect(
      sent({ signup_enabled: false, max_login_attempts: 5, spamsvc_enabled: true, spamsvc_api_key: key }, from),
    ).toEqual({
      settings: { signup_enabled: false, spamsvc_enabled: true },
      secrets: { spamsvc_api_key: key },
    });
  });

  test("what it restores and another setting replaces, equal or not, is sent after that one", () => {
    const [old, name] = ["default_branch_protection", "default_branch_protection_defaults"];
    const to = { [old]: 2, [name]: { allow_force_push: false }, signup_enabled: false };
    const change = changeOf(settingsKind, to, { ...to, [old]: 0, signup_enabled: true });
    expect(settingsKind.steps(change).map(({ input }) => input.settings)).toEqual([
      { [old]: 2, signup_enabled: false },
      { [name]: { allow_force_push: false } },
    ]);
  });

  test("a hash is sent as a whole: the current keys, but masked ones, below the declared ones", () => {
    const name = "sign_in_restrictions";
    const from = { [name]: { a: 1, b: 2, c: "[masked]" } };
    expect(sent({ [name]: { b: 3, d: 4 } }, from)).toEqual({ settings: { [name]: { a: 1, b: 3, d: 4 } }, secrets: {} });
    expect(sent({ [name]: { b: 3 } }, { [name]: null })?.settings).toEqual({ [name]: { b: 3 } });
    expect(sent({ [name]: { b: 3 } }, { [name]: ["x"] })?.settings).toEqual({ [name]: { b: 3 } });
    expect(sent({ [name]: null }, from)?.settings).toEqual({ [name]: null });
  });

  test("an array is sent as declared, and so is an object of no documented setting", () => {
    expect(sent({ domain_allowlist: ["a.example"] }, { domain_allowlist: ["b.example"] })?.settings).toEqual({
      domain_allowlist: ["a.example"],
    });
    expect(sent({ moon: { a: 1 } }, { moon: { b: 2 } })?.settings).toEqual({ moon: { a: 1 } });
  });
});

describe("what an enabled setting requires is sent along", () => {
  const one = "telemetry_enabled";
  const host = "telemetry_collector_hostname";
  test.each<[law: string, to: Values, from: Values, write: string[]]>([
    ["from the instance", { [one]: true }, { [one]: false, [host]: "a.example" }, [one, host]],
    ["even if it is empty there", { [one]: true }, { [one]: false, [host]: null }, [one, host]],
    ["but not masked", { [one]: true }, { [one]: false, [host]: "********" }, [one]],
    ["nor what the instance does not show", { [one]: true }, { [one]: false }, [one]],
    ["nor if the setting is disabled", { [one]: false }, { [one]: true, [host]: "a.example" }, [one]],
    [
      "from the file, equal or not",
      { [one]: true, [host]: "a.example" },
      { [one]: false, [host]: "a.example" },
      [one, host],
    ],
    ["once", { [one]: true, [host]: "b.example" }, { [one]: false, [host]: "a.example" }, [one, host]],
    [
      "the address that instances require besides",
      { umlrenderer_enabled: true },
      { umlrenderer_enabled: false, umlrenderer_url: "https://uml.example" },
      ["umlrenderer_enabled", "umlrenderer_url"],
    ],
    [
      "a secret that the instance shows",
      { spamsvc_enabled: true },
      { spamsvc_enabled: false, spamsvc_api_key: "x" },
      ["spamsvc_enabled", "spamsvc_api_key"],
    ],
    [
      "but no empty one",
      { spamsvc_enabled: true },
      { spamsvc_enabled: false, spamsvc_api_key: "" },
      ["spamsvc_enabled"],
    ],
    [
      "nor a masked one",
      { spamsvc_enabled: true },
      { spamsvc_enabled: false, spamsvc_api_key: "[masked]" },
      ["spamsvc_enabled"],
    ],
    [
      "a secret that the file gives",
      { spamsvc_enabled: true, spamsvc_api_key: reference("KEY") },
      { spamsvc_enabled: false },
      ["spamsvc_enabled", "spamsvc_api_key"],
    ],
    [
      "a setting without requirements sends only itself",
      { signup_enabled: true },
      { signup_enabled: false },
      ["signup_enabled"],
    ],
  ])("%s", (_law, to, from, write) => {
    expect(changeOf(settingsKind, to, from).write).toEqual(write);
  });

  test("with the value of the instance", () => {
    expect(sent({ [one]: true }, { [one]: false, [host]: "a.example" })?.settings).toEqual({
      [one]: true,
      [host]: "a.example",
    });
  });
});

describe("what can lock users out", () => {
  const requests = "throttle_unauthenticated_web_requests_per_period";
  const limit = {
    throttle_unauthenticated_web_enabled: true,
    throttle_unauthenticated_web_period_in_seconds: 60,
    [requests]: 100,
  };
  test.each<[to: Values, from: Values, risky: string[], reason: string | undefined]>([
    [{ signup_enabled: false }, { signup_enabled: true }, [], undefined],
    [
      { max_login_attempts: 1, signup_enabled: false },
      { max_login_attempts: 5, signup_enabled: true },
      ["max_login_attempts"],
      "max_login_attempts can lock users out",
    ],
    [
      { admin_mode: true },
      { admin_mode: false },
      ["admin_mode"],
      "certain: the token of this run may lose its administrative rights",
    ],
    [
      { disable_personal_access_tokens: true },
      { disable_personal_access_tokens: false },
      ["disable_personal_access_tokens"],
      "certain: the token of this run would no longer be accepted",
    ],
    [
      { disable_personal_access_tokens: false },
      { disable_personal_access_tokens: true },
      ["disable_personal_access_tokens"],
      "disable_personal_access_tokens can lock users out",
    ],
    [
      { max_login_attempts: 1, admin_mode: true },
      { max_login_attempts: 5, admin_mode: false },
      ["max_login_attempts", "admin_mode"],
      "certain: the token of this run may lose its administrative rights",
    ],
    // The terms are sent along, unchanged.
    [
      { enforce_terms: true },
      { enforce_terms: false, terms: "Be kind." },
      ["enforce_terms"],
      "enforce_terms can lock users out",
    ],
    [{ [requests]: 5 }, limit, [requests], `${requests} can lock users out`],
    [{ [requests]: 50 }, limit, [], undefined],
  ])("%j", (to, from, risky, reason) => {
    const change = changeOf(settingsKind, to, from);
    expect(settingsKind.risky?.(change)).toEqual(risky);
    const { lockout } = change;
    expect(lockout && `${lockout.certain ? "certain: " : ""}${lockout.reason}`).toBe(reason);
  });
});

test("a setting that the documents do not name is compared as it is, and secret by its name", () => {
  expect(settingField("moon_phase")).toEqual({ form: "json" });
  expect(settingField("moon_api_token")).toEqual({ form: "text", writeOnly: true, secret: true });
  expect(settingField("spamsvc_api_key")).toMatchObject({ form: "text", writeOnly: true, secret: true });
  expect(settingField("chatapp_secret")).toMatchObject({ writeOnly: true, secret: true });
  expect(settingField("signup_enabled")).not.toHaveProperty("secret");
});

test("what the instance sets itself is read-only, and dates what it answers", () => {
  const own = Object.entries(settingsKind.fields).filter(([, field]) => field.readOnly);
  expect(own).toEqual(["id", "created_at", "updated_at"].map((name) => [name, { form: "json", readOnly: true }]));
  expect(settingsKind.cached).toEqual({ version: "updated_at", made: "created_at", command: ["settings", "get"] });
});

test("a setting has one successor: what replaces it, or another name of it; not one of several", () => {
  expect(predecessors).toEqual({
    admin_notification_email: "abuse_notification_email",
    allow_local_requests_from_hooks_and_services: "allow_local_requests_from_web_hooks_and_services",
    asset_proxy_whitelist: "asset_proxy_allowlist",
    default_branch_protection: "default_branch_protection_defaults",
    signin_enabled: "password_authentication_enabled_for_web",
  });
});

test.each(["domain_allowlist", "domain_denylist", "asset_proxy_allowlist", "asset_proxy_whitelist"])(
  "%s is a set of domains, in any case",
  (name) => {
    expect(
      compared(settingsKind, [{ [name]: ["B.example", "a.example"] }], [{ [name]: ["A.example", "b.example"] }]).equal,
    ).toBe(1);
  },
);

test.each(["globally_allowed_ips", "replica_node_allowed_ips"])(
  "%s is a set of addresses, however separated",
  (name) => {
    expect(compared(settingsKind, [{ [name]: "::1, 192.0.2.7" }], [{ [name]: "192.0.2.7\n::1" }]).equal).toBe(1);
  },
);

import { expect, test } from "vitest";
import { changedAlong } from "../../../src/settings/changed-along.ts";

const names = (sent: readonly string[], before: Record<string, unknown>, answer: Record<string, unknown>) =>
  Object.keys(changedAlong({ sent, recent: [] }, before, answer)?.values ?? {});

test.each([
  ["the setting itself", ["signup_enabled"], { signup_enabled: true }, { signup_enabled: false }],
  ["its second name", ["signin_enabled"], { password_authentication_enabled_for_web: 1 }, {}],
  ["a second name that is not documented", ["domain_allowlist"], { domain_allowlist_raw: "a" }, {}],
  ["what is written with such a name", ["domain_allowlist_raw"], { domain_allowlist: ["a"] }, {}],
  ["the old name", ["default_branch_protection_defaults"], { default_branch_protection: 2 }, {}],
  ["a time", ["signup_enabled"], { updated_at: "a" }, {}],
  ["a rendered text", ["signup_enabled"], { after_sign_up_text_html: "a" }, {}],
  ["a secret", ["signup_enabled"], { spamsvc_api_key: "a" }, {}],
  ["what is computed from it", ["usage_ping_enabled"], { usage_ping_features_enabled: true }, {}],
  ["an object of it", ["require_admin_two_factor_authentication"], { sign_in_restrictions: {} }, {}],
  ["a part of it", ["sign_in_restrictions"], { require_admin_two_factor_authentication: false }, {}],
  ["a word for it and its lock", ["lock_x_features_enabled"], { x_availability: "default_on" }, {}],
  ["an empty value for none", ["signup_enabled"], { terms: null }, { terms: "" }],
])("%s is not changed along", (_, sent, before, answer) => {
  const [name = ""] = Object.keys(before);
  expect(names(sent, before, { [name]: "other", ...answer })).toEqual([]);
});

test.each([
  ["signup_enabled", "terms"],
  ["default_branch_protection", "default_branch_protection_defaults"],
])("with %s, %s is", (sent, other) => {
  expect(
    changedAlong({ sent: [sent], recent: [sent, other] }, { [other]: "a" }, { [other]: "b", [sent]: 1, added: 1 }),
  ).toEqual({
    values: { [other]: "b" },
    text: `not as it was read either, though it was not sent: ${other} ("a" → "b")`,
  });
  expect(names([sent, other], { [other]: "a" }, { [other]: "b" })).toEqual([]);
});

test.each([
  ["default_on", true, false, true],
  ["default_off", false, false, true],
  ["never_on", false, true, true],
  ["never_on", true, true, false],
  ["always_on", true, true, false],
])("%s, for a feature that is on (%s) and locked (%s), tells both before: %s", (word, on, locked, isTold) => {
  const before = { x_availability: word, x_features_enabled: on, lock_x_features_enabled: locked };
  const answer = { x_availability: "other", x_features_enabled: !on, lock_x_features_enabled: !locked };
  const both = ["x_features_enabled", "lock_x_features_enabled"];
  expect(names(["x_availability"], before, answer)).toEqual(isTold ? [] : both);
});

test("what is computed from a setting that another has changed is not named beside it, by itself it is", () => {
  const [before, answer] = [true, false].map((on) => ({ usage_ping_features_enabled: on, usage_ping_enabled: on }));
  expect(names(["terms"], before ?? {}, answer ?? {})).toEqual(["usage_ping_enabled"]);
  const alone = { ...before, usage_ping_features_enabled: false };
  expect(names(["terms"], before ?? {}, alone)).toEqual(["usage_ping_features_enabled"]);
  // What is written with it is none of what is computed from it.
  expect(names(["usage_ping_features_enabled"], before ?? {}, answer ?? {})).toEqual(["usage_ping_enabled"]);
});

test("another name of what was written a moment ago may be a copy of before; what was written is not", () => {
  const recent = ["password_authentication_enabled_for_web"];
  const before = { signin_enabled: "true", password_authentication_enabled_for_web: false };
  const answer = { signin_enabled: "false", password_authentication_enabled_for_web: true };
  expect(Object.keys(changedAlong({ sent: ["terms"], recent }, before, answer)?.values ?? {})).toEqual(recent);
});

test("a long text is named with its beginning", () => {
  const text = changedAlong({ sent: [], recent: [] }, { terms: "😀".repeat(10_000) }, { terms: "" })?.text;
  expect(text).toBe(`not as it was read either, though it was not sent: terms ("${"😀".repeat(199)}… → "")`);
});

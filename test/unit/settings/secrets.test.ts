import { expect, test } from "vitest";
import { isSecretName } from "../../../src/base/secret-names.ts";
import { settings } from "../../../src/settings/catalogue.ts";
import { hiddenValue, isSecretSetting, quotedValue, shownValue } from "../../../src/settings/secret-settings.ts";

test("every secret setting of the catalogue is also secret by its name, and no other", () => {
  const byCatalogue = settings.filter(({ name }) => isSecretSetting(name)).map(({ name }) => name);
  const byName = settings.filter(({ name }) => isSecretName(name)).map(({ name }) => name);
  expect(byCatalogue).toEqual(byName);
  expect(byCatalogue).toContain("spamsvc_api_key");
});

test("a secret is masked, also inside another setting; whether it is set is visible", () => {
  expect(shownValue("spamsvc_api_key", "abc")).toBe("[redacted]");
  expect(shownValue("spamsvc_api_key", null)).toBe(null);
  expect(shownValue("spamsvc_api_key", "")).toBe("");
  expect(shownValue("some_future_secret", ["a"])).toBe("[redacted]");
  expect(shownValue("some_future_object", [{ url: "u", token: "t" }])).toEqual([{ url: "u", token: "[redacted]" }]);
  expect(shownValue("require_personal_access_token_expiry", true)).toBe(true);
  expect(shownValue("home_page_url", "https://acme.example/")).toBe("https://acme.example/");
});

test.each([
  ["curl -H 'PRIVATE-TOKEN: glitter1' https://a.example", "curl -H 'PRIVATE-TOKEN: [redacted]' https://a.example"],
  ['{"password":"glitter1","user":"a"}', '{"password":"[redacted]","user":"a"}'],
  ["header: PRIVATE-TOKEN: glitter1", "header: PRIVATE-TOKEN: [redacted]"],
  ["see https://a.example/?token=glitter1", "see https://a.example/?token=[redacted]"],
  ["The password: ask your team", "The password: ask your team"],
  ["main, acme/x#branches/rotate-secret: not restored", "main, acme/x#branches/rotate-secret: not restored"],
])("what a text has behind the name of a secret is in no sentence: %s", (text, shown) => {
  expect(quotedValue("after_sign_up_text", text)).toBe(shown);
  expect(quotedValue("some_object", { a: [text] })).toEqual({ a: [shown] });
});

test.each(["Basic support", "Use header PRIVATE-TOKEN: yours", "expires=never"])(
  "what a rollback restores is as it was, unless an address in it has a secret: %s",
  (text) => expect(hiddenValue("after_sign_up_text", text)).toBe(text),
);

test("an undocumented switch is compared and shown, whatever it is about; a text of such a name is a secret", () => {
  const switches = ["allow_runner_registration_token", "disable_feed_token", "ropc_without_client_credentials"];
  expect(switches.filter(isSecretSetting)).toEqual([]);
  expect(["feed_token", "runner_token", "allowance_secret"].filter((name) => !isSecretSetting(name))).toEqual([]);
});

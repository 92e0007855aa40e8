import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { settings } from "../../../src/settings/catalogue.ts";
import { type Finding, validateSettings } from "../../../src/settings/validate.ts";

const line = ({ severity, setting, message, hint }: Finding) =>
  `${severity}: ${setting} ${message}${hint === undefined ? "" : ` (${hint})`}`;

const check = (...args: Parameters<typeof validateSettings>) => validateSettings(...args).map(line);

describe("types", () => {
  test("valid values have no message", () => {
    expect(
      check({
        signup_enabled: false,
        snippet_size_limit: 1,
        polling_interval_multiplier: 1.5,
        home_page_url: null,
        terms: "Be kind.",
        domain_denylist: ["a.example"],
        sign_in_restrictions: {},
      }),
    ).toEqual([]);
  });

  test.each([
    [{ signup_enabled: "true" }, "signup_enabled must be true or false, not a string (write it without quotes)"],
    [{ signup_enabled: 1 }, "signup_enabled must be true or false, not an integer"],
    [{ signup_enabled: null }, "signup_enabled must be true or false, not null"],
    [{ snippet_size_limit: 1.5 }, "snippet_size_limit must be an integer, not a fraction"],
    [{ snippet_size_limit: "5" }, "snippet_size_limit must be an integer, not a string (write it without quotes)"],
    [{ polling_interval_multiplier: true }, "polling_interval_multiplier must be a number, not a boolean"],
    [{ home_page_url: 5 }, "home_page_url must be a string, not an integer (write it in quotes)"],
    [{ terms: ["a"] }, "terms must be a string, not an array"],
    [{ domain_denylist: "a.example" }, "domain_denylist must be an array, not a string"],
    [{ sign_in_restrictions: [] }, "sign_in_restrictions must be an object, not an array"],
    [{ allowed_integrations: [1], allow_all_integrations: false }, "allowed_integrations each item must be a string"],
  ])("%j", (values, message) => {
    expect(check(values)).toEqual([`error: ${message}`]);
  });

  test("a type inferred from the name only warns", () => {
    expect(check({ lock_memberships_to_saml: "all" })).toEqual([
      "warning: lock_memberships_to_saml must be true or false, not a string, if its name is right: the documents give no type",
    ]);
  });

  test("null that a server may return and the documents do not mention only warns", () => {
    expect(check({ performance_bar_allowed_group_id: null })).toEqual([
      "warning: performance_bar_allowed_group_id is null, which the documents do not mention for it",
    ]);
  });

  test("a secret with the wrong type is not repeated", () => {
    expect(check({ spamsvc_api_key: 918273645 }).join()).toContain("spamsvc_api_key must be a string, not an integer");
    expect(check({ spamsvc_api_key: 918273645 }).join()).not.toContain("918273645");
  });

  test("the content of an object is checked if the documents describe it", () => {
    expect(
      check({
        default_branch_protection_defaults: { allow_force_push: "no", allowed_to_push: [40], allowed_to_merge: 40 },
        repository_storages_weighted: { default: 100, archive: "50" },
      }),
    ).toEqual([
      "error: default_branch_protection_defaults each item of allowed_to_push must be an object",
      "error: default_branch_protection_defaults allow_force_push must be true or false, not a string",
      "error: default_branch_protection_defaults allowed_to_merge must be an array, not an integer",
      "error: repository_storages_weighted archive must be an integer, not a string",
    ]);
    expect(
      check({
        default_branch_protection_defaults: {
          allowed_to_push: [{ access_level: 40 }],
          allow_force_push: false,
          more: 1,
        },
        repository_storages_weighted: { default: 100 },
      }),
    ).toEqual([]);
  });
});

describe("bounds, enumerations, and formats", () => {
  test.each([
    [{ runner_token_expiration_interval: 7199 }, "must be at least 7200 seconds, not 7199"],
    [{ asciidoc_max_includes: 65 }, "must be at most 64, not 65"],
    [{ whats_new_variant: "some" }, '"some" is not one of its values (one of all_tiers, current_tier, disabled)'],
    [{ valid_runner_registrars: ["group", "user"] }, '"user" is not one of its values (one of group, project)'],
    [{ spam_check_endpoint_url: "https://spam.example" }, "must begin with grpc:// or tls://"],
  ])("%j", (values, message) => {
    expect(check(values)).toEqual([`error: ${Object.keys(values).join()} ${message}`]);
  });

  test("the bounds themselves and every allowed value pass", () => {
    expect(
      check({
        runner_token_expiration_interval: 7200,
        asciidoc_max_includes: 64,
        valid_runner_registrars: ["project", "group"],
        whats_new_variant: "disabled",
        spam_check_endpoint_url: "tls://spam.example:443",
      }),
    ).toEqual([]);
    expect(check({ valid_runner_registrars: [], spam_check_endpoint_url: "" })).toEqual([]);
  });

  test("for every bounded setting, exactly the values within the bounds are valid", () => {
    const bounded = settings.filter(({ min, max }) => (min ?? max) !== undefined);
    fc.assert(
      fc.property(fc.constantFrom(...bounded), fc.integer({ min: -10, max: 8000 }), (setting, value) => {
        const within = value >= (setting.min ?? 0) && value <= (setting.max ?? Infinity);
        const errors = validateSettings({ [setting.name]: value }).filter(({ severity }) => severity === "error");
        expect(errors).toHaveLength(within ? 0 : 1);
      }),
    );
  });

  test("a pattern invalid in every dialect warns, one of another dialect does not", () => {
    expect(check({ email_restrictions: "(a|b" })).toEqual([
      "warning: email_restrictions does not look like a regular expression (the server decides)",
    ]);
    expect(check({ email_restrictions: "(?i)^(?P<name>.+)@(?i:a|b)\\.example$" })).toEqual([]);
  });
});

describe("settings required by an enabled one", () => {
  const missing = "terms is required when enforce_terms is enabled (give terms a value, or leave enforce_terms out)";

  test("must be given with it", () => {
    expect(check({ enforce_terms: true })).toEqual([`error: ${missing}`]);
    expect(check({ enforce_terms: true, terms: "Be kind." })).toEqual([]);
    expect(check({ enforce_terms: false })).toEqual([]);
  });

  test.each(["", " \n", null])("are not given by %j", (terms) => {
    expect(check({ enforce_terms: true, terms })).toEqual([`error: ${missing}`]);
  });

  test("may already be set", () => {
    expect(check({ enforce_terms: true }, { current: { enforce_terms: false, terms: "Be kind." } })).toEqual([]);
    expect(check({ enforce_terms: true }, { current: { enforce_terms: false, terms: null } })).toEqual([
      `error: ${missing}`,
    ]);
  });

  test("include a secret that must be given again, unless the instance returns it", () => {
    const current = { spamsvc_enabled: true };
    expect(check({ spamsvc_enabled: true }, { current })).toHaveLength(1);
    expect(check({ spamsvc_enabled: true }, { current: { ...current, spamsvc_api_key: "[redacted]" } })).toHaveLength(
      1,
    );
    expect(check({ spamsvc_enabled: true }, { current: { ...current, spamsvc_api_key: "k" } })).toEqual([]);
  });

  test("may be an empty string; a tier without them requires nothing", () => {
    const current = { shared_runners_enabled: false, shared_runners_text: null };
    expect(check({ shared_runners_enabled: true }, { current })).toEqual([]);
  });

  test("are each named", () => {
    const values = { chatapp_enabled: true, chatapp_id: "A1", chatapp_signing_secret: "s" };
    expect(validateSettings(values).map(({ severity, setting }) => [severity, setting])).toEqual([
      ["error", "chatapp_secret"],
      ["error", "chatapp_verification_token"],
    ]);
  });

  test("accept zero as a value", () => {
    expect(check({ require_two_factor_authentication: true, two_factor_grace_period: 0 })).toEqual([]);
  });

  test("should not be cleared while that is on", () => {
    expect(check({ terms: "" }, { current: { enforce_terms: true, terms: "Be kind." } })).toEqual([
      "warning: terms is emptied while enforce_terms is enabled, which requires it",
    ]);
    expect(check({ terms: "", enforce_terms: false }, { current: { enforce_terms: true } })).toEqual([]);
    expect(check({ terms: "" }, { current: { enforce_terms: false } })).toEqual([]);
  });
});

describe("settings without effect", () => {
  const warning =
    "warning: allowed_integrations has an effect only while allow_all_integrations is false (set allow_all_integrations=false as well)";

  test("warn unless the other setting is known to be right", () => {
    const allowed_integrations = ["a"];
    expect(check({ allowed_integrations })).toEqual([warning]);
    expect(check({ allowed_integrations, allow_all_integrations: true })).toEqual([warning]);
    expect(check({ allowed_integrations, allow_all_integrations: false })).toEqual([]);
    expect(check({ allowed_integrations }, { current: { allow_all_integrations: false } })).toEqual([]);
    expect(check({ allowed_integrations }, { current: { allow_all_integrations: true } })).toEqual([warning]);
  });

  test("do not warn if nothing changes: the default, an empty list, the current value", () => {
    expect(check({ unconfirmed_users_delete_after_days: 7, allowed_integrations: [] })).toEqual([]);
    expect(check({ allowed_integrations: ["a"] }, { current: { allowed_integrations: ["a"] } })).toEqual([]);
    expect(check({ unconfirmed_users_delete_after_days: 8 })).toHaveLength(1);
  });
});

describe("names", () => {
  test("that are undocumented warn, with the nearest; refused when strict", () => {
    const said = "signup_enable is not a setting that the API documents name (did you mean signup_enabled?)";
    expect(check({ signup_enable: true })).toEqual([`warning: ${said}`]);
    expect(check({ signup_enable: true }, { strict: true })).toEqual([`error: ${said}`]);
    expect(check({ zzzzzzzzzzzz: 1 })).toEqual(["warning: zzzzzzzzzzzz is not a setting that the API documents name"]);
  });

  test("of the record itself are distinguished", () => {
    expect(check({ id: 1 })).toEqual(["warning: id is not a setting: the server sets it (leave it out)"]);
    expect(check({ updated_at: "" }, { strict: true })).toEqual([
      "error: updated_at is not a setting: the server sets it (leave it out)",
    ]);
  });

  test("that are deprecated warn, with the replacement", () => {
    expect(check({ default_branch_protection: 2, throttle_unauthenticated_enabled: false })).toEqual([
      "warning: default_branch_protection is deprecated (use default_branch_protection_defaults)",
      "warning: throttle_unauthenticated_enabled is deprecated since 14.3 (use throttle_unauthenticated_web_enabled or throttle_unauthenticated_api_enabled)",
    ]);
    expect(validateSettings({ signin_enabled: "true" }, { strict: true }).map(({ severity }) => severity)).toEqual([
      "warning",
    ]);
  });
});

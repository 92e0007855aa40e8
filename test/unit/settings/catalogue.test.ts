import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findSetting, nearestSetting, settingNames, settings } from "../../../src/settings/catalogue.ts";

const documented = readFileSync(new URL("documented.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" "))
  .map(([name = "", type = ""]) => ({ name, type }));

const namesWhere = (key: string) =>
  settings.filter((setting) => Object.hasOwn(setting, key)).map((setting) => setting.name);

describe("the catalogue compared with the documents", () => {
  test("has every documented setting once, and no other", () => {
    expect(settingNames).toEqual(documented.map(({ name }) => name));
    expect(settingNames).toHaveLength(227);
    expect(new Set(settingNames).size).toBe(227);
  });

  test("has the documented types", () => {
    const typed = documented.filter(({ type }) => type !== "-");
    expect(typed.map(({ name }) => ({ name, type: findSetting(name)?.type }))).toEqual(typed);
  });

  test("marks as inferred only types that the documents do not give", () => {
    const untyped = documented.filter(({ type }) => type === "-").map(({ name }) => name);
    // The documents mention delete_unconfirmed_users being true, so its type is known.
    expect(namesWhere("typeInferred")).toEqual(untyped.filter((name) => name !== "delete_unconfirmed_users"));
  });

  test("has the documented defaults", () => {
    expect(Object.fromEntries(namesWhere("default").map((name) => [name, findSetting(name)?.default]))).toEqual({
      asciidoc_max_includes: 32,
      codesearch_enabled: false,
      codesearch_public_only: true,
      helm_max_packages_count: 1000,
      jobqueue_job_limiter_compression_threshold_bytes: 100000,
      jobqueue_job_limiter_limit_bytes: 0,
      max_import_size: 0,
      jobqueue_job_limiter_mode: "compress",
      scan_execution_policies_action_limit: 0,
      scan_execution_policies_schedule_limit: 0,
      security_approval_policies_limit: 5,
      signup_enabled: true,
      silent_admin_exports_enabled: false,
      silent_mode_enabled: false,
      snippet_size_limit: 52428800,
      spam_check_endpoint_enabled: false,
      throttle_authenticated_git_http_enabled: false,
      throttle_authenticated_git_http_period_in_seconds: 3600,
      throttle_authenticated_git_http_requests_per_period: 3600,
      throttle_unauthenticated_git_http_enabled: false,
      throttle_unauthenticated_git_http_period_in_seconds: 3600,
      throttle_unauthenticated_git_http_requests_per_period: 3600,
      time_tracking_limit_to_hours: false,
      top_level_group_creation_enabled: true,
      unconfirmed_users_delete_after_days: 7,
      user_defaults_to_private_profile: false,
      wiki_page_max_content_bytes: 5242880,
    });
  });

  test("has the documented bounds, and no others but those of restricted keys, which may be forbidden", () => {
    const bounded = settings.filter(
      ({ name, min, max }) => (min ?? max) !== undefined && !/_key_restriction$/.test(name),
    );
    expect(bounded.map(({ name, min, max }) => [name, min, max])).toEqual([
      ["asciidoc_max_includes", undefined, 64],
      ["group_runner_token_expiration_interval", 7200, undefined],
      ["helm_max_packages_count", 1, undefined],
      ["project_runner_token_expiration_interval", 7200, undefined],
      ["runner_token_expiration_interval", 7200, undefined],
      ["scan_execution_policies_action_limit", undefined, 20],
      ["scan_execution_policies_schedule_limit", undefined, 20],
      ["security_approval_policies_limit", undefined, 20],
      ["unconfirmed_users_delete_after_days", 1, undefined],
      ["wiki_page_max_content_bytes", 1024, undefined],
    ]);
  });

  test("has the documented enumerations, and the visibility levels, and no others", () => {
    const visibilities = ["private", "internal", "public"];
    expect(Object.fromEntries(namesWhere("values").map((name) => [name, findSetting(name)?.values]))).toEqual({
      default_group_visibility: visibilities,
      default_project_visibility: visibilities,
      default_snippet_visibility: visibilities,
      restricted_visibility_levels: visibilities,
      jobqueue_job_limiter_mode: ["track", "compress"],
      valid_runner_registrars: ["group", "project"],
      whats_new_variant: ["all_tiers", "current_tier", "disabled"],
    });
  });

  test("has the documented requirements, in both directions", () => {
    const throttled = (name: string): [string, string[]] => [
      `throttle_${name}enabled`,
      [`throttle_${name}period_in_seconds`, `throttle_${name}requests_per_period`],
    ];
    const requires = Object.fromEntries(namesWhere("requires").map((name) => [name, findSetting(name)?.requires]));
    expect(requires).toEqual({
      chatapp_enabled: ["chatapp_id", "chatapp_secret", "chatapp_signing_secret", "chatapp_verification_token"],
      codesearch_enabled: ["codesearch_url"],
      email_restrictions_enabled: ["email_restrictions"],
      enforce_terms: ["terms"],
      require_two_factor_authentication: ["two_factor_grace_period"],
      shared_runners_enabled: ["shared_runners_text", "shared_runners_minutes"],
      spamsvc_enabled: ["spamsvc_api_key"],
      telemetry_enabled: ["telemetry_collector_hostname"],
      unique_ips_limit_enabled: ["unique_ips_limit_per_user", "unique_ips_limit_time_window"],
      ...Object.fromEntries(
        [
          "authenticated_api_",
          "authenticated_packages_api_",
          "authenticated_web_",
          "unauthenticated_",
          "unauthenticated_api_",
          "unauthenticated_packages_api_",
          "unauthenticated_web_",
        ].map(throttled),
      ),
    });
    const backward = settings.flatMap(({ name, requiredBy }) => (requiredBy === undefined ? [] : [name]));
    expect(Object.values(requires).flat().sort()).toEqual(backward);
  });

  test("names secrets, but not public identifiers", () => {
    expect(namesWhere("secret")).toEqual([
      "chatapp_secret",
      "chatapp_signing_secret",
      "chatapp_verification_token",
      "external_pipeline_validation_service_token",
      "issuetracker_connect_application_key",
      "spam_check_api_key",
      "spamsvc_api_key",
    ]);
    expect(namesWhere("writeOnly")).toEqual(["external_pipeline_validation_service_token"]);
  });

  test("has the tiers, the narrower one if two places differ", () => {
    const ultimate = settings.filter(({ tier }) => tier === "ultimate").map(({ name }) => name);
    expect(ultimate).toEqual(["allow_all_integrations", "allowed_integrations", "secret_push_protection_available"]);
    expect(namesWhere("tier")).toHaveLength(23);
  });

  test("marks settings that can lock users out", () => {
    expect(namesWhere("lockout")).toEqual([
      "admin_mode",
      "disable_personal_access_tokens",
      "dsa_key_restriction",
      "ecdsa_key_restriction",
      "ecdsa_sk_key_restriction",
      "ed25519_key_restriction",
      "ed25519_sk_key_restriction",
      "enforce_terms",
      "external_authorization_service_default_label",
      "external_authorization_service_enabled",
      "external_authorization_service_timeout",
      "external_authorization_service_url",
      "failed_login_attempts_unlock_period_in_minutes",
      "globally_allowed_ips",
      "max_login_attempts",
      "password_authentication_enabled_for_web",
      "require_admin_two_factor_authentication",
      "require_two_factor_authentication",
      "rsa_key_restriction",
      "sign_in_restrictions",
      "signin_enabled",
      "two_factor_grace_period",
      "unique_ips_limit_enabled",
      "unique_ips_limit_per_user",
      "unique_ips_limit_time_window",
    ]);
  });
});

describe("the catalogue itself", () => {
  test("refers only to settings that exist", () => {
    const referred = settings.flatMap(({ requiredBy, requires, appliesWhen, deprecated }) => [
      ...(requires ?? []),
      ...(deprecated?.use ?? []),
      ...[requiredBy, appliesWhen?.setting].filter((name) => name !== undefined),
    ]);
    expect(referred.length).toBeGreaterThan(50);
    expect(referred.filter((name) => findSetting(name) === undefined)).toEqual([]);
  });

  test("names a replacement for every deprecated setting, and never a deprecated one", () => {
    const deprecated = settings.filter((setting) => setting.deprecated);
    expect(deprecated.map(({ name }) => name)).toEqual([
      "admin_notification_email",
      "default_branch_protection",
      "signin_enabled",
      "throttle_unauthenticated_enabled",
      "throttle_unauthenticated_period_in_seconds",
      "throttle_unauthenticated_requests_per_period",
    ]);
    for (const { deprecated: notice } of deprecated) {
      expect(notice?.use?.length).toBeGreaterThan(0);
      expect(notice?.use?.filter((name) => findSetting(name)?.deprecated)).toEqual([]);
    }
  });

  test("describes every setting", () => {
    expect(settings.filter(({ description }) => description.trim() === "").map(({ name }) => name)).toEqual([]);
  });
});

describe("names", () => {
  test("are found exactly and not otherwise", () => {
    expect(findSetting("signup_enabled")).toMatchObject({ name: "signup_enabled", type: "boolean", default: true });
    expect(findSetting("Signup_Enabled")).toBeUndefined();
    expect(findSetting("constructor")).toBeUndefined();
  });

  test.each([
    ["signup_enable", "signup_enabled"],
    ["singup_enabled", "signup_enabled"],
    ["SIGNUP-ENABLED", "signup_enabled"],
    ["term", "terms"],
    ["snipet_size_limt", "snippet_size_limit"],
  ])("%s is near %s", (typed, meant) => {
    expect(nearestSetting(typed)).toBe(meant);
  });

  test.each(["", "x", "zzzzzzzzzzzzzzzz", "constructor"])("nothing is near %j", (typed) => {
    expect(nearestSetting(typed)).toBeUndefined();
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

const put = (json: unknown) => session.ask("PUT /application/settings", { json });
const read = async () => (await session.ask("GET /application/settings")).json;

describe("reading", () => {
  test("requires an administrator", async () => {
    expect((await session.ask("GET /application/settings", { as: "owner" })).status).toBe(403);
    expect((await session.ask("GET /application/settings", { as: null })).status).toBe(401);
    expect((await session.ask("PUT /application/settings?signup_enabled=true", { as: "owner" })).status).toBe(403);
  });
  test("returns one record with the documented defaults", async () => {
    expect(await read()).toMatchObject({
      id: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      snippet_size_limit: 52_428_800,
      wiki_page_max_content_bytes: 5_242_880,
      asciidoc_max_includes: 32,
      helm_max_packages_count: 1000,
      jobqueue_job_limiter_mode: "compress",
      jobqueue_job_limiter_compression_threshold_bytes: 100_000,
      throttle_authenticated_git_http_period_in_seconds: 3600,
      unconfirmed_users_delete_after_days: 7,
      security_approval_policies_limit: 5,
      repository_storages_weighted: { default: 100 },
      valid_runner_registrars: ["project", "group"],
    });
  });
  test("never returns a secret", async () => {
    const secrets = { external_pipeline_validation_service_token: "s3cret-a", spam_check_api_key: "s3cret-b" };
    const answer = await put({ ...secrets, snippet_size_limit: 1000 });
    expect([answer.status, answer.json.snippet_size_limit]).toEqual([200, 1000]);
    for (const text of [answer.text, JSON.stringify(await read())]) {
      expect(text).not.toMatch(/s3cret|external_pipeline_validation_service_token|spam_check_api_key|chatapp_secret/);
    }
  });
  test("omits settings that the tier does not have", async () => {
    const names = async (tier: "free" | "premium") => {
      const { ask, sandbox } = await openSession({ tier });
      const { json } = await ask("GET /application/settings");
      await sandbox.close();
      return Object.keys(json);
    };
    const [free, premium, ultimate] = [await names("free"), await names("premium"), Object.keys(await read())];
    expect(free).not.toContain("lock_memberships_to_saml");
    expect(premium).toContain("lock_memberships_to_saml");
    expect(premium).not.toContain("secret_push_protection_available");
    expect(ultimate).toContain("secret_push_protection_available");
    expect(free).toContain("signup_enabled");
  });
});

describe("writing", () => {
  test("accepts JSON, forms, and the query alike, and returns the current values", async () => {
    const expected = { signup_enabled: true, max_attachment_size: 12, domain_allowlist: ["a.example", "b.example"] };
    const form = "signup_enabled=True&max_attachment_size=12&domain_allowlist[]=a.example&domain_allowlist[]=b.example";
    const clear = { signup_enabled: false, max_attachment_size: 1, domain_allowlist: [] };
    for (const asking of [{ json: expected }, { form }, { form: "" }]) {
      expect((await put(clear)).json).toMatchObject(clear);
      const query = "form" in asking && asking.form === "" ? `?${form}` : "";
      const { status, json } = await session.ask(`PUT /application/settings${query}`, asking);
      expect([status, json]).toMatchObject([200, expected]);
      expect(await read()).toMatchObject(expected);
    }
  });
  test("updates updated_at and nothing else", async () => {
    const before = await read();
    const { json } = await put({ default_projects_limit: 4242 });
    expect({ ...json, default_projects_limit: before.default_projects_limit, updated_at: before.updated_at }).toEqual(
      before,
    );
    expect(json.updated_at > before.updated_at).toBe(true);
  });
  test("ignores unknown names, and those of a higher tier", async () => {
    const { ask, sandbox } = await openSession({ tier: "free" });
    const { status, json } = await ask("PUT /application/settings", {
      json: {
        no_such_setting: 1,
        lock_memberships_to_saml: "nonsense",
        shared_runners_enabled: true,
        shared_runners_text: "x",
      },
    });
    expect([status, json.shared_runners_text]).toEqual([200, "x"]);
    expect(json).not.toHaveProperty("no_such_setting");
    await sandbox.close();
  });
  test("accepts hashes as JSON and as form fields", async () => {
    const weights = { default: 60, second: 40 };
    expect((await put({ repository_storages_weighted: weights })).json.repository_storages_weighted).toEqual(weights);
    const form = "repository_storages_weighted[default]=30&repository_storages_weighted[third]=70";
    const { json } = await session.ask("PUT /application/settings", { form });
    expect(json.repository_storages_weighted).toEqual({ default: 30, third: 70 });
  });
  test("a deprecated name writes its replacement", async () => {
    const { json } = await put({ admin_notification_email: "abuse@acme.example", signin_enabled: "false" });
    expect(json).toMatchObject({
      signin_enabled: "false",
      abuse_notification_email: "abuse@acme.example",
      admin_notification_email: "abuse@acme.example",
      password_authentication_enabled_for_web: false,
    });
  });
  test("null clears nullable settings", async () => {
    await put({ after_sign_out_path: "https://a.example/", runner_token_expiration_interval: 7200 });
    const { json } = await put({ after_sign_out_path: null, runner_token_expiration_interval: null });
    expect([json.after_sign_out_path, json.runner_token_expiration_interval]).toEqual([null, null]);
  });
});

describe("an invalid value", () => {
  test.each<[string, unknown, unknown]>([
    ["signup_enabled", "perhaps", ["must be a boolean value"]],
    ["max_attachment_size", "big", ["is not a number"]],
    ["max_attachment_size", 1.5, ["must be an integer"]],
    ["max_attachment_size", -1, ["must be greater than or equal to 0"]],
    ["max_attachment_size", null, ["can't be blank"]],
    ["runner_token_expiration_interval", 7199, ["must be greater than or equal to 7200"]],
    ["project_runner_token_expiration_interval", "60", ["must be greater than or equal to 7200"]],
    ["asciidoc_max_includes", 65, ["must be less than or equal to 64"]],
    ["wiki_page_max_content_bytes", 1023, ["must be greater than or equal to 1024"]],
    ["helm_max_packages_count", 0, ["must be greater than or equal to 1"]],
    ["scan_execution_policies_action_limit", 21, ["must be less than or equal to 20"]],
    ["jobqueue_job_limiter_mode", "squeeze", ["is not included in the list"]],
    ["whats_new_variant", "none", ["is not included in the list"]],
    ["restricted_visibility_levels", ["public", "secret"], ["'secret' is not included in the list"]],
    ["valid_runner_registrars", "group,instance", ["'instance' is not included in the list"]],
    ["spam_check_endpoint_url", "https://x.example", ["is blocked: Only allowed schemes are grpc, tls"]],
    ["email_restrictions", "(", ["not valid RE2 syntax"]],
    ["sign_in_restrictions", "text", ["must be a valid json schema"]],
    ["repository_storages_weighted", { default: 101 }, { default: ["must be an integer between 0 and 100"] }],
    ["home_page_url", { a: 1 }, ["is invalid"]],
  ])("%s = %j is refused", async (name, value, errors) => {
    const { status, json } = await put({ [name]: value });
    expect([status, json]).toEqual([400, { message: { [name]: errors } }]);
  });
  test("among valid ones prevents all of them from being stored", async () => {
    await put({ max_export_size: 3 });
    const { status, json } = await put({ max_export_size: 4, max_import_size: "x", first_day_of_week: 9 });
    expect([status, Object.keys(json.message).sort()]).toEqual([400, ["first_day_of_week", "max_import_size"]]);
    expect((await read()).max_export_size).toBe(3);
  });
});

describe("settings that require others", () => {
  const throttle = "throttle_authenticated_api";

  test.each([
    [{ codesearch_enabled: true }, "codesearch_url"],
    [{ codesearch_enabled: "1", codesearch_url: " " }, "codesearch_url"],
    [{ enforce_terms: true }, "terms"],
    [{ shared_runners_enabled: true, shared_runners_text: "hi" }, "shared_runners_minutes"],
    [{ require_two_factor_authentication: true }, "two_factor_grace_period"],
    [{ unique_ips_limit_enabled: true, unique_ips_limit_per_user: 3 }, "unique_ips_limit_time_window"],
    [{ [`${throttle}_enabled`]: true, [`${throttle}_period_in_seconds`]: 5 }, `${throttle}_requests_per_period`],
    [
      { chatapp_enabled: true, chatapp_id: "1", chatapp_secret: "2", chatapp_signing_secret: "3" },
      "chatapp_verification_token",
    ],
    [{ spamsvc_enabled: true }, "spamsvc_api_key"],
    [{ telemetry_enabled: true }, "telemetry_collector_hostname"],
    [{ email_restrictions_enabled: true }, "email_restrictions"],
  ])("%j lacks %s", async (json, name) => {
    const answer = await put(json);
    expect([answer.status, answer.json]).toEqual([400, { message: `400 (Bad request) "${name}" not given` }]);
  });
  test("are valid together, off, or with their own defaults", async () => {
    expect((await put({ codesearch_enabled: true, codesearch_url: "http://search.example" })).status).toBe(200);
    expect((await put({ enforce_terms: false })).status).toBe(200);
    expect((await put({ throttle_authenticated_git_http_enabled: true })).status).toBe(200);
  });
  test("do not require settings that the tier does not have", async () => {
    const { ask, sandbox } = await openSession({ tier: "free" });
    const json = { shared_runners_enabled: true, shared_runners_text: "hi" };
    expect((await ask("PUT /application/settings", { json })).status).toBe(200);
    await sandbox.close();
  });
  test("cannot lose them while they are on", async () => {
    await put({ codesearch_enabled: true, codesearch_url: "http://search.example" });
    const { status, json } = await put({ codesearch_url: "" });
    expect([status, json]).toEqual([400, { message: { codesearch_url: ["can't be blank"] } }]);
    expect((await put({ codesearch_enabled: false, codesearch_url: "" })).status).toBe(200);
  });
});

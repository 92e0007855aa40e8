import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { settings } from "../../src/settings/catalogue.ts";
import { atEnd } from "./ending.ts";

// The settings of an instance as real ones show and take them, where that is not what the documents say: facts on
// them, as tables.

type Values = Record<string, unknown>;

/** What must be in the request that switches the first on, even if it is empty or already set. */
const companions: Readonly<Record<string, readonly string[]>> = {
  chatapp_enabled: ["chatapp_id", "chatapp_secret", "chatapp_signing_secret", "chatapp_verification_token"],
  codesearch_enabled: ["codesearch_url"],
  diagrameditor_enabled: ["diagrameditor_url"],
  diagramproxy_enabled: ["diagramproxy_url"],
  housekeeping_enabled: ["housekeeping_optimize_repository_period"],
  // No document has these.
  maildrop_archive_enabled: ["sign_in_restrictions"],
  maildrop_events_enabled: ["maildrop_signing_key", "maildrop_region"],
  require_two_factor_authentication: ["two_factor_grace_period"],
  shared_runners_enabled: ["shared_runners_text"],
  spam_check_endpoint_enabled: ["spam_check_endpoint_url"],
  spamsvc_enabled: ["spamsvc_api_key"],
  telemetry_enabled: ["telemetry_collector_hostname"],
  umlrenderer_enabled: ["umlrenderer_url"],
};

/** Other names of the second: both are shown, and taken. */
const otherNames: Readonly<Record<string, string>> = {
  allow_local_requests_from_hooks_and_services: "allow_local_requests_from_web_hooks_and_services",
  asset_proxy_whitelist: "asset_proxy_allowlist",
  housekeeping_incremental_repack_period: "housekeeping_optimize_repository_period",
  password_authentication_enabled: "password_authentication_enabled_for_web",
  signin_enabled: "password_authentication_enabled_for_web",
  throttle_unauthenticated_enabled: "throttle_unauthenticated_web_enabled",
  throttle_unauthenticated_period_in_seconds: "throttle_unauthenticated_web_period_in_seconds",
  throttle_unauthenticated_requests_per_period: "throttle_unauthenticated_web_requests_per_period",
};

/** Settings that are shown a second time, as a part of an object. */
const parts: Readonly<Record<string, readonly [object: string, key: string]>> = {
  disable_password_authentication_for_users_with_sso_identities: [
    "sign_in_restrictions",
    "disable_password_authentication_for_users_with_sso_identities",
  ],
  editor_extension_marketplace_enabled: ["editor_extension_marketplace", "enabled"],
  require_admin_two_factor_authentication: ["sign_in_restrictions", "require_admin_two_factor_authentication"],
  session_expire_from_init: ["sign_in_restrictions", "session_expire_from_init"],
};

/** Lists that are shown a second time, as a text of lines, under a name with `_raw`; of the last two only the text. */
const listsAsText = ["domain_allowlist", "domain_denylist", "outbound_local_requests_allowlist", "protected_paths"];

/** Shown as the last of the others only. */
const periods = ["housekeeping_full_repack_period", "housekeeping_gc_period"];

const ownHost = "forge.acme.example";

const shownAtFirst: Values = {
  asset_proxy_allowlist: [ownHost],
  default_branch_protection: 2,
  default_branch_protection_defaults: { allowed_to_push: [{ access_level: 40 }], allow_force_push: false },
  default_group_visibility: "private",
  default_project_visibility: "private",
  default_snippet_visibility: "private",
  disable_feed_token: false,
  disable_password_authentication_for_users_with_sso_identities: false,
  editor_extension_marketplace: { enabled: false },
  editor_extension_marketplace_enabled: false,
  external_pipeline_validation_service_timeout: null,
  git_rate_limit_users_alertlist: [1],
  housekeeping_enabled: true,
  housekeeping_optimize_repository_period: 10,
  housekeeping_full_repack_period: 10,
  housekeeping_gc_period: 10,
  include_optional_metrics_in_service_ping: true,
  jobqueue_job_limiter_mode: "compress",
  local_markdown_version: 0,
  maildrop_archive_enabled: false,
  maildrop_events_enabled: true,
  maildrop_region: null,
  maildrop_signing_key: "k3y-of-maildrop",
  polling_interval_multiplier: "1.0",
  repository_storages_weighted: { default: 100, nfs: 0 },
  session_expire_from_init: false,
  sign_in_restrictions: {
    disable_password_authentication_for_users_with_sso_identities: false,
    require_admin_two_factor_authentication: false,
    session_expire_from_init: false,
  },
  usage_ping_enabled: true,
  usage_ping_features_enabled: true,
  usage_ping_generation_enabled: true,
  valid_runner_registrars: ["project", "group"],
  whats_new_variant: "all_tiers",
};

const byType = { array: [], boolean: false, integer: 7200, number: 0.5, object: {}, string: null, text: null } as const;

function atFirst(): Values {
  const documented = settings.map(({ name, type, max = 7200 }) => [name, type === "integer" ? max : byType[type]]);
  const values: Values = { id: 1, ...Object.fromEntries(documented), ...structuredClone(shownAtFirst) };
  // The one is shown as another setting, and the other as a text only.
  const unshown = ["admin_notification_email", "outbound_local_requests_whitelist"];
  for (const name of unshown) delete values[name];
  for (const list of listsAsText) values[`${list}_raw`] = "";
  for (const [name, inUse] of Object.entries(otherNames)) values[name] = values[inUse];
  return values;
}

function stored(values: Values, name: string, value: unknown): void {
  const [object = "", key = ""] = parts[name] ?? [];
  const list = /^(.+)_raw$/.exec(name)?.[1];
  values[name] = value;
  if (parts[name] !== undefined) values[object] = { ...(values[object] as object), [key]: value };
  for (const [part, [whole, of]] of Object.entries(parts))
    if (whole === name) values[part] = (value as Values)[of] ?? null;
  if (name === "polling_interval_multiplier") values[name] = Number(value).toFixed(1);
  if (name === "terms") values[name] = String(value ?? "").trim() || null;
  if (name === "external_pipeline_validation_service_timeout") values[name] = value ? Number(value) : null;
  if (name === "git_rate_limit_users_alertlist") values[name] = (value as number[]).toSorted((a, b) => a - b);
  if (name === "asset_proxy_allowlist") values[name] = [...new Set([...(value as string[]), ownHost])];
  if (/^asset_proxy_/.test(name)) values.local_markdown_version = Number(values.local_markdown_version) + 1;
  if (name === "performance_bar_allowed_group_id") values[name] = null;
  if (list !== undefined)
    values[name] = String(value ?? "")
      .split(/[\s,;]+/)
      .filter(Boolean)
      .join("\n");
  if (list !== undefined && Object.hasOwn(values, list))
    values[list] = String(values[name]).split("\n").filter(Boolean);
  if (listsAsText.includes(name)) values[`${name}_raw`] = ((value ?? []) as string[]).join("\n");
}

/** What is shown as others say, whatever is stored for it. */
function computed(values: Values, own: Values): void {
  for (const name of periods) values[name] = values.housekeeping_optimize_repository_period;
  const isOn = values.usage_ping_enabled === true && values.include_optional_metrics_in_service_ping === true;
  values.usage_ping_features_enabled = isOn && own.usage_ping_features_enabled;
  values.usage_ping_generation_enabled = values.usage_ping_enabled === true || own.usage_ping_generation_enabled;
  values.disable_feed_token = values.disable_personal_access_tokens === true || own.disable_feed_token;
}

/** An instance without times in its settings, as real ones are, and its settings as they are shown. */
export async function settingsInstance() {
  let values = atFirst();
  const own: Values = { ...values };
  const hidden = new Set<string>();
  let limited: (() => void) | undefined;
  const seen = () => Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name)));
  const put = (body: Values): [status: number, body: unknown] => {
    const sent = Object.entries(body).filter(([name]) => Object.hasOwn(values, name));
    const missing = sent
      .filter(([, value]) => value === true)
      .flatMap(([name]) => companions[name] ?? [])
      .filter((name) => !Object.hasOwn(body, name));
    if (missing.length > 0) return [400, { error: missing.map((name) => `${name} is missing`).join(", ") }];
    const next = structuredClone(values);
    for (const [given, value] of sent) {
      const name = otherNames[given] ?? given;
      own[name] = value;
      // The terms cannot be emptied.
      if (periods.includes(name) || (name === "terms" && !value)) continue;
      stored(next, name, value);
    }
    computed(next, own);
    for (const [name, inUse] of Object.entries(otherNames)) next[name] = next[inUse];
    values = next;
    return [200, seen()];
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isSettings = request.url?.startsWith("/api/v4/application/settings");
    const found: [number, unknown] = isSettings ? [200, seen()] : [404, { message: "404 Not Found" }];
    if (request.method === "PUT" && limited !== undefined) {
      limited();
      limited = undefined;
      response.writeHead(429, { "retry-after": "2" }).end("{}");
      return;
    }
    const [status, body] = request.method === "PUT" ? put(JSON.parse(Buffer.concat(chunks).toString())) : found;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shown: () => structuredClone(values),
    put: (body: Values) => put(body),
    /** The next change is answered with 429, after this was called. */
    limitOnce: (meanwhile: () => void) => {
      limited = meanwhile;
    },
    /** From now on it does not show this setting, which it still takes. */
    hide: (name: string) => hidden.add(name),
  };
}

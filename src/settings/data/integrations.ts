import type { Setting } from "../setting.ts";
import { array, boolean, object, string, undescribed } from "./define.ts";

/** External services that the instance uses or embeds. */
export const integrationSettings: readonly Setting[] = [
  boolean("allow_all_integrations", "When false, only the integrations in `allowed_integrations` are allowed", {
    tier: "ultimate",
  }),
  array("allowed_integrations", "The integrations allowed when `allow_all_integrations` is false", {
    items: "string",
    appliesWhen: { setting: "allow_all_integrations", is: false },
    tier: "ultimate",
  }),

  boolean("spamsvc_enabled", "Enable spam protection"),
  string("spamsvc_api_key", "Key for the spam protection service", { requiredBy: "spamsvc_enabled", secret: true }),
  boolean("spam_check_endpoint_enabled", "Enable spam checks by an external endpoint", { default: false }),
  string("spam_check_endpoint_url", "The spam check endpoint; the scheme `tls` forces encryption", {
    schemes: ["grpc", "tls"],
  }),
  string("spam_check_api_key", "Key for the spam check endpoint", { secret: true }),

  boolean("chatapp_enabled", "Enable the chat app"),
  string("chatapp_id", "Client ID of the chat app", { requiredBy: "chatapp_enabled" }),
  string("chatapp_secret", "Client secret of the chat app", { requiredBy: "chatapp_enabled", secret: true }),
  string("chatapp_signing_secret", "Signing secret of the chat app", { requiredBy: "chatapp_enabled", secret: true }),
  string("chatapp_verification_token", "Verification token of the chat app", {
    requiredBy: "chatapp_enabled",
    secret: true,
  }),

  boolean("telemetry_enabled", "Enable telemetry"),
  string("telemetry_app_id", "App ID of the telemetry"),
  string("telemetry_collector_hostname", "Hostname of the telemetry collector", { requiredBy: "telemetry_enabled" }),
  string("telemetry_database_collector_hostname", "Hostname of the telemetry's database collector"),
  string("telemetry_cookie_domain", "Cookie domain of the telemetry"),

  boolean("codesearch_enabled", "Enable the code search service", { default: false }),
  boolean("codesearch_public_only", "Limit the code search service to what is public", { default: true }),
  string("codesearch_url", "The code search service's URL", { requiredBy: "codesearch_enabled" }),

  boolean("umlrenderer_enabled", "Enable the UML renderer"),
  string("umlrenderer_url", "The UML renderer's URL", { nullable: true }),
  boolean("diagrameditor_enabled", "Enable the diagram editor"),
  string("diagrameditor_url", "The diagram editor's URL", { nullable: true }),
  boolean("diagramproxy_enabled", "Enable the diagram proxy"),
  string("diagramproxy_url", "The diagram proxy's URL", { nullable: true }),

  boolean("asset_proxy_enabled", "Enable the asset proxy"),
  string("asset_proxy_url", "The asset proxy's URL", { nullable: true }),
  array("asset_proxy_allowlist", "The asset proxy's allowlist"),
  array("asset_proxy_whitelist", "The asset proxy's allowlist", { sameAs: "asset_proxy_allowlist" }),

  string("issuetracker_connect_application_key", "Application key of the issue tracker's connect app", {
    nullable: true,
    secret: true,
  }),
  string("issuetracker_connect_proxy_url", "Proxy URL of the issue tracker's connect app", { nullable: true }),
  string("issuetracker_connect_additional_audience_url", "Additional audience URL of the issue tracker's connect app", {
    nullable: true,
  }),
  boolean(
    "issuetracker_connect_public_key_storage_enabled",
    "Enable public key storage for the issue tracker's connect app",
  ),

  boolean("assistant_features_enabled", "Enable the assistant's features", { tier: "premium" }),
  boolean("lock_assistant_features_enabled", "Lock `assistant_features_enabled`", { tier: "premium" }),
  boolean("model_prompt_cache_enabled", "Enable the model's prompt cache"),
  boolean("lock_model_prompt_cache_enabled", "Lock `model_prompt_cache_enabled`"),
  object("editor_extension_marketplace", "The editor's extension marketplace"),
  boolean("avatarsvc_enabled", "Enable the avatar service"),
  boolean("floc_enabled", undescribed),
];

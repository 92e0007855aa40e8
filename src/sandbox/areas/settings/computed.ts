type Values = Readonly<Record<string, unknown>>;

const restrictions = "sign_in_restrictions";
const parts = [
  "disable_password_authentication_for_users_with_sso_identities",
  "require_admin_two_factor_authentication",
];
const [kept, ...old] = ["optimize_repository", "incremental_repack", "full_repack", "gc"].map(
  (kind) => `housekeeping_${kind}_period`,
) as [string, string, string, string];

/** Real instances show some settings as others say, whatever is stored for them. */
export function asComputed(values: Values): Values {
  const isPinged = values.usage_ping_enabled === true;
  const isWanted =
    values.usage_ping_features_enabled === true && values.include_optional_metrics_in_service_ping === true;
  const available = values.assistant_features_enabled === true ? "default_on" : "default_off";
  return {
    ...values,
    usage_ping_features_enabled: isPinged && isWanted,
    usage_ping_generation_enabled: isPinged || values.usage_ping_generation_enabled === true,
    ...Object.fromEntries(old.map((name) => [name, values[kept]])),
    [restrictions]: { ...(values[restrictions] as object), ...partsOf(values) },
    ...("assistant_features_enabled" in values && {
      assistant_availability: values.lock_assistant_features_enabled === true ? "never_on" : available,
    }),
  };
}

/** What real instances store where such a setting is sent. */
export function storedFor(accepted: Values): Values {
  const whole = accepted[restrictions];
  const [repack = ""] = old;
  return {
    ...(typeof whole === "object" && whole !== null && { ...off, ...partsOf(whole as Values) }),
    ...(repack in accepted && { [kept]: accepted[repack] }),
    ...availability(accepted.assistant_availability),
  };
}

const off = Object.fromEntries(parts.map((name) => [name, false]));

function partsOf(values: Values): Values {
  return Object.fromEntries(parts.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
}

function availability(word: unknown): Values {
  if (word === undefined) return {};
  const isOpen = word === "default_on" || word === "default_off";
  return { assistant_features_enabled: word === "default_on", lock_assistant_features_enabled: !isOpen };
}

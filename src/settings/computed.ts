// Settings that an instance computes from others each time that it shows them: what it has stored for them stays as it
// is (settings-changed-along).

const sources: ReadonlyMap<string, readonly string[]> = new Map([
  ["usage_ping_features_enabled", ["usage_ping_enabled", "include_optional_metrics_in_service_ping"]],
  ["usage_ping_generation_enabled", ["usage_ping_enabled"]],
  ["performance_bar_enabled", ["performance_bar_allowed_group_id"]],
  ["housekeeping_incremental_repack_period", ["housekeeping_optimize_repository_period"]],
  ...["housekeeping_full_repack_period", "housekeeping_gc_period"].map((name): [string, string[]] => [
    name,
    ["housekeeping_optimize_repository_period", "housekeeping_incremental_repack_period"],
  ]),
  ["iframe_rendering_allowlist_raw", ["iframe_rendering_allowlist"]],
  [
    "sign_in_restrictions",
    [
      "disable_password_authentication_for_users_with_sso_identities",
      "require_admin_two_factor_authentication",
      "root_moved_permanently_redirection",
      "session_expire_from_init",
    ],
  ],
]);

/**
 * Of these, what they are computed from is written, too, where they are sent, and restored with them. A word for a
 * feature and its lock does not say which of the four states the two had.
 */
const writesSources =
  /^(?:housekeeping_incremental_repack_period|iframe_rendering_allowlist_raw|sign_in_restrictions)$/;

function sourcesOf(name: string): readonly string[] {
  const [, feature] = /^(\w+)_availability$/.exec(name) ?? [];
  return feature === undefined
    ? (sources.get(name) ?? [])
    : [`${feature}_features_enabled`, `lock_${feature}_features_enabled`];
}

interface Others {
  readonly written: readonly string[];
  readonly changed: readonly string[];
}

/** Whether a setting shows another value only because of one that was written, or that is not as it was either. */
export function isComputed(name: string, { written, changed }: Others): boolean {
  const isMoved = (each: string) => written.includes(each) || changed.includes(each);
  const isWrittenBy = (each: string) => writesSources.test(each) && sourcesOf(each).includes(name);
  return sourcesOf(name).some(isMoved) || written.some(isWrittenBy);
}

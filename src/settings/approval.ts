type Values = Readonly<Record<string, unknown>>;

/** What else such a change does (waiting-accounts-approved). It continues a sentence on the instance. */
export const approvesAll = "the instance approves every account that waits for approval, which nothing takes back";

/**
 * The values by which an instance approves every account that waits for approval, since new ones are no longer held
 * back: no approval of sign-ups, or a higher limit of accounts, or none (releases differ in the latter).
 */
export function approvalsIn(values: Values, current: Values): string[] {
  return Object.keys(values).filter((name) => isOpened[name]?.(values[name], current[name]) === true);
}

const isOpened: Readonly<Record<string, (value: unknown, before: unknown) => boolean>> = {
  require_admin_approval_after_user_signup: (value, before) => value === false && before !== false,
  new_user_signups_cap: (value, before) =>
    typeof before === "number" && (value === null || value === "" || (typeof value === "number" && value > before)),
};

import { findSetting } from "./catalogue.ts";
import { sameValue } from "./compare.ts";

type Values = Readonly<Record<string, unknown>>;

/** Undocumented settings whose names suggest that they control access: when in doubt, the user is asked. */
const riskyName =
  /^(?:password_authentication_|disable_.*(?:password|sign_?in|token)|disabled_oauth_sign_in|enforce_granular_tokens|granular_tokens_enforced_after|maintenance_mode|require_.*two_factor|.*_allowed_ips$|.*_ip_(?:allow|deny))/;
const throttle = /^(throttle_.+)_(?:enabled|period_in_seconds|requests_per_period)$/;
/** Fewer requests per minute, or per period, than it takes to sign in and turn the limit off again. */
const minRequests = 10;

/** The changed values that can lock users out, considering the other current settings. */
export function lockoutsOf(values: Values, current: Values): string[] {
  const effective = { ...current, ...values };
  return Object.keys(values).filter(
    (name) => !sameValue(values[name], current[name]) && locksOut(name, values[name], effective),
  );
}

function locksOut(name: string, value: unknown, effective: Values): boolean {
  const [, limit] = throttle.exec(name) ?? [];
  if (limit !== undefined) return isTooLow(limit, effective);
  // Users who have not accepted the current terms lose access, to the API too.
  if (name === "terms") return effective.enforce_terms === true;
  const setting = findSetting(name);
  return setting === undefined ? riskyName.test(name) && value !== null : setting.lockout === true;
}

function isTooLow(limit: string, effective: Values): boolean {
  if (effective[`${limit}_enabled`] !== true) return false;
  const requests = effective[`${limit}_requests_per_period`];
  const period = effective[`${limit}_period_in_seconds`];
  if (typeof requests !== "number") return false;
  if (requests < minRequests) return true;
  return typeof period === "number" && (period <= 0 || (requests / period) * 60 < minRequests);
}

import { isObject } from "../base/is-object.ts";
import { ownValue } from "../base/own-value.ts";

/** Settings that instances show, and take, a second time: as a key of an object (settings-with-two-names). */
const parts: Readonly<Record<string, { readonly object: string; readonly key: string }>> = {
  editor_extension_marketplace_enabled: { object: "editor_extension_marketplace", key: "enabled" },
  ...Object.fromEntries(
    [
      "disable_password_authentication_for_users_with_sso_identities",
      "require_admin_two_factor_authentication",
      "root_moved_permanently_redirection",
      "session_expire_from_init",
    ].map((name) => [name, { object: "sign_in_restrictions", key: name }]),
  ),
};

/** The settings that are parts of an object. */
export function partsOf(object: string): string[] {
  return Object.entries(parts).flatMap(([name, { object: whole }]) => (whole === object ? [name] : []));
}

/** Which keys of an object these settings are, with their values. */
export function keysGivenAsParts(object: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(parts).filter(([name, part]) => part.object === object && Object.hasOwn(values, name));
  return Object.fromEntries(given.map(([name, { key }]) => [key, values[name]]));
}

/** The object among these values that has a setting as one of its keys, and what it says for it. */
export function partIn(
  name: string,
  values: Readonly<Record<string, unknown>>,
): { object: string; value: unknown } | undefined {
  const { object = "", key = "" } = ownValue(parts, name) ?? {};
  const whole = ownValue(values, object);
  return isObject(whole) && Object.hasOwn(whole, key) ? { object, value: whole[key] } : undefined;
}

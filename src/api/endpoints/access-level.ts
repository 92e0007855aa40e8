import { code, id, required } from "../field.ts";
import type { FieldOptions } from "../field-options.ts";

/**
 * The access levels that members, links, and rules carry
 * (`2-collaboration-identity-api: SAML and SCIM identities, links`).
 */
export const accessLevels = {
  minimal: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60,
} as const;

/** An access level, typed by name or number. */
export function accessLevel(description = "Access level, by name or number", options: FieldOptions = {}) {
  return code(accessLevels, description, { placeholder: "level", ...options });
}

/** The access of the members of a linked group. */
export const memberLevel = required(accessLevel("Access level of its members here, by name or number"));
/** Where no custom roles exist, instances neither store nor answer it (saml-link-role). */
export const memberRole = id("Custom role of its members", { placeholder: "id", answered: { missing: "unset" } });

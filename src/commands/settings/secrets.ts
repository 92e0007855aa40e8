import { isSecretName } from "../../api/redact.ts";
import { findSetting } from "../../settings/catalogue.ts";
import { masked } from "../../terminal/mask.ts";

/** Whether a setting is never shown: by the catalogue, or by its name where the documents do not have it. */
export function isSecretSetting(name: string): boolean {
  const setting = findSetting(name);
  return setting === undefined ? isSecretName(name) : setting.secret === true || setting.writeOnly === true;
}

/** A setting's value as it may be shown. Whether a secret is set at all may be known. */
export function shownValue(name: string, value: unknown): unknown {
  return shown(value, isSecretSetting(name));
}

function shown(value: unknown, secret: boolean): unknown {
  if (value === null || value === undefined || value === "" || typeof value === "boolean") return value;
  if (secret) return masked;
  if (Array.isArray(value)) return value.map((item) => shown(item, false));
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner, isSecretName(key))]));
}

import { hideSecrets, isSecretName, mask } from "../base/secrets.ts";
import { findSetting } from "./catalogue.ts";

/** Whether a setting is never shown: by the catalogue, or by its name where the documents do not have it. */
export function isSecretSetting(name: string): boolean {
  const setting = findSetting(name);
  return setting === undefined ? isSecretName(name) : setting.secret === true || setting.writeOnly === true;
}

/** A setting's value as it may be shown. Whether a secret is set at all may be known. */
export function shownValue(name: string, value: unknown): unknown {
  if (value === null || value === undefined || value === "" || typeof value === "boolean") return value;
  return isSecretSetting(name) ? mask : hideSecrets(value);
}

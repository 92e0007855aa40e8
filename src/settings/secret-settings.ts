import { hideInText } from "../base/named-secrets.ts";
import { isSecretName } from "../base/secret-names.ts";
import { hideInAddresses, hideSecrets, holdsMask, isMasked, mask, treatSecrets } from "../base/secrets.ts";
import { findSetting } from "./catalogue.ts";

/** Such a name is of something that is switched on or off: `disable_feed_token`, `ropc_without_client_credentials`. */
const isSwitch = /^(?:allow|disable|enable|enforce|hide|include|prevent|require|show|skip)_|_without_/;

/** Whether a setting is secret: by the catalogue, or by its name if undocumented. */
export function isSecretSetting(name: string): boolean {
  const setting = findSetting(name);
  if (setting === undefined) return isSecretName(name) && !isSwitch.test(name);
  return setting.secret === true || setting.writeOnly === true;
}

/** Whether an instance shows a mask in place of a value, or of the password in an address: stars in a text are none. */
export function isShownMasked(value: unknown): boolean {
  return isMasked(value) || (typeof value === "string" && /^\w+:\/\/\S+$/.test(value) && holdsMask(value));
}

/** A setting's value for the result of a command that reads it. Whether a secret is set may be shown. */
export function shownValue(name: string, value: unknown): unknown {
  if (value === null || value === undefined || value === "" || typeof value === "boolean") return value;
  return isSecretSetting(name) ? mask : hideSecrets(value);
}

/** The same for messages, reports, and files, which have no part of a secret: the value was not asked for. */
export function hiddenValue(name: string, value: unknown): unknown {
  return treatSecrets(shownValue(name, value), { text: hideInAddresses });
}

/** The same inside a sentence: a text that only looks like the header of a token is hidden, too. */
export function quotedValue(name: string, value: unknown): unknown {
  return treatSecrets(shownValue(name, value), { text: hideInText });
}

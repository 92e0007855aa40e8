// Which names are secret: of fields, headers, settings, and parameters of addresses. No other file decides this;
// src/settings/secret-settings.ts adds the secret settings of the catalogue.

/** Names with these endings are secret; when in doubt, a value is hidden. */
const secretEnding =
  /(?:^|_)(?:(?<!page_)token|secrets?|passwords?|passwd|passphrase|dsn|api_?key|key_pass|captcha_response|authorization|cookie|signature|credentials?|connection_string|encrypted)$|^encrypted_|^(?:access|secret|private|application|signing|client)_?key$/;
/** Keys that are public, or that are not credentials. */
const openKey = /(?:^|_)(?:public|site|ssh|gpg|cache|primary|foreign|sort|idempotency)_key$/;
/** Secret parameters of signed URLs whose names lack a secret's ending. */
const signingParameters = new Set([
  "sig",
  "policy",
  "expires",
  "key_pair_id",
  "awsaccesskeyid",
  "googleaccessid",
  "x_amz_expires",
]);
const known = new Map<string, boolean>();
const maxKnown = 10_000;

/** Whether a header, field, or setting of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const plain = plainName(name);
  const secret = secretEnding.test(plain) || (plain.endsWith("_key") && !openKey.test(plain));
  // Names are few, but a hostile answer may contain many.
  if (known.size < maxKnown) known.set(name, secret);
  return secret;
}

/** Whether a query parameter of this name holds a secret. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || signingParameters.has(plainName(name));
}

/**
 * Words for what receivers of webhooks ask for in their addresses: `key`, `code`, `zapikey`, `a[token]`. In other texts
 * they may be about anything.
 */
const secretWord =
  /(?:^|_)(?:key|code|auth|pass|pwd|jwt|creds?|sig)$|(?:token|secret|password|passwd|apikey|accesskey|credentials?)$/;
/** Where a list continues. */
const openWord = /page_?token$/;

/** Whether a parameter in an address holds a secret: for one of another service, its name alone says so. */
export function isSecretInAddress(name: string): boolean {
  const plain = plainName(name.replace(/[^\w-]+/g, "_").replace(/(?<!_)_+$/, ""));
  if (openKey.test(plain) || openWord.test(plain)) return false;
  return secretWord.test(plain) || isSecretParameter(plain);
}

function plainName(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .replace(/\[\]$/, "")
    .toLowerCase();
}

/** A data source name, whose key differs between instances and documents. */
export function isSourceName(name: string): boolean {
  return name.endsWith("dsn") && /(?:^|_)dsn$/.test(name);
}

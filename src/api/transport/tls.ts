import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { UsageError } from "../../base/errors.ts";

/**
 * TLS with an additional authority and a client certificate. Adding to a context keeps Node's whole
 * default set (`NODE_EXTRA_CA_CERTS`, `--use-system-ca`), which the `ca` option would replace.
 */
export function secureContextFor(pem: { ca?: string; cert?: string; key?: string }): SecureContext {
  const { ca, cert, key } = pem;
  const context = build(
    "the client certificate or its key cannot be used",
    "the profile keys `cert-file` and `key-file`",
    () => createSecureContext({ ...(cert && { cert }), ...(key && { key }) }),
  );
  if (!ca) return context;
  return build("the certificate authority cannot be used", "`--ca-file` or the profile key `ca-file`", () => {
    if (!/-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/.test(ca)) throw new Error("it contains no PEM certificate");
    const native = context.context as { addCACert?(pem: string): void };
    if (!native.addCACert) return createSecureContext({ ...pem, ca: [...rootCertificates, ca] });
    native.addCACert(ca);
    return context;
  });
}

function build(message: string, places: string, make: () => SecureContext): SecureContext {
  try {
    return make();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(message, { reason, hint: `check ${places}`, cause: error });
  }
}

import { reasonIn, UsageError } from "../base/errors.ts";
import type { Files } from "../host.ts";
import type { Config, Given } from "./config.ts";
import { isProfileKey } from "./values.ts";

/** PEM texts for the connection; those not set are left out. */
interface Tls {
  ca?: string;
  cert?: string;
  key?: string;
}

/** Reads the current certificate files. Errors name the flag, the variable, or the profile's key. */
export async function readTls(config: Config, files: Files): Promise<Tls> {
  const { caFile, certFile, keyFile } = config;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [there, missing] = certFile === undefined ? ["key-file", "cert-file"] : ["cert-file", "key-file"];
    throw new UsageError(`${there} is set and ${missing} is not: a client certificate needs both`, {
      code: "bad_certificate",
    });
  }
  const tls: Tls = {};
  if (caFile !== undefined) tls.ca = await readPem(files, labelOf(caFile), caFile.value);
  if (certFile !== undefined) tls.cert = await readPem(files, "cert-file", certFile);
  if (keyFile !== undefined) tls.key = await readPem(files, "key-file", keyFile);
  return tls;
}

function labelOf({ source }: Given): string {
  return source.startsWith("profile ") ? "ca-file" : source;
}

/** The bundle of all public authorities has a quarter of a MiB. */
const maxBytes = 16 * 1024 ** 2;

async function readPem(files: Files, key: string, path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await files.read(path, maxBytes);
  } catch (error) {
    throw new UsageError(`${key}: ${path} cannot be read`, {
      code: "bad_certificate",
      reason: reasonIn(error),
      cause: error,
      ...(isProfileKey(key) && {
        hint: `forgectl profiles set <name> ${key}=<PEM file>, or remove it: forgectl profiles unset <name> ${key}`,
      }),
    });
  }
  const text = new TextDecoder().decode(bytes);
  if (/-----BEGIN [A-Z0-9 ]+-----/.test(text)) return text;
  throw new UsageError(`${key}: ${path} is not a PEM file`, {
    code: "bad_certificate",
    reason: "no line begins with -----BEGIN",
  });
}

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Secrets that are planted where a program gets them from; each is recognized wherever it appears. */
export const planted = {
  jobToken: "job-T0KEN-planted-0123456789",
  jobJwt: "ey-planted.jwt+0123/456789",
  hookToken: "hook-T0KEN/planted+0123456789=",
  headerValue: "header-V4LUE-planted-0123456789",
  dsnKey: "d5nkey0planted0123456789abcdef00",
  signature: "s1gnature0planted0123456789abcdef",
  userinfo: "us3rinfo-planted-0123456789",
  proxyPassword: "pr0xy-planted-0123456789",
  registryPassword: "reg1stry-planted-0123456789",
  setting: "s3tting-planted-0123456789",
  variable: "var1able-planted-0123456789",
  file: "f1le-planted-0123456789",
} as const;

export const plantedAddress = `https://planted:${planted.userinfo}@h.example/x?signature=${planted.signature}`;

/** An answer whose secret fields, and addresses, have planted values. */
export function withPlanted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlanted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plantedIn(name, each)]));
}

function plantedIn(name: string, value: unknown): unknown {
  if (name === "url" && typeof value === "string") return plantedAddress;
  if (name.endsWith("dsn") && typeof value === "string") return `https://${planted.dsnKey}@h.example/7`;
  if (name === "custom_headers" && Array.isArray(value)) return [{ key: "X-A", value: planted.headerValue }];
  if (name === "spamsvc_api_key") return planted.setting;
  return withPlanted(value);
}

/** The forms of a secret that anyone can read back. */
function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), basic(secret)];
}

export function basic(text: string): string {
  return Buffer.from(`user:${text}`).toString("base64");
}

/** The names of the secrets in a text. */
export function secretsIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
    .map(([name]) => name);
}

/** The files below a folder with a secret in their name or content, and the secrets' names. */
export function holders(folder: string, secrets: Readonly<Record<string, string>>): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .flatMap((path) =>
      secretsIn(`${path}\n${readFileSync(path, "latin1")}`, secrets).map((name) => `${path}: ${name}`),
    );
}

import { UsageError } from "../base/errors.ts";
import { type Format, formats, typedFormat } from "../base/format.ts";
import { nearest } from "../base/nearest.ts";
import { readBoolean, readInteger, readNumber } from "../base/read-value.ts";
import { halfCharacter } from "../base/unicode.ts";
import { normalizeBaseUrl, normalizeRegistryUrl } from "./address.ts";

// One rule for a value from any source: a flag, the environment, or a profile. Errors name the source.

/** The keys of a profile, in display order. */
export const profileKeys = [
  "base-url",
  "registry-url",
  "header-prefix",
  "project",
  "group",
  "output",
  "ca-file",
  "cert-file",
  "key-file",
  "proxy",
  "timeout",
  "retries",
  "concurrency",
  "token-command",
  "read-only",
  "protect",
] as const;
export type ProfileKey = (typeof profileKeys)[number];

const checks: Record<ProfileKey, (text: string, source: string) => unknown> = {
  "base-url": normalizeBaseUrl,
  "registry-url": normalizeRegistryUrl,
  "header-prefix": parseHeaderPrefix,
  project: parseText,
  group: parseText,
  output: parseOutput,
  "ca-file": parseText,
  "cert-file": parseText,
  "key-file": parseText,
  proxy: parseProxy,
  timeout: parseTimeout,
  retries: parseRetries,
  concurrency: parseConcurrency,
  "token-command": parseText,
  "read-only": parseSwitch,
  protect: parseSwitch,
};

/** Normalizes a profile's value for storage. Throws a UsageError that names the source. */
export function checkValue(key: ProfileKey, text: string, source: string): string {
  return String(checks[key](text, source));
}

/** Parses a key: `base-url`, or `base_url` as in results. */
export function parseProfileKey(text: string): ProfileKey {
  const name = text.toLowerCase().replaceAll("_", "-");
  if (isProfileKey(name)) return name;
  const meant = nearest(name, profileKeys);
  throw new UsageError(`"${text}" is not a profile key`, {
    code: "unknown_key",
    hint: meant === undefined ? `the keys are ${profileKeys.join(", ")}` : `did you mean ${meant}?`,
  });
}

export function isProfileKey(text: string): text is ProfileKey {
  return (profileKeys as readonly string[]).includes(text);
}

/** Checks a profile's name: up to 64 letters, digits, dots, hyphens, and underscores. Throws a UsageError. */
export function parseProfileName(text: string, source: string): string {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,63}$/u.test(text)) return text;
  throw new UsageError(`${source}: ${JSON.stringify(text)} is not a valid profile name`, {
    code: "bad_profile_name",
    hint: "use letters, digits, dots, hyphens, and underscores, at most 64",
  });
}

/** Parses an output format. Throws a UsageError that lists the formats. */
export function parseOutput(text: string, source: string): Format {
  const found = formats.find((format) => format === text);
  if (found !== undefined) return found;
  if (text === typedFormat) throw bad(source, text, `is not for every command: type -o ${typedFormat}`);
  throw bad(source, text, `is not an output format; the formats are ${formats.join(", ")}`);
}

/** The same for a flag, which may be the one of few commands. */
export function parseTypedOutput(text: string, source: string): Format {
  return text === typedFormat ? typedFormat : parseOutput(text, source);
}

/** Seconds, up to a day, fractions allowed. */
export function parseTimeout(text: string, source: string): number {
  const seconds = readNumber(text);
  if (seconds !== undefined && seconds > 0 && seconds <= 86_400) return seconds;
  throw bad(source, text, "is not a number of seconds above 0 and up to 86400");
}

/** Parses the number of attempts after the first, 0 to 100. */
export function parseRetries(text: string, source: string): number {
  return parseInteger(text, source, 0, 100);
}

/** Parses the maximum number of requests in flight, 1 to 100. */
export function parseConcurrency(text: string, source: string): number {
  return parseInteger(text, source, 1, 100);
}

/** MiB. */
export function parseMaxAnswer(text: string, source: string): number {
  return parseInteger(text, source, 1, 4096);
}

function parseInteger(text: string, source: string, min: number, max: number): number {
  const value = readInteger(text);
  if (value !== undefined && value >= min && value <= max) return value;
  throw bad(source, text, `is not a whole number from ${min} to ${max}`);
}

/** A boolean: of `FORGECTL_DEBUG`, `FORGECTL_NO_INPUT`, or a profile's guard. */
export function parseSwitch(text: string, source: string): boolean {
  const value = readBoolean(text);
  if (value !== undefined) return value;
  throw bad(source, text, "is neither true nor false");
}

/** A trimmed text. An empty one, or one with control characters, is a UsageError. */
export function parseText(text: string, source: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new UsageError(`${source}: is empty`, { code: "bad_value" });
  if (!trimmed.isWellFormed()) throw new UsageError(`${source}: ${halfCharacter}`, { code: "bad_value" });
  if (/\p{Cc}/u.test(trimmed)) throw new UsageError(`${source}: contains control characters`, { code: "bad_value" });
  return trimmed;
}

function parseHeaderPrefix(text: string, source: string): string {
  if (/^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*$/.test(text)) return text;
  throw bad(source, text, "is not a valid header prefix; an example is X-Service");
}

/** The address of a proxy. Errors never repeat it, since it may contain credentials. */
function parseProxy(text: string, source: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url !== undefined && ["http:", "https:"].includes(url.protocol) && url.hostname !== "") return url.href;
  throw new UsageError(`${source}: not a valid proxy address`, {
    code: "bad_address",
    hint: "write it as http://proxy.example.com:3128",
  });
}

function bad(source: string, text: string, problem: string): UsageError {
  return new UsageError(`${source}: ${JSON.stringify(text)} ${problem}`, { code: "bad_value" });
}

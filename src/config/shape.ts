import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { isDeeper } from "../base/json-depth.ts";
import { nearest } from "../base/nearest.ts";
import { readBoolean } from "../base/read-value.ts";
import type { Doubt } from "../host.ts";
import { isProfileKey, type ProfileKey, profileKeys } from "./values.ts";

// The format of profiles.json:
// { "version": 1, "current": "work", "profiles": { "work": { "base-url": "…", "token": { … } } } }

/** Where a profile's token is stored, and its base URL. */
export interface StoredToken {
  storage: "keyring" | "file";
  baseUrl: string;
  /** The folder of profiles whose entry of the keyring it is; undefined in a file, or if an earlier version did it. */
  folder?: string | undefined;
}

export interface Profile {
  settings: Partial<Record<ProfileKey, string>>;
  token?: StoredToken | undefined;
  /** Keys unknown to this version, preserved. */
  rest: Record<string, unknown>;
}

export interface ProfilesData {
  /** The profile used when none is named. */
  current: string | undefined;
  profiles: Map<string, Profile>;
  rest: Record<string, unknown>;
  /** Why the file is not this user's alone, if it is not. */
  doubt?: Doubt | undefined;
}

const version = 1;
const numeric: ReadonlySet<string> = new Set(["timeout", "retries", "concurrency"]);

type Json = Record<string, unknown>;

/** Unknown keys are written back unchanged, which limits their depth. */
const maxDepth = 100;

/** Parses a versioned JSON object. Anything else is an error that names the file and a remedy. */
export function parseVersioned(text: string, path: string): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // Node's message quotes the text, which may contain secrets.
    // Newer versions of Node add the line and column.
    const at = /(at position \d+)(?: \(line \d+ column \d+\))?$/.exec((error as Error).message)?.[1];
    throw broken(path, at === undefined ? "it is not valid JSON" : `it is not valid JSON (${at})`);
  }
  if (!isObject(parsed)) throw broken(path, "it is not a JSON object");
  if (isDeeper(parsed, maxDepth)) throw broken(path, `it is nested more than ${maxDepth} deep`);
  if (typeof parsed.version === "number" && parsed.version > version) {
    throw new Failure("usage", `${path} was written by a newer forgectl`, {
      code: "newer_config",
      reason: `its version is ${parsed.version}; this program supports version ${version}`,
      hint: "update forgectl, or name another folder with FORGECTL_CONFIG_DIR",
    });
  }
  if (parsed.version !== version) throw broken(path, `it has no "version": ${version}`);
  return parsed;
}

/** Parses profiles.json; `path` is for errors. Content that is not valid is a Failure (exit 2). */
export function parseProfiles(text: string, path: string): ProfilesData {
  const { version: _, current, profiles = {}, ...rest } = parseVersioned(text, path);
  if (current !== undefined && typeof current !== "string") throw broken(path, '"current" is not a name');
  if (!isObject(profiles)) throw broken(path, '"profiles" is not an object');
  return {
    current,
    profiles: new Map(Object.entries(profiles).map(([name, value]) => [name, parseProfile(name, value, path)])),
    rest,
  };
}

function parseProfile(name: string, value: unknown, path: string): Profile {
  if (!isObject(value)) throw broken(path, `profile ${JSON.stringify(name)} is not an object`);
  const profile: Profile = { settings: {}, rest: {} };
  for (const [written, item] of Object.entries(value)) {
    const key = keyOf(written, item, value);
    if (key === "token") profile.token = parseStoredToken(name, item, path);
    else if (!isProfileKey(key)) profile.rest[key] = item;
    else if (isScalar(item)) profile.settings[key] = stricter(key, profile.settings[key], String(item));
    else throw broken(path, `"${key}" of profile ${JSON.stringify(name)} is neither a text, a number, nor a boolean`);
  }
  return profile;
}

/**
 * `profiles show` and `profiles set` have `read_only` too. A guard that is written by hand like this, or nearly, holds:
 * `readOnly`, `protected`. Beside its own name it has to be a boolean: other keys there are those of another version.
 */
function keyOf(written: string, item: unknown, profile: object): string {
  const key = written.replaceAll("_", "-");
  const isKey = isProfileKey(key);
  const meant = isKey || !isScalar(item) ? key : nearest(key, profileKeys);
  if (meant === undefined || !(isKey || isGuard(meant))) return written;
  if (written === meant || !(meant in profile)) return meant;
  return isGuard(meant) && isScalar(item) && readBoolean(String(item)) !== undefined ? meant : written;
}

/** Of a guard that is written twice, the value that is on. */
function stricter(key: ProfileKey, first: string | undefined, text: string): string {
  return isGuard(key) && first !== undefined && readBoolean(first) !== false ? first : text;
}

function isGuard(key: string): boolean {
  return key === "read-only" || key === "protect";
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function parseStoredToken(name: string, value: unknown, path: string): StoredToken {
  if (isObject(value)) {
    const { storage, "base-url": baseUrl, folder } = value;
    if ((storage === "keyring" || storage === "file") && typeof baseUrl === "string") {
      return { storage, baseUrl, ...(typeof folder === "string" && { folder }) };
    }
  }
  throw broken(path, `"token" of profile ${JSON.stringify(name)} does not say where the token is stored`);
}

/** The content of profiles.json. */
export function storedProfiles(data: ProfilesData): Json {
  const profiles = Object.fromEntries([...data.profiles].map(([name, profile]) => [name, formatProfile(profile)]));
  return versioned({ ...(data.current !== undefined && { current: data.current }), profiles, ...data.rest });
}

/** Adds the format's version, which `parseVersioned` requires. */
export function versioned(content: Json): Json {
  return { version, ...content };
}

function formatProfile({ settings, token, rest }: Profile): Json {
  const formatted: Json = {};
  for (const [key, value] of Object.entries(settings)) {
    // A number written by hand that is not valid is kept as text.
    formatted[key] = numeric.has(key) && String(Number(value)) === value ? Number(value) : value;
  }
  if (token !== undefined) {
    const { storage, baseUrl, folder } = token;
    formatted.token = { storage, "base-url": baseUrl, ...(folder !== undefined && { folder }) };
  }
  return { ...formatted, ...rest };
}

/** The Failure (exit 2, code `broken_config`) for a file that is not valid. */
export function broken(path: string, reason: string): Failure {
  return new Failure("usage", `${path} is not valid`, {
    code: "broken_config",
    reason,
    hint: "correct it or move it away, or name another folder with FORGECTL_CONFIG_DIR",
  });
}

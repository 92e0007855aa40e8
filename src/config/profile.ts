import { isAbsolute, join } from "node:path";
import { type Failure, UsageError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import type { Environment } from "../host.ts";
import type { GlobalOptions, Problem } from "./config.ts";
import type { Profile, ProfilesData } from "./shape.ts";
import type { Take } from "./strictness.ts";
import { checkValue, type ProfileKey, parseProfileName, profileKeys } from "./values.ts";

export interface ChosenProfile {
  name: string;
  /** How it was chosen: `--profile`, `FORGECTL_PROFILE`, or as the current one. */
  source: string;
  /** Whether `--profile` named it. */
  named: boolean;
  /** Whether a flag or a variable named it. */
  explicit: boolean;
  /** Its values, checked; the files' paths are absolute. */
  values: Partial<Record<ProfileKey, string>>;
  /** As stored in the file. */
  stored: Profile;
}

interface ProfileChoice {
  options: GlobalOptions;
  env: Environment;
  home: string;
  /** The folder of the profiles: relative paths in a profile are relative to it. */
  folder: string;
  tolerant?: boolean;
  /** Receives problems. */
  take: Take;
  warn(text: string): void;
}

/**
 * The profile used: named by flag, by environment, or the default one; undefined if none. In a CI job only a named
 * one: a job must not act with what a person stored on its runner.
 */
export function chooseProfile(data: ProfilesData, choice: ProfileChoice): ChosenProfile | undefined {
  const wanted = nameOf(data, choice);
  if (wanted === undefined) return undefined;
  const stored = data.profiles.get(wanted.name);
  if (stored !== undefined) return { ...wanted, stored, values: checkProfile(wanted.name, stored, choice) };
  // A current profile that was removed by hand is ignored; one that was named must exist.
  if (wanted.source === "current profile") return undefined;
  if (!choice.tolerant) {
    choice.take("profile", () => {
      throw unknownProfile(wanted.name, wanted.source, data);
    });
  }
  return { ...wanted, stored: { settings: {}, rest: {} }, values: {} };
}

/** Whether this is a CI job, whose token the platform provides. */
export function inJob(env: Environment): boolean {
  return Boolean(env.CI_JOB_TOKEN);
}

/** @param source where the name came from, such as `--profile`; undefined for an argument */
export function unknownProfile(name: string, source: string | undefined, data: ProfilesData): UsageError {
  const names = [...data.profiles.keys()];
  const meant = nearest(name, names);
  const known =
    names.length === 0 ? "no profile is stored; forgectl auth login stores one" : `stored: ${names.join(", ")}`;
  const named = source === undefined ? "" : `${source}: `;
  return new UsageError(`${named}profile ${JSON.stringify(name)} does not exist`, {
    code: "unknown_profile",
    hint: meant === undefined ? known : `did you mean ${meant}? ${known}`,
  });
}

function nameOf(
  data: ProfilesData,
  { options, env, take }: ProfileChoice,
): Omit<ChosenProfile, "values" | "stored"> | undefined {
  const make = (text: string, source: string, named: boolean) =>
    take("profile", () => ({ name: parseProfileName(text, source), source, named, explicit: true }));
  if (options.profile !== undefined) return make(options.profile, "--profile", true);
  if (env.FORGECTL_PROFILE) return make(env.FORGECTL_PROFILE, "FORGECTL_PROFILE", false);
  const current = currentIn(data, env);
  if (current === undefined) return undefined;
  return { name: current, source: "current profile", named: false, explicit: false };
}

/** The profile that counts where none is named. */
export function currentIn({ current }: ProfilesData, env: Environment): string | undefined {
  return inJob(env) ? undefined : current;
}

function checkProfile(name: string, stored: Profile, choice: ProfileChoice): ChosenProfile["values"] {
  const values: ChosenProfile["values"] = {};
  for (const written of Object.keys(stored.rest)) {
    const meant = nearest(written, profileKeys);
    if (meant !== undefined)
      choice.warn(`profile ${name} has the key ${JSON.stringify(written)}: did you mean ${meant}?`);
  }
  for (const key of profileKeys) {
    const text = stored.settings[key];
    if (text === undefined) continue;
    try {
      values[key] = fromHere(key, checkValue(key, text, `profile ${name}, ${key}`), choice);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (choice.tolerant) choice.warn(error.message);
      else {
        choice.take(subjectOf(key), () => {
          throw repairable(error, name, key);
        });
      }
    }
  }
  return values;
}

function subjectOf(key: ProfileKey): Problem["about"] {
  if (key === "base-url") return "base_url";
  return key === "registry-url" ? "registry_url" : "values";
}

function repairable(error: UsageError, name: string, key: ProfileKey): Failure {
  return new UsageError(error.message, { ...error.details, hint: `forgectl profiles set ${name} ${key}=...` });
}

function fromHere(key: ProfileKey, value: string, { home, folder }: ProfileChoice): string {
  if (!key.endsWith("-file")) return value;
  if (/^~[\\/]/.test(value)) return join(home, value.slice(2));
  return isAbsolute(value) ? value : join(folder, value);
}

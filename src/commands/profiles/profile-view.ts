import { boolean, entity, nullable, oneOf, required, string, uncut } from "../../api/field.ts";
import { missing } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import { placeOf } from "../../config/address.ts";
import { unknownProfile } from "../../config/profile.ts";
import type { Profile, ProfilesData } from "../../config/shape.ts";
import { type ProfileKey, profileKeys } from "../../config/values.ts";
import type { Context } from "../../context.ts";
import type { Passage } from "../../terminal/view.ts";

export const profileName = required(string("Name of the profile", { completes: "profile" }));

/** Every key of a profile as a separate field. */
const settingFields = Object.fromEntries(profileKeys.map((key) => [shownKey(key), nullable(uncut("Null if not set"))]));

const places = ["command", "keyring", "file", "none"] as const;

export const StoredProfile = entity("Profile", {
  name: uncut(),
  current: boolean("Used when no profile is named", { tones: { yes: "good" } }),
  token: oneOf(places, "Source of its token"),
  ...settingFields,
});

const usual = ["name", "current", "token", "base_url", "registry_url", "project", "group", "output"];

/** A profile on a terminal: the common keys, and any others that this one sets. */
export function cardOf(record: Readonly<Record<string, unknown>>): typeof StoredProfile {
  const others = Object.keys(record).filter((key) => !usual.includes(key) && record[key] !== null);
  return { ...StoredProfile, card: [...usual, ...others] };
}

/** A stored profile as results show it: every key, with `_` for `-`; null if it is not set. */
export function shown(name: string, profile: Profile, current: string | undefined): Record<string, unknown> {
  const settings = Object.fromEntries(
    profileKeys.map((key) => [shownKey(key), withoutPassword(profile.settings[key] ?? null)]),
  );
  return { name, current: name === current, token: tokenPlace(profile), ...settings };
}

/** The source of a profile's token. */
export function tokenPlace(profile: Profile): (typeof places)[number] {
  return profile.settings["token-command"] !== undefined ? "command" : (profile.token?.storage ?? "none");
}

/** The profile of that name; otherwise a usage error that lists the stored ones. */
export function storedProfile(data: ProfilesData, name: string, source?: string): Profile {
  const profile = data.profiles.get(name);
  if (profile === undefined) throw unknownProfile(name, source, data);
  return profile;
}

/** The name given, or that of the current profile. */
export function nameInForce(context: Context, name: string | undefined): string {
  const found = name ?? context.config.profile?.value;
  if (found !== undefined) return found;
  throw missing("<name>", {
    code: "missing_profile",
    reason: "no profile is current",
    hint: "name one, or choose one with --profile, FORGECTL_PROFILE, or forgectl profiles use",
  });
}

/** These groups also work if the current profile does not exist, but commands that read it require it. */
export async function refuseUnknownProfile({ config: { profile, store } }: Context): Promise<void> {
  if (profile !== undefined) storedProfile(await store.read(), profile.value, profile.source);
}

/** Changes the stored profiles and returns the edit's result. In a dry run the edit is made, but not stored. */
export async function changeProfiles<T>(context: Context, edit: (data: ProfilesData) => T): Promise<T> {
  const { store } = context.config;
  if (context.config.dryRun) {
    context.notice("a dry run: nothing is stored");
    return edit(await store.read());
  }
  return store.change(edit);
}

type Settings = Profile["settings"];

/** What is of one instance: the same path, ID, or token is something else on another. */
const ofInstance = ["project", "group", "registry-url", "token-command"] as const;

/**
 * Warns of what a profile keeps of the instance that it was for: the next command without `-p` would be about the
 * project of that ID on another one.
 *
 * @param typed what the command line gives
 */
export function warnOfKept(context: Context, name: string, before: Settings, typed: Settings): void {
  const { "base-url": old } = before;
  const { "base-url": now } = typed;
  if (old === undefined || now === undefined || placeOf(old) === placeOf(now)) return;
  const kept = ofInstance.filter((key) => before[key] !== undefined && !Object.hasOwn(typed, key));
  if (kept.length === 0) return;
  const line = commandLine(["forgectl", "profiles", "unset", name, ...kept]);
  context.warn(`profile ${name} keeps the ${kept.join(", ")} of ${old}; unless that holds for ${now}: ${line}`);
}

function shownKey(key: ProfileKey): string {
  return key.replaceAll("-", "_");
}

function withoutPassword(value: string | null): string | null {
  return value?.replace(/^(https?:\/\/[^:/?#@]*):[^/?#@]*@/, "$1:***@") ?? null;
}

/** The keys of a profile, for help and errors. */
export const keysAre = `Keys: ${profileKeys.join(", ")}.`;

/** The outcome for a profile, as a line for people. */
export function outcomePassage(
  { config: { dryRun } }: Context,
  name: string,
  action: string,
  ...what: string[]
): () => Passage {
  return () => ({ heading: [name, dryRun ? `would be ${action}` : action, ...what] });
}

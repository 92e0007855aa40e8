import { isAbsolute, resolve } from "node:path";
import { array, required, string } from "../../api/field.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import type { Profile } from "../../config/shape.ts";
import { checkValue, type ProfileKey, parseProfileKey, parseProfileName, profileKeys } from "../../config/values.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { Passage } from "../../terminal/view.ts";
import { confirm } from "../../verbs/confirm.ts";
import { exposure } from "../../verbs/leak-warning.ts";
import { changeProfiles, profileName, StoredProfile, shown, storedProfile } from "./profile-view.ts";

const keysAre = `Keys: ${profileKeys.join(", ")}.`;

export const use = command({
  name: "use",
  summary: "Set the default profile",
  args: { name: profileName },
  returns: StoredProfile,
  examples: [{ line: "profiles use work" }],
  undo: { line: "profiles use {before.name}" },
  related: ["profiles list"],
  run: (context, { name }) =>
    changeProfiles(context, (data) => {
      const profile = storedProfile(data, name);
      const before = { name: data.profiles.has(data.current ?? "") ? data.current : undefined };
      data.current = name;
      return { record: shown(name, profile, data.current), passage: outcomePassage(context, name, "current"), before };
    }),
});

export const set = command({
  name: "set",
  summary: "Set values of a profile, creating it if needed",
  details: `${keysAre} The first profile becomes the current one. A token is stored by auth login.`,
  args: {
    name: profileName,
    values: required(array(string(), "A key and its value", { placeholder: "key=value", completes: "profile-value" })),
  },
  returns: StoredProfile,
  examples: [
    { line: "profiles set work base-url=https://forge.example.com project=acme/storefront" },
    { line: "profiles set work ca-file=ca.pem timeout=30" },
    { line: "profiles set work token-command='pass show forge'", note: "the token stays in a password manager" },
  ],
  related: ["profiles unset", "auth login"],
  async run(context, { name, values }) {
    parseProfileName(name, "profile");
    const settings = parseSettings(values, context.cwd);
    if (/^\w+:\/\/[^/]*:[^/]*@/.test(settings.proxy ?? "")) {
      context.warn(`the password of the proxy ${exposure}: give the proxy with HTTPS_PROXY`);
    }
    return changeProfiles(context, (data) => {
      const before: Profile = data.profiles.get(name) ?? { settings: {}, rest: {} };
      const profile = { ...before, settings: { ...before.settings, ...settings } };
      data.profiles.set(name, profile);
      if (data.current === undefined || !data.profiles.has(data.current)) data.current = name;
      warnOfBinding(context, name, profile);
      const passage = outcomePassage(context, name, "set", Object.keys(settings).join(", "));
      return { record: shown(name, profile, data.current), passage };
    });
  },
});

export const unset = command({
  name: "unset",
  summary: "Remove values from a profile",
  details: keysAre,
  args: {
    name: profileName,
    keys: required(array(string(), "Key to remove", { placeholder: "key", completes: "profile-key" })),
  },
  returns: StoredProfile,
  examples: [{ line: "profiles unset work proxy ca-file" }],
  related: ["profiles set", "auth logout"],
  run: async (context, { name, keys }) => {
    const removed = keys.map(parseProfileKey);
    return changeProfiles(context, (data) => {
      const profile = storedProfile(data, name);
      for (const key of removed) delete profile.settings[key];
      return {
        record: shown(name, profile, data.current),
        passage: outcomePassage(context, name, "unset", removed.join(", ")),
      };
    });
  },
});

export const remove = command({
  name: "remove",
  summary: "Remove a profile and its token",
  args: { name: profileName },
  returns: StoredProfile,
  examples: [{ line: "profiles remove work --yes" }],
  related: ["auth logout"],
  async run(context, { name }) {
    const { store, secrets, dryRun } = context.config;
    const profile = storedProfile(await store.read(), name);
    await confirm(context, { action: `remove profile ${name}${profile.token ? " and its token" : ""}` });
    if (!dryRun && profile.token) {
      // An unavailable keyring must not prevent removing the profile.
      await secrets.forget(name).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        context.warn(`the token was not removed from the keyring: ${error.details.reason ?? error.message}`);
      });
    }
    return changeProfiles(context, (data) => {
      const record = shown(name, profile, data.current);
      data.profiles.delete(name);
      if (data.current === name) data.current = undefined;
      return { record, passage: outcomePassage(context, name, "removed") };
    });
  },
});

/** The outcome for a profile, as a line for people. */
function outcomePassage(
  { config: { dryRun } }: Context,
  name: string,
  action: string,
  ...what: string[]
): () => Passage {
  return () => ({ heading: [name, dryRun ? `would be ${action}` : action, ...what] });
}

function parseSettings(pairs: readonly string[], cwd: string): Partial<Record<ProfileKey, string>> {
  const settings: Partial<Record<ProfileKey, string>> = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    // A word without "=" may be a token given by mistake: it is not repeated.
    if (at <= 0) throw new UsageError("a value is written key=value", { code: "bad_value", hint: keysAre });
    const typed = pair.slice(0, at);
    if (typed === "token") {
      throw new UsageError("a token is not a profile setting: arguments show in process lists", {
        code: "unknown_key",
        hint: "forgectl auth login stores it",
      });
    }
    const key = parseProfileKey(typed);
    if (settings[key] !== undefined) throw new UsageError(`${key} is given twice`, { code: "bad_value" });
    const text = pair.slice(at + 1);
    if (text.trim() === "") {
      throw new UsageError(`${key}: is empty`, { code: "bad_value", hint: `forgectl profiles unset removes ${key}` });
    }
    settings[key] = lasting(key, checkValue(key, text, key), cwd);
  }
  return settings;
}

/** A path is stored as absolute, since the profile is used from any folder. */
function lasting(key: ProfileKey, value: string, cwd: string): string {
  return key.endsWith("-file") && !isAbsolute(value) && !/^~[\\/]/.test(value) ? resolve(cwd, value) : value;
}

function warnOfBinding(context: Context, name: string, { settings, token }: Profile): void {
  if (token === undefined || settings["base-url"] === undefined || settings["base-url"] === token.baseUrl) return;
  context.warn(
    `the token of profile ${name} is for ${token.baseUrl} and is no longer used; sign in again with forgectl auth login`,
  );
}

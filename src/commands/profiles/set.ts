import { isAbsolute, resolve } from "node:path";
import { array, required, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import type { Profile } from "../../config/shape.ts";
import { checkValue, type ProfileKey, parseProfileKey, parseProfileName } from "../../config/values.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { exposure } from "../../verbs/leak-warning.ts";
import {
  changeProfiles,
  keysAre,
  outcomePassage,
  profileName,
  StoredProfile,
  shown,
  warnOfKept,
} from "./profile-view.ts";

export const set = command({
  name: "set",
  summary: "Set values of a profile, creating it if needed",
  details: `${keysAre} The first profile becomes the current one. A token is stored by auth login.`,
  args: {
    name: profileName,
    values: required(array(string(), "A key and its value", { placeholder: "key=value", completes: "profile-value" })),
  },
  returns: StoredProfile,
  prints: "record",
  examples: [
    { line: "profiles set work base-url=https://forge.example.com project=acme/storefront" },
    { line: "profiles set work ca-file=ca.pem timeout=30" },
    { line: "profiles set work token-command='pass show forge'", note: "the token stays in a password manager" },
  ],
  related: ["profiles unset", "auth login"],
  async run(context, { name, values }) {
    parseProfileName(name, "profile");
    const settings = parseSettings(values, context.cwd);
    if (/^\w+:\/\/[^/:]*:[^/@]*@/.test(settings.proxy ?? "")) {
      context.warn(`the password of the proxy ${exposure}: give the proxy with HTTPS_PROXY`);
    }
    return changeProfiles(context, (data) => {
      const before: Profile = data.profiles.get(name) ?? { settings: {}, rest: {} };
      const profile = { ...before, settings: { ...before.settings, ...settings } };
      data.profiles.set(name, profile);
      if (data.current === undefined || !data.profiles.has(data.current)) data.current = name;
      warnOfBinding(context, name, profile);
      warnOfKept(context, name, before.settings, settings);
      const passage = outcomePassage(context, name, "set", Object.keys(settings).join(", "));
      return { record: shown(name, profile, data.current), passage };
    });
  },
});

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

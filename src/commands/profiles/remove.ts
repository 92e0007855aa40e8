import { Failure } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { confirm } from "../../verbs/confirm.ts";
import { changeProfiles, outcomePassage, profileName, StoredProfile, shown, storedProfile } from "./profile-view.ts";

export const remove = command({
  name: "remove",
  summary: "Remove a profile and its token",
  args: { name: profileName },
  returns: StoredProfile,
  prints: "record",
  examples: [{ line: "profiles remove work --yes" }],
  related: ["auth logout"],
  async run(context, { name }) {
    const { store, secrets, dryRun } = context.config;
    const profile = storedProfile(await store.read(), name);
    await confirm(context, { action: `remove profile ${name}${profile.token ? " and its token" : ""}` });
    if (!dryRun && profile.token) {
      // An unavailable keyring must not prevent removing the profile.
      await secrets.forget(name).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.code !== "no_keyring") throw error;
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

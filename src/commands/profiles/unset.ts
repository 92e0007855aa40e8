import { array, required, string } from "../../api/field.ts";
import { parseProfileKey } from "../../config/values.ts";
import { command } from "../../declare/command.ts";
import {
  changeProfiles,
  keysAre,
  outcomePassage,
  profileName,
  StoredProfile,
  shown,
  storedProfile,
} from "./profile-view.ts";

export const unset = command({
  name: "unset",
  summary: "Remove values from a profile",
  details: keysAre,
  args: {
    name: profileName,
    keys: required(array(string(), "Key to remove", { placeholder: "key", completes: "profile-key" })),
  },
  returns: StoredProfile,
  prints: "record",
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

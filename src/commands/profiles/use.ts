import { command } from "../../declare/command.ts";
import { changeProfiles, outcomePassage, profileName, StoredProfile, shown, storedProfile } from "./profile-view.ts";

export const use = command({
  name: "use",
  summary: "Set the default profile",
  args: { name: profileName },
  returns: StoredProfile,
  prints: "record",
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

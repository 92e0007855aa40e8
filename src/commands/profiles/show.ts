import { string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { cardOf, nameInForce, StoredProfile, shown, storedProfile } from "./profile-view.ts";

export const show = command({
  name: "show",
  summary: "Show a stored profile",
  details: "Without a name: the current profile. The token itself is never shown; auth token prints it.",
  args: { name: string("Name of the profile", { completes: "profile" }) },
  returns: StoredProfile,
  prints: "record",
  examples: [{ line: "profiles show" }, { line: "profiles show work -o yaml" }],
  related: ["profiles set", "auth status"],
  async run(context, { name }) {
    const data = await context.config.store.read();
    const wanted = nameInForce(context, name);
    const profile = storedProfile(data, wanted, name === undefined ? context.config.profile?.source : undefined);
    const record = shown(wanted, profile, data.current);
    return { record, entity: cardOf(record) };
  },
});

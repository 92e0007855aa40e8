import { string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { localList, localListFlags } from "../../declare/local-list.ts";
import { cardOf, nameInForce, StoredProfile, shown, storedProfile } from "./profile-view.ts";

export const list = command({
  name: "list",
  summary: "List the stored profiles",
  params: localListFlags,
  returns: StoredProfile,
  examples: [{ line: "profiles list" }, { line: "profiles list -o json --jq '.[].name'", note: "only the names" }],
  related: ["profiles show", "auth status"],
  async run(context, input) {
    const data = await context.config.store.read();
    const all = [...data.profiles].map(([name, profile]) => shown(name, profile, data.current));
    return {
      ...localList(all, input),
      columns: ["name", "current", "base_url", "token", "project", "group"],
    };
  },
});

export const show = command({
  name: "show",
  summary: "Show a stored profile",
  details: "Without a name: the profile in force. The token itself is never shown; auth token prints it.",
  args: { name: string("Name of the profile", { completes: "profile" }) },
  returns: StoredProfile,
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

export const path = command({
  name: "path",
  summary: "Print where the profiles are stored",
  details: "The file may not exist yet. FORGECTL_CONFIG_DIR names another folder.",
  examples: [{ line: "profiles path" }],
  related: ["profiles list"],
  run: async (context) => ({ value: context.config.store.path }),
});

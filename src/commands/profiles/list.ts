import { command } from "../../declare/command.ts";
import { localList, localListFlags } from "../../declare/local-list.ts";
import { StoredProfile, shown } from "./profile-view.ts";

export const list = command({
  name: "list",
  summary: "List the stored profiles",
  params: localListFlags,
  returns: StoredProfile,
  prints: "rows",
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

import { Group, getGroup, listGroups } from "../../api/endpoints/places.ts";
import { required, string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { list } from "../../verbs/verbs.ts";

export const listCommand = list("list", listGroups, ["id", "full_path", "visibility", "created_at"], {
  details: "Beyond the API documents: an instance may not have it.",
  examples: [{ line: "groups list --search acme" }, { line: "groups list --limit all --jq '.[].full_path'" }],
  related: ["groups get", "each"],
});

export const getCommand = command({
  name: "get",
  summary: "Get a group by ID or path",
  details: "Beyond the API documents: an instance may not have it.",
  args: { group: required(string("Group, by ID or path", { placeholder: "id|path", completes: "group", min: 1 })) },
  requests: [getGroup],
  returns: Group,
  examples: [{ line: "groups get acme/platform" }],
  related: ["groups list"],
  async run(context, { group }) {
    return { record: await context.api.call(getGroup, { group }), entity: Group };
  },
});

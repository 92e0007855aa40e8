import { getGroup, listGroups } from "../../api/endpoints/places.ts";
import { string } from "../../api/field.ts";
import { get, list } from "../../verbs/verbs.ts";

export const listCommand = list("list", listGroups, ["id", "full_path", "visibility", "created_at"], {
  details: "Not in the API documents: an instance may lack it.",
  examples: [{ line: "groups list --search acme" }, { line: "groups list --limit all --jq '.[].full_path'" }],
  related: ["groups get", "each"],
});

export const getCommand = get("get", getGroup, {
  summary: "Get a group by ID or path",
  details: "Not in the API documents: an instance may lack it.",
  params: { group: string("Group, by ID or path", { placeholder: "id|path", completes: "group", min: 1 }) },
  examples: [{ line: "groups get acme/platform" }],
  related: ["groups list"],
});

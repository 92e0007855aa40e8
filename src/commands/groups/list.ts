import { getGroup, listGroups } from "../../api/endpoints/places.ts";
import { string } from "../../api/field.ts";
import { warningOfShortSearch } from "../../verbs/short-search.ts";
import { get, list } from "../../verbs/verbs.ts";

export const listCommand = warningOfShortSearch(
  list("list", listGroups, ["id", "full_path", "visibility", "created_at"], {
    details:
      "To a user who is not an administrator, instances list the groups that they are in, not those that they can only see: " +
      "forgectl api groups -X GET -F all_available=true --paginate lists these too.",
    examples: [{ line: "groups list --search acme" }, { line: "groups list --limit all --jq '.[].full_path'" }],
    related: ["groups get", "each"],
  }),
);

export const getCommand = get("get", getGroup, {
  summary: "Get a group by ID or path",
  params: { group: string("Group, by ID or path", { placeholder: "id|path", completes: "group", min: 1 }) },
  examples: [{ line: "groups get acme/platform" }],
  related: ["groups list"],
});

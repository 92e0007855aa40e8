import { deleteTag, getTag, listTags } from "../../../api/endpoints/registry.ts";
import { group } from "../../../declare/command.ts";
import { remove } from "../../../verbs/remove.ts";
import { get, list } from "../../../verbs/verbs.ts";
import { prune } from "./prune.ts";

export const tags = group("tags", "Tags of a registry repository", [
  list("list", listTags, ["name", "path", "location"], {
    details:
      "Where the registry lacks the service's own API, instances list the first 10,000 tags of a repository alone.",
    examples: [
      { line: "registry tags list 12 -p acme/storefront" },
      { line: "registry tags list 12 -p acme/storefront --limit all --jq '.[].name'" },
    ],
    related: ["registry tags get", "registry tags prune", "registry list"],
  }),
  get("get", getTag, {
    examples: [
      { line: "registry tags get 12 v1 -p acme/storefront" },
      { line: "registry tags get 12 latest -p acme/storefront --jq .digest", note: "the image of a tag" },
    ],
    related: ["registry tags list"],
  }),
  remove("delete", deleteTag, {
    noun: "tag",
    shows: getTag,
    looks: true,
    many: true,
    details: "Deletes only the tag; the registry's garbage collection removes unused layers.",
    examples: [
      { line: "registry tags delete 12 v1 -p acme/storefront" },
      { line: "registry tags delete 12 v1.1.0 v1.2.0 -p acme/storefront --yes" },
    ],
    related: ["registry tags prune", "registry manifests delete"],
  }),
  prune,
]);

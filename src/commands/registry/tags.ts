import { deleteTag, getTag, listTags, RegistryTag, repositoryId } from "../../api/endpoints/registry.ts";
import { project } from "../../api/endpoints/scope.ts";
import { boolean, required } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { command, group } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";
import { remove } from "../../verbs/remove.ts";
import { get } from "../../verbs/verbs.ts";
import { prune } from "./prune/index.ts";

const list = command({
  name: "list",
  summary: listTags.summary,
  args: { repository_id: required(repositoryId) },
  params: {
    project: required(project),
    keyset: boolean("Walk by cursor: steady however long the list is, without a total (hosted offering only)"),
    ...listFlags,
  },
  requests: [listTags],
  returns: RegistryTag,
  examples: [
    { line: "registry tags list 12 -p acme/storefront" },
    { line: "registry tags list 12 -p acme/storefront --limit all --jq '.[].name'" },
  ],
  related: ["registry tags get", "registry tags prune", "registry list"],
  async run(context, { keyset, project, repository_id, ...input }) {
    if (keyset && input.page !== undefined) throw new UsageError("--keyset has no pages: leave out --page");
    const cursor = keyset ? ({ pagination: "keyset" } as const) : {};
    const rows = context.api.list(listTags, { project, repository_id, ...cursor }, windowOf(input));
    return { rows, columns: ["name", "path", "location"] };
  },
});

export const tags = group("tags", "Tags of a registry repository", [
  list,
  get("get", getTag, {
    examples: [
      { line: "registry tags get 12 v1 -p acme/storefront" },
      { line: "registry tags get 12 latest -p acme/storefront --jq .digest", note: "which image a tag is" },
    ],
    related: ["registry tags list"],
  }),
  remove("delete", deleteTag, {
    noun: "tag",
    shows: getTag,
    many: true,
    details: "The tag alone goes; layers that nothing else uses go with the registry's garbage collection.",
    examples: [
      { line: "registry tags delete 12 v1 -p acme/storefront" },
      { line: "registry tags delete 12 v1.1.0 v1.2.0 -p acme/storefront --yes" },
    ],
    related: ["registry tags prune", "registry manifests delete"],
  }),
  prune,
]);

import {
  include,
  listGroupRepositories,
  listProjectRepositories,
  RegistryRepository,
} from "../../api/endpoints/registry.ts";
import { group, project } from "../../api/endpoints/scope.ts";
import { command } from "../../command/command.ts";
import { listFlags, windowOf } from "../../command/list-flags.ts";
import { UsageError } from "../../errors.ts";

export const listCommand = command({
  name: "list",
  summary: "List the registry repositories of a project, or of a group's projects",
  params: { project, group, ...include, ...listFlags },
  requests: [listProjectRepositories, listGroupRepositories],
  returns: RegistryRepository,
  examples: [
    { line: "registry list -p acme/storefront --tags-count" },
    { line: "registry list -g acme --limit all -o json", note: "of all projects in a group" },
  ],
  related: ["registry get", "registry tags list", "registry catalog"],
  async run(context, { project, group, tags, tags_count, ...input }) {
    if (group !== undefined && (tags ?? tags_count)) {
      const flag = tags ? "--tags" : "--tags-count";
      throw new UsageError(`${flag} goes with a project only: the API gives no tags for a group`, {
        hint: "list with -p, or look at single repositories with forgectl registry get <repository-id>",
      });
    }
    const rows =
      group === undefined
        ? context.api.list(listProjectRepositories, { project: project ?? "", tags, tags_count }, windowOf(input))
        : context.api.list(listGroupRepositories, { group }, windowOf(input));
    return {
      rows,
      columns: [
        ...["id", "path"],
        ...(tags_count ? ["tags_count"] : []),
        ...["status", "created_at"],
        ...(tags ? ["tags.name"] : []),
      ],
      cut: rows.cut,
      entity: RegistryRepository,
    };
  },
});

import { getProject } from "../../api/endpoints/places.ts";
import {
  include,
  listGroupRepositories,
  listProjectRepositories,
  RegistryRepository,
} from "../../api/endpoints/registry.ts";
import { group, project } from "../../api/endpoints/scope.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/line.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";

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
      rows: project === undefined ? rows : explained(context, project, rows),
      columns: [
        ...["id", "path"],
        ...(tags_count ? ["tags_count"] : []),
        ...["status", "created_at"],
        ...(tags ? ["tags.name"] : []),
      ],
    };
  },
});

/** A registry that is disabled is refused like one that does not exist: where projects can be looked up, it is said. */
async function* explained(context: Context, project: string, rows: AsyncIterable<object>): AsyncGenerator<object> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof Failure && (error.details.status === 403 || error.details.status === 404))) throw error;
    const found = await context.api.call(getProject, { project }).catch(() => undefined);
    if (found?.container_registry_access_level !== "disabled") throw error;
    throw error.with({
      message: `the container registry of project ${project} is disabled`,
      reason: "its visibility is disabled: nobody sees it, and it takes no images",
      hint: `forgectl ${commandLine(["registry", "visibility", "private", "-p", project])}`,
    });
  }
}

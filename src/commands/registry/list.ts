import { getProject } from "../../api/endpoints/places.ts";
import { listGroupRepositories, listProjectRepositories } from "../../api/endpoints/registry.ts";
import type { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { explaining } from "../../verbs/failure-explanation.ts";
import { list } from "../../verbs/verbs.ts";

export const listCommand = explaining(
  list(
    "list",
    [listProjectRepositories, listGroupRepositories],
    ["id", "path", "tags_count", "status", "created_at", "tags.name"],
    {
      summary: "List the registry repositories of a project, or of a group's projects",
      details:
        "Guests can read a registry that is enabled for all who can see the project; a private one needs the Reporter role.",
      examples: [
        { line: "registry list -p acme/storefront --tags-count" },
        { line: "registry list -g acme --limit all -o json", note: "of all projects in a group" },
      ],
      related: ["registry get", "registry tags list", "registry catalog"],
    },
  ),
  orDisabled,
);

/**
 * A disabled registry is refused like a missing one: if the project can be looked up, the error says that it is
 * disabled.
 */
async function orDisabled(context: Context, error: Failure, { project }: { project?: unknown }): Promise<Failure> {
  const { status } = error.details;
  if (typeof project !== "string" || (status !== 403 && status !== 404)) return error;
  const found = await context.api.call(getProject, { project }).catch(() => undefined);
  if (found?.container_registry_access_level !== "disabled") return error;
  return error.with({
    message: `the container registry of project ${project} is disabled`,
    reason: "the registry is disabled by its visibility setting",
    hint: `forgectl ${commandLine(["registry", "visibility", "private", "-p", project])}`,
  });
}

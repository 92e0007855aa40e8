import { getProject, listGroupProjects, listProjects, Project } from "../api/endpoints/places.ts";
import { boolean, required, string } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { command, group } from "../declare/command.ts";
import { listFlags, windowOf } from "../declare/list-flags.ts";

const columns = ["id", "path_with_namespace", "visibility", "last_activity_at"] as const;

const list = command({
  name: "list",
  summary: "List projects, or those of a group",
  details:
    "Beyond the API documents: an instance may not have it. A group is taken with its subgroups. Projects are named here " +
    "for other commands: each takes their IDs from stdin.",
  params: {
    search: string("Part of the name or the path"),
    // A group from the environment would narrow the list unseen.
    group: string("Only projects of this group and its subgroups, by ID or path", {
      short: "g",
      placeholder: "id|path",
      completes: "group",
    }),
    membership: boolean("Only projects that you are a member of"),
    ...listFlags,
  },
  requests: [listProjects, listGroupProjects],
  returns: Project,
  examples: [
    { line: "projects list --search store" },
    { line: "projects list -g acme --limit all --jq '.[].path_with_namespace'", note: "one path a line" },
  ],
  related: ["projects get", "each", "state export"],
  async run(context, { group, membership, ...input }) {
    if (group !== undefined && membership) throw new UsageError("give only one of -g and --membership");
    const rows =
      group === undefined
        ? context.api.list(listProjects, { search: input.search, membership }, windowOf(input))
        : context.api.list(
            listGroupProjects,
            { group, search: input.search, include_subgroups: true },
            windowOf(input),
          );
    return { rows, columns, cut: () => rows.cut(), entity: Project };
  },
});

const get = command({
  name: "get",
  summary: "Get a project by ID or path",
  details: "Beyond the API documents: an instance may not have it.",
  args: {
    project: required(string("Project, by ID or path", { placeholder: "id|path", completes: "project", min: 1 })),
  },
  requests: [getProject],
  returns: Project,
  examples: [{ line: "projects get acme/storefront" }, { line: "projects get 7 --jq .path_with_namespace" }],
  related: ["projects list"],
  async run(context, { project }) {
    return { record: await context.api.call(getProject, { project }), entity: Project };
  },
});

export const projects = group("projects", "Projects, by name or ID", [list, get]);

import { getProject, listGroupProjects, listProjects, search } from "../api/endpoints/places.ts";
import { string } from "../api/field.ts";

import { warningOfShortSearch } from "../verbs/short-search.ts";
import { get, list } from "../verbs/verbs.ts";

export const projects = [
  warningOfShortSearch(
    list("list", [listProjects, listGroupProjects], ["id", "path_with_namespace", "visibility", "last_activity_at"], {
      summary: "List projects, or those of a group",
      details:
        "A group includes its subgroups, and projects of others that are shared with it, which each --projects-of leaves out. Use it " +
        "to select projects for other commands: each --projects-file - reads their IDs from stdin.",
      params: {
        search,
        // A group from the environment would restrict the list without notice.
        group: string("Only projects of this group and its subgroups, or shared with it, by ID or path", {
          short: "g",
          placeholder: "id|path",
          completes: "group",
        }),
      },
      fixed: { include_subgroups: true },
      examples: [
        { line: "projects list --search store" },
        { line: "projects list -g acme --limit all --jq '.[].path_with_namespace'", note: "one path per line" },
      ],
      related: ["projects get", "each", "state export"],
    }),
  ),
  get("get", getProject, {
    summary: "Get a project by ID or path",
    params: { project: string("Project, by ID or path", { placeholder: "id|path", completes: "project", min: 1 }) },
    examples: [{ line: "projects get acme/storefront" }, { line: "projects get 7 --jq .path_with_namespace" }],
    related: ["projects list"],
  }),
];

import { getProject, listGroupProjects, listProjects, search } from "../api/endpoints/places.ts";
import { string } from "../api/field.ts";
import { group } from "../declare/command.ts";
import { get, list } from "../verbs/verbs.ts";

export const projects = group("projects", "Projects: what there is to be named", [
  list("list", [listProjects, listGroupProjects], ["id", "path_with_namespace", "visibility", "last_activity_at"], {
    summary: "List projects, or those of a group",
    details:
      "Beyond the API documents: an instance may not have it. A group is taken with its subgroups. Projects are named here " +
      "for other commands: each takes their IDs from stdin.",
    params: {
      search,
      // A group from the environment would narrow the list unseen.
      group: string("Only projects of this group and its subgroups, by ID or path", {
        short: "g",
        placeholder: "id|path",
        completes: "group",
      }),
    },
    fixed: { include_subgroups: true },
    examples: [
      { line: "projects list --search store" },
      { line: "projects list -g acme --limit all --jq '.[].path_with_namespace'", note: "one path a line" },
    ],
    related: ["projects get", "each", "state export"],
  }),
  get("get", getProject, {
    summary: "Get a project by ID or path",
    details: "Beyond the API documents: an instance may not have it.",
    params: { project: string("Project, by ID or path", { placeholder: "id|path", completes: "project", min: 1 }) },
    examples: [{ line: "projects get acme/storefront" }, { line: "projects get 7 --jq .path_with_namespace" }],
    related: ["projects list"],
  }),
]);

import { getJobTokenScope, listAllowedGroups, listAllowedProjects } from "../../api/endpoints/job-token.ts";
import { array, boolean, entity, nullable, type Row, string, uncut } from "../../api/field.ts";
import { booleanIn, notShown } from "../../base/answered-value.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { auditFlags, auditProjects } from "../../verbs/audit.ts";
import { fleetRequests } from "../../verbs/fleet.ts";
import { collected } from "../../verbs/row-collection.ts";
import { wholeRows } from "../../verbs/whole-list.ts";

/** For a spreadsheet. */
const listed = (names: readonly unknown[]) => names.join("; ");

const JobTokenReach = entity("JobTokenReach", {
  project: uncut("Project, as given"),
  open: nullable(boolean("Jobs of every project of the instance have access", { tones: { yes: "bad", no: "good" } })),
  projects: nullable(array(string(), "Projects on the allowlist, by path", { worded: listed })),
  groups: nullable(array(string(), "Groups on the allowlist", { worded: listed })),
  error: nullable(uncut("Why it could not be read")),
});

type Reach = Row<typeof JobTokenReach.shape>;

export const audit = command({
  name: "audit",
  summary: "Show which projects allow job tokens of all projects, and the allowlists of the others",
  details: "One row per project. Jobs of any project have access to an open project.",
  params: auditFlags("a project is open"),
  requests: [...fleetRequests, getJobTokenScope, listAllowedProjects, listAllowedGroups],
  returns: JobTokenReach,
  prints: "rows",
  examples: [
    { line: "job-token audit -p acme/storefront -p acme/docs" },
    { line: "job-token audit -g acme --exit-code -o csv", note: "all projects of a group" },
    {
      line: "job-token audit -p acme/storefront -p acme/docs -o json --jq '.[] | select(.open) | .project'",
      note: "open projects",
    },
  ],
  related: ["job-token limit", "job-token plan"],
  run: async (context, input) => ({
    ...(await auditProjects<Reach>(context, input, {
      inspect: async (project) => [await reachOf(context, project)],
      unreadable: (project, error) => ({ project, open: null, projects: null, groups: null, error }),
      isFound: ({ open }) => open === true,
      isUnread: ({ open }) => open === null,
    })),
    columns: ["project", "open", "projects", "groups", "error"],
  }),
});

async function reachOf(context: Context, project: string): Promise<Reach> {
  const limited = booleanIn((await context.api.call(getJobTokenScope, { project })).inbound_enabled);
  const projects = await collected(wholeRows(context.api, listAllowedProjects, { project }));
  const groups = await collected(wholeRows(context.api, listAllowedGroups, { project }));
  return {
    project,
    open: limited === undefined ? null : !limited,
    // A project is on its own list, which says nothing.
    projects: projects
      .filter(({ id, path_with_namespace: path }) => String(id) !== project && path !== project)
      .map(({ path_with_namespace: path }) => path),
    groups: groups.map(({ id, name }) => `${name} (${id})`),
    error: limited === undefined ? notShown("inbound_enabled") : null,
  };
}

import { getJobTokenScope, listAllowedGroups, listAllowedProjects } from "../../api/endpoints/job-token.ts";
import { array, boolean, entity, nullable, string, uncut } from "../../api/field.ts";
import { exitCodes, Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { ordered } from "../../verbs/bulk.ts";
import { manyProjects, requireProjects, scopeFile } from "../../verbs/scope-names.ts";

const JobTokenReach = entity("JobTokenReach", {
  project: string("As it was named"),
  open: nullable(boolean("Jobs of every project of the instance reach it", { tones: { yes: "bad", no: "good" } })),
  projects: nullable(array(string(), "Projects on the allowlist, by path")),
  groups: nullable(array(string(), "Groups on the allowlist")),
  error: nullable(uncut("Why it could not be read")),
});

/** Failures of one project alone; anything else ends the audit. */
const local = new Set(["notFound", "forbidden", "refused"]);

export const audit = command({
  name: "audit",
  summary: "Show which projects job tokens reach from everywhere, and the allowlists of the others",
  details: "One row a project, as they are read. A project that is open is reached by the jobs of any project.",
  params: {
    project: manyProjects,
    projects_file: scopeFile("project"),
    exit_code: boolean("Exit 10 where a project is open"),
  },
  requests: [getJobTokenScope, listAllowedProjects, listAllowedGroups],
  returns: JobTokenReach,
  examples: [
    { line: "job-token audit -p acme/storefront -p acme/docs" },
    {
      line: "job-token audit -p acme/storefront -p acme/docs -o json --jq '.[] | select(.open) | .project'",
      note: "those that are open",
    },
  ],
  related: ["job-token limit", "job-token plan"],
  async run(context, { project, projects_file: file, exit_code: exitCode = false }) {
    const projects = await requireProjects(context, project, file);
    let open = 0;
    let failed = 0;
    async function* rows() {
      for await (const row of ordered(projects, (each) => reachOf(context, each), context.config.concurrency)) {
        if (row.open === true) open += 1;
        if (row.error !== null) failed += 1;
        yield row;
      }
      if (failed > 0) throw new Failure("partial", `${failed} of ${projects.length} projects could not be read`);
    }
    return {
      rows: rows(),
      columns: ["project", "open", "projects", "groups", "error"],
      exitCode: () => (exitCode && open > 0 ? exitCodes.differences : exitCodes.done),
    };
  },
});

async function reachOf(context: Context, project: string) {
  try {
    const { inbound_enabled: limited } = await context.api.call(getJobTokenScope, { project });
    const projects: string[] = [];
    for await (const each of context.api.list(listAllowedProjects, { project }, { limit: undefined })) {
      // A project is on its own list, which says nothing.
      if (String(each.id) !== project && each.path_with_namespace !== project) projects.push(each.path_with_namespace);
    }
    const groups: string[] = [];
    for await (const each of context.api.list(listAllowedGroups, { project }, { limit: undefined })) {
      groups.push(`${each.name} (${each.id})`);
    }
    return { project, open: !limited, projects, groups, error: null };
  } catch (error) {
    if (!(error instanceof Failure) || !local.has(error.exit)) throw error;
    return { project, open: null, projects: null, groups: null, error: error.details.reason ?? error.message };
  }
}

import { getJobTokenScope, JobTokenScope, limitJobTokenScope } from "../../api/endpoints/job-token.ts";
import { project } from "../../api/endpoints/scope.ts";
import { oneOf, required } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { confirm } from "../../verbs/confirm.ts";
import { madeOrVerified } from "../../verbs/lost-answer-check.ts";

export const limit = command({
  name: "limit",
  summary: "Restrict access by job tokens to the allowlists, or allow all projects",
  details:
    "On: only jobs of the projects and groups on the allowlists have access. Off: jobs of any project of the " +
    "instance have access; asks first.",
  args: { state: required(oneOf(["on", "off"], "on to restrict access, off to allow all projects")) },
  params: { project: required(project) },
  requests: [limitJobTokenScope, getJobTokenScope],
  returns: JobTokenScope,
  prints: "record",
  examples: [
    { line: "job-token limit on -p acme/docs", note: "only the allowlists from now on" },
    { line: "job-token limit off -p acme/docs --yes" },
  ],
  undo: { line: "job-token limit {before.inbound_enabled|on|off} -p {project}", before: getJobTokenScope },
  related: ["job-token get", "job-token projects list"],
  async run(context, { project, state }) {
    const enabled = state === "on";
    if (!enabled) {
      await confirm(context, { action: `open project ${project} to the job tokens of every project of the instance` });
    }
    let record: unknown;
    await madeOrVerified(
      context,
      async () => {
        record = await context.api.call(limitJobTokenScope, { project, enabled });
      },
      async (api) => {
        const scope = await api.call(getJobTokenScope, { project });
        record = scope;
        return scope.inbound_enabled === enabled;
      },
    );
    return { record: record as object };
  },
});

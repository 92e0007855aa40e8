import { purgeArtifacts } from "../../api/endpoints/artifacts.ts";
import { project } from "../../api/endpoints/scope.ts";
import { entity, outcome, required, string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { confirm } from "../../verbs/confirm.ts";

const Purge = entity("Purge", { project: string("As given"), status: outcome("scheduled") });

export const purge = command({
  name: "purge",
  summary: "Delete all deletable artifacts of a project",
  details:
    "All of them expire at once, and a scheduled clean-up removes the files; there is no --wait, since the API does " +
    "not report its progress. By default the artifacts of the most recent successful pipeline of each ref and all job " +
    "logs are kept. Instances delete also what artifacts keep has kept. Asks to confirm by typing the project.",
  params: { project: required(project) },
  requests: [purgeArtifacts],
  returns: Purge,
  prints: "record",
  examples: [{ line: "artifacts purge -p acme/storefront" }, { line: "artifacts purge -p acme/storefront --dry-run" }],
  related: ["artifacts delete", "artifacts keep"],
  inspectWith: "api projects/{project}/jobs",
  async run(context, input) {
    await confirm(context, {
      action: `delete all artifacts of project ${input.project}`,
      typed: input.project,
      remark: "instances delete also those that artifacts keep has kept",
    });
    await context.api.call(purgeArtifacts, input);
    return {
      record: { project: input.project, status: "scheduled" },
      message: "scheduled; the platform removes the files in the background, which may take a moment",
    };
  },
});

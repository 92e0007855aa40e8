import { RegistryVisibility, setVisibility, visibilityLevel } from "../../api/endpoints/registry.ts";
import { project } from "../../api/endpoints/scope.ts";
import { required } from "../../api/field.ts";
import { command } from "../../declare/command.ts";

export const visibility = command({
  name: "visibility",
  summary: setVisibility.summary,
  args: { level: required(visibilityLevel) },
  params: { project: required(project) },
  requests: [setVisibility],
  returns: RegistryVisibility,
  examples: [{ line: "registry visibility private -p acme/storefront" }],
  look: "api projects/{project}",
  related: ["registry list"],
  async run(context, { level, project }) {
    const record = await context.api.call(setVisibility, { project, container_registry_access_level: level });
    return { record, columns: ["id", "name", "container_registry_access_level"] };
  },
});

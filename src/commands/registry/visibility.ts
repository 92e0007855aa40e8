import { getProject } from "../../api/endpoints/places.ts";
import { setVisibility } from "../../api/endpoints/registry.ts";
import { update } from "../../verbs/verbs.ts";

export const visibility = update("visibility", setVisibility, {
  argument: "container_registry_access_level",
  examples: [{ line: "registry visibility private -p acme/storefront" }],
  inspectWith: "api projects/{project}",
  undo: { line: "registry visibility {before.container_registry_access_level} -p {project}", before: getProject },
  related: ["registry list"],
});

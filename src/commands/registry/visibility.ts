import { setVisibility } from "../../api/endpoints/registry.ts";
import { update } from "../../verbs/verbs.ts";

export const visibility = update("visibility", setVisibility, {
  argument: "container_registry_access_level",
  examples: [{ line: "registry visibility private -p acme/storefront" }],
  look: "api projects/{project}",
  related: ["registry list"],
});

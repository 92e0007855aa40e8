import type { Setting } from "../setting.ts";
import { boolean, integer } from "./define.ts";

/** The package registry and the container registry. */
export const packageSettings: readonly Setting[] = [
  boolean("maven_package_requests_forwarding", "Forward requests for Maven packages"),
  boolean("npm_package_requests_forwarding", "Forward requests for npm packages"),
  boolean("pypi_package_requests_forwarding", "Forward requests for PyPI packages"),
  boolean("nuget_skip_metadata_url_validation", "Skip the validation of metadata URLs of NuGet packages"),
  integer("helm_max_packages_count", "Maximum count of Helm packages", { default: 1000, min: 1 }),
  boolean("package_registry_allow_anyone_to_pull_option", "Offer the option to let anyone pull packages"),
  integer("package_registry_cleanup_policies_worker_capacity", "Workers of the package registry's cleanup policies"),

  integer("container_registry_token_expire_delay", "How long a container registry token lasts"),
  integer(
    "container_registry_cleanup_tags_service_max_list_size",
    "Maximum list size of the container registry's tag cleanup",
  ),
  integer("container_registry_delete_tags_service_timeout", "When to give up on deleting container registry tags"),
  integer(
    "container_registry_expiration_policies_worker_capacity",
    "Workers of the container registry's expiration policies",
  ),
  boolean("container_registry_expiration_policies_caching", "Cache in the container registry's expiration policies"),
  boolean(
    "container_expiration_policies_enable_historic_entries",
    "Enable container expiration policies for historic entries",
  ),
];

import { getErrorSettings, setErrorSettings, switchErrorTracking } from "../../api/endpoints/error-tracking.ts";
import { getProject } from "../../api/endpoints/places.ts";
import { setVisibility } from "../../api/endpoints/registry.ts";
import type { Kind } from "../kind.ts";

/** Error tracking of a project (`1-project-api: Error tracking settings and client key`). */
export const errorTrackingKind: Kind = {
  name: "error_tracking",
  at: "project",
  form: "record",
  summary: "Error tracking of a project",
  fields: {
    active: { form: "boolean", required: true, description: "Error tracking is on" },
    integrated: { form: "boolean", absent: false, description: "The platform's own tracker" },
    project_name: { form: "text", readOnly: true },
    sentry_external_url: { form: "text", readOnly: true },
    tracker_external_url: { form: "text", readOnly: true },
    api_url: { form: "text", readOnly: true },
  },
  keys: [],
  read: { endpoint: getErrorSettings, missing: { value: { active: false, integrated: false } } },
  removal: "never",
  // One that was never set up cannot be switched, only set, and set only where the integrated tracker is on
  // (integrated-tracking-off); what is not declared stays as it is.
  steps: ({ scope, desired, live }) => {
    const { active, integrated } = { ...live?.values, ...desired?.values };
    const input = { project: scope.name, active, ...(integrated !== undefined && { integrated }) };
    const isSetUp = live !== undefined && Object.hasOwn(live.values, "api_url");
    return [{ endpoint: isSetUp || integrated === undefined ? switchErrorTracking : setErrorSettings, input }];
  },
};

/** Visibility of a project's container registry (`1-project-api: Container registry`). */
export const registryVisibilityKind: Kind = {
  name: "container_registry_access_level",
  at: "project",
  form: "record",
  summary: "Visibility of a project's container registry",
  fields: {
    container_registry_access_level: { form: "text", required: true, values: ["enabled", "private", "disabled"] },
  },
  keys: [],
  bare: "container_registry_access_level",
  read: { endpoint: getProject, shows: "container_registry_access_level" },
  removal: "never",
  steps: ({ scope, desired }) => [
    {
      endpoint: setVisibility,
      input: {
        project: scope.name,
        container_registry_access_level: desired?.values.container_registry_access_level,
      },
    },
  ],
};

import {
  ErrorTrackingSettings,
  getErrorSettings,
  setErrorSettings,
  switchErrorTracking,
} from "../../api/endpoints/error-tracking.ts";
import { group, type Undo } from "../../declare/command.ts";
import type { ResourceView } from "../../verbs/resource-view.ts";
import { get, update } from "../../verbs/verbs.ts";
import { accepted } from "./answer-check.ts";

const shown = (endpoint: typeof setErrorSettings | typeof switchErrorTracking): ResourceView => ({
  entity: ErrorTrackingSettings,
  read: (answer) => accepted(endpoint, answer),
});

const undo: Undo = {
  line: "errors settings set -p {project} --active {before.active} --integrated {before.integrated}",
  before: getErrorSettings,
};

export const settings = group("settings", "Error tracking settings", [
  get("get", getErrorSettings, {
    examples: [{ line: "errors settings get -p acme/storefront" }],
    related: ["errors settings set", "errors enable"],
  }),
  update("set", setErrorSettings, {
    details: "Sets up the platform's own tracker, also in a project that never had error tracking.",
    shown: shown(setErrorSettings),
    examples: [{ line: "errors settings set -p acme/storefront --active true --integrated true" }],
    undo,
    related: ["errors settings get", "errors keys create"],
  }),
]);

const switching = {
  details: "The project must have been set up before; errors settings set does that.",
  shown: shown(switchErrorTracking),
  shows: getErrorSettings,
  inspectWith: "errors settings get -p {project}",
  // The request of errors settings set is for the platform's own tracker only.
  undo: {
    line: "errors {before.active|enable|disable} -p {project} --integrated {before.integrated}",
    before: getErrorSettings,
  },
  related: ["errors settings get", "errors settings set"],
};

export const enable = update("enable", switchErrorTracking, {
  ...switching,
  summary: "Turn a project's configured error tracking on",
  fixed: { active: true },
  examples: [{ line: "errors enable -p acme/storefront" }],
});

export const disable = update("disable", switchErrorTracking, {
  ...switching,
  summary: "Turn a project's configured error tracking off",
  fixed: { active: false },
  examples: [{ line: "errors disable -p acme/storefront" }],
});

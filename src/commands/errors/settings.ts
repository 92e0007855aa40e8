import {
  active,
  ErrorTrackingSettings,
  getErrorSettings,
  integrated,
  setErrorSettings,
  switchErrorTracking,
} from "../../api/endpoints/error-tracking.ts";
import { project } from "../../api/endpoints/scope.ts";
import { required } from "../../api/field.ts";
import { type Command, command, group, type Undo } from "../../declare/command.ts";
import { madeOrLookedAt } from "../../verbs/lost.ts";
import { get } from "../../verbs/verbs.ts";
import { accepted } from "./accepted.ts";

const undo: Undo = {
  line: "errors settings set -p {project} --active {before.active} --integrated {before.integrated}",
  before: getErrorSettings,
};

export const settings = group("settings", "Error tracking settings", [
  get("get", getErrorSettings, {
    examples: [{ line: "errors settings get -p acme/storefront" }],
    related: ["errors settings set", "errors enable"],
  }),
  command({
    name: "set",
    summary: setErrorSettings.summary,
    details: "Sets up the platform's own tracker. A project without error tracking has its settings made by this.",
    params: { project: required(project), active, integrated: required(integrated) },
    requests: [setErrorSettings],
    returns: ErrorTrackingSettings,
    examples: [{ line: "errors settings set -p acme/storefront --active true --integrated true" }],
    undo,
    related: ["errors settings get", "errors keys create"],
    run: async (context, input) => ({
      record: accepted(setErrorSettings, await context.api.call(setErrorSettings, input)),
    }),
  }),
]);

export const enable = switching("enable", true, "Turn a project's configured error tracking on");
export const disable = switching("disable", false, "Turn a project's configured error tracking off");

function switching(name: string, active: boolean, summary: string): Command {
  return command({
    name,
    summary,
    details: "The project must have been set up before; errors settings set does that.",
    params: { project: required(project), integrated },
    requests: [switchErrorTracking],
    returns: ErrorTrackingSettings,
    examples: [{ line: `errors ${name} -p acme/storefront` }],
    look: "errors settings get -p {project}",
    undo,
    related: ["errors settings get", "errors settings set"],
    async run(context, { project, integrated }) {
      let record: object = {};
      await madeOrLookedAt(
        context,
        async () => {
          const answer = await context.api.call(switchErrorTracking, { project, integrated, active });
          record = accepted(switchErrorTracking, answer);
        },
        async (api) => {
          const found = await api.call(getErrorSettings, { project });
          record = found;
          return found.active === active && (integrated === undefined || found.integrated === integrated);
        },
      );
      return { record };
    },
  });
}

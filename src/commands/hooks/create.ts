import { createHook } from "../../api/endpoints/hooks.ts";
import { group as groupScope } from "../../api/endpoints/scope.ts";
import { required, string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { recordOf, storedAs } from "../../verbs/resource-view.ts";
import { changeFlags, readChange, secretDetails } from "./change.ts";
import { ignorable, warnOfIgnored } from "./event-kinds.ts";
import { checkUrl } from "./url.ts";
import { ShownHook, shownHook } from "./view.ts";

export const create = command({
  name: "create",
  summary: createHook.summary,
  details: `${secretDetails} Without --events the instance decides; usually only pushes are on.`,
  args: { url: required(string("Address that receives the deliveries, http or https", { min: 1 })) },
  params: { group: required(groupScope), ...changeFlags },
  requests: [createHook],
  returns: ShownHook,
  prints: "record",
  examples: [
    { line: "hooks create https://hooks.example.com/in -g acme --events push,merge_requests" },
    {
      line: "hooks create https://ci.example.com -g acme --events push --branch-filter 'release/*' --token-file token.txt",
    },
    { line: "hooks create https://log.example.com -g acme --events all,-emoji --header 'X-Team: platform'" },
  ],
  undo: { line: "hooks delete {result.id} -g {group}" },
  related: ["hooks update", "hooks events"],
  async run(context, { group, url, ...flags }) {
    checkUrl(url, "<url>");
    const attributes = await readChange(context, flags);
    const made = await context.api
      .call(createHook, { ...attributes, group, url }, { mayIgnore: ignorable(flags.events) })
      .catch(storedAs(shownHook));
    warnOfIgnored(context, flags.events, made);
    return recordOf(shownHook, made);
  },
});

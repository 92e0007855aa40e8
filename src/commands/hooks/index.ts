import { createHook, getHook, hookId, listHooks, updateHook } from "../../api/endpoints/hooks.ts";
import { group as groupScope } from "../../api/endpoints/scope.ts";
import { required, string } from "../../api/field.ts";
import { command, group } from "../../command/command.ts";
import { listFlags, windowOf } from "../../command/list-flags.ts";
import { UsageError } from "../../errors.ts";
import { changeFlags, readChange } from "./change.ts";
import { events } from "./events.ts";
import { kinds } from "./kinds.ts";
import { mapped } from "./mapped.ts";
import { resend } from "./resend.ts";
import { checkUrl } from "./url.ts";
import { hookView, ShownHook, withKinds } from "./view.ts";

const scope = { group: required(groupScope) };

const secretDetails =
  `Kinds of events: ${kinds.join(", ")}; or all, none. The secret token and the values of headers are never shown. ` +
  "A branch filter is read as a pattern with * (wildcard), as an RE2 expression (regex), or not at all (all_branches).";

const list = command({
  name: "list",
  summary: listHooks.summary,
  params: { ...scope, ...listFlags },
  requests: [listHooks],
  returns: ShownHook,
  examples: [{ line: "hooks list -g acme" }, { line: "hooks list -g acme --fields id,name,events,disabled_until" }],
  related: ["hooks get", "hooks events"],
  async run(context, input) {
    const rows = context.api.list(listHooks, input, windowOf(input));
    return {
      rows: mapped(rows, withKinds),
      columns: ["id", "name", "url", "events", "alert_status"],
      cut: rows.cut,
      entity: ShownHook,
    };
  },
});

const get = command({
  name: "get",
  summary: getHook.summary,
  args: { hook_id: required(hookId) },
  params: scope,
  requests: [getHook],
  returns: ShownHook,
  examples: [{ line: "hooks get 2 -g acme" }],
  related: ["hooks list", "hooks events"],
  run: async (context, input) => hookView(await context.api.call(getHook, input)),
});

const create = command({
  name: "create",
  summary: createHook.summary,
  details: `${secretDetails} Without --events the instance decides; mostly pushes are on, and nothing else.`,
  args: { url: required(string("Where deliveries go, http or https", { min: 1 })) },
  params: { ...scope, ...changeFlags },
  requests: [createHook],
  returns: ShownHook,
  examples: [
    { line: "hooks create https://hooks.example.com/in -g acme --events push,merge_requests" },
    {
      line: "hooks create https://ci.example.com -g acme --events push --branch-filter 'release/*' --token-file token.txt",
    },
    { line: "hooks create https://log.example.com -g acme --events all,-emoji --header 'X-Team: platform'" },
  ],
  related: ["hooks update", "hooks events"],
  async run(context, { group, url, ...flags }) {
    checkUrl(url, "<url>");
    const attributes = await readChange(context, flags, "new");
    return hookView(await context.api.call(createHook, { ...attributes, group, url }));
  },
});

const update = command({
  name: "update",
  summary: updateHook.summary,
  details:
    "What is not named stays as it is: --events turns the listed kinds on and, with a leading -, off. Headers are one " +
    `list, which a new one replaces. ${secretDetails} The API wants the URL each time: without --url the present one is ` +
    "read and sent.",
  args: { hook_id: required(hookId) },
  params: { ...scope, url: string("Where deliveries go, http or https"), ...changeFlags },
  requests: [getHook, updateHook],
  returns: ShownHook,
  examples: [
    { line: "hooks update 2 -g acme --events push,-tag_push" },
    { line: "hooks update 2 -g acme --token-file token.txt", note: "a new secret token" },
    { line: "hooks update 2 -g acme --url https://new.example.com/in --dry-run", note: "the request, not sent" },
  ],
  related: ["hooks get", "hooks create"],
  async run(context, { group, hook_id, url: typed, ...flags }) {
    if (typed !== undefined) checkUrl(typed, "--url");
    const attributes = await readChange(context, flags, "present");
    if (typed === undefined && attributes === undefined) {
      throw new UsageError("nothing to change was given", { hint: "say what to change, such as --events push,-note" });
    }
    const url = typed ?? (await context.api.call(getHook, { group, hook_id })).url;
    if (attributes?.custom_headers !== undefined) {
      context.notice("the headers given replace the hook's whole list: those not given again are gone");
    }
    return hookView(await context.api.call(updateHook, { ...attributes, group, hook_id, url }));
  },
});

export const hooks = group("hooks", "Webhooks of a group", [list, get, create, update, events, resend]);

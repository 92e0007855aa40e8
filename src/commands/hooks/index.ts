import { createHook, deleteHook, getHook, listHooks } from "../../api/endpoints/hooks.ts";
import { group as groupScope } from "../../api/endpoints/scope.ts";
import { required, string } from "../../api/field.ts";
import { command, group } from "../../declare/command.ts";
import { remove } from "../../verbs/remove.ts";
import { recordOf, storedAs } from "../../verbs/resource-view.ts";
import { get, list } from "../../verbs/verbs.ts";
import { audit } from "./audit.ts";
import { changeFlags, readChange, secretDetails } from "./change.ts";
import { events } from "./events.ts";
import { health } from "./health.ts";
import { listen } from "./listen/index.ts";
import { redeliver } from "./redeliver.ts";
import { resend } from "./resend.ts";
import { test } from "./test.ts";
import { update } from "./update.ts";
import { checkUrl } from "./url.ts";
import { ShownHook, shownHook } from "./view.ts";

const scope = { group: required(groupScope) };

const create = command({
  name: "create",
  summary: createHook.summary,
  details: `${secretDetails} Without --events the instance decides; usually only pushes are on.`,
  args: { url: required(string("Address that receives the deliveries, http or https", { min: 1 })) },
  params: { ...scope, ...changeFlags },
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
    return recordOf(
      shownHook,
      await context.api.call(createHook, { ...attributes, group, url }).catch(storedAs(shownHook)),
    );
  },
});

const deleteCommand = remove("delete", deleteHook, {
  noun: "webhook",
  shows: getHook,
  many: true,
  details: "Its deliveries are deleted too.",
  examples: [
    { line: "hooks delete 3 -g acme" },
    { line: "hooks delete 2 3 -g acme --dry-run", note: "the requests, not sent" },
  ],
  related: ["hooks list"],
});

export const hooks = group("hooks", "Webhooks of a group", [
  list("list", listHooks, ["id", "name", "url", "events", "alert_status"], {
    shown: shownHook,
    examples: [{ line: "hooks list -g acme" }, { line: "hooks list -g acme --fields id,name,events,disabled_until" }],
    related: ["hooks get", "hooks events"],
  }),
  get("get", getHook, {
    shown: shownHook,
    examples: [{ line: "hooks get 2 -g acme" }],
    related: ["hooks list", "hooks events"],
  }),
  create,
  update,
  deleteCommand,
  events,
  resend,
  redeliver,
  health,
  audit,
  listen,
  test,
]);

import { deleteHook, getHook, listHooks } from "../../api/endpoints/hooks.ts";

import { remove } from "../../verbs/remove.ts";
import { get, list } from "../../verbs/verbs.ts";
import { audit } from "./audit.ts";
import { create } from "./create.ts";
import { events } from "./events.ts";
import { health } from "./health.ts";
import { listen } from "./listen/index.ts";
import { redeliver } from "./redeliver.ts";
import { resend } from "./resend.ts";
import { test } from "./test.ts";
import { update } from "./update.ts";
import { shownHook } from "./view.ts";

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

export const hooks = [
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
];

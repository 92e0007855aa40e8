import {
  createHook,
  deleteHook,
  getHook,
  listHookEvents,
  listHooks,
  removeHookHeader,
  resendHookEvent,
  testHook,
  updateHook,
} from "../../../src/api/endpoints/hooks.ts";
import { call } from "../call.ts";

export const calls = [
  call(listHooks, { group: "acme" }, { as: "owner" }),
  call(getHook, { group: "acme", hook_id: 2 }),
  call(createHook, {
    group: "acme/platform",
    url: "https://hooks.example.com/in",
    push_events: true,
    branch_filter_strategy: "regex",
    push_events_branch_filter: "^release/",
    token: "secret",
    custom_headers: [{ key: "X-Team", value: "blue" }],
  }),
  call(updateHook, { group: "acme", hook_id: 2, url: "https://deploys.acme.example/webhook", note_events: true }),
  call(listHookEvents, { group: "acme", hook_id: 2, status: "client_failure" }),
  call(resendHookEvent, { group: "acme", hook_id: 2, hook_event_id: 110 }, { as: "owner" }),
  call(testHook, { group: "acme", hook_id: 1, trigger: "push_events" }),
  call(removeHookHeader, { group: "acme", hook_id: 2, key: "X-Deploy-Key" }),
  call(deleteHook, { group: "acme", hook_id: 3 }),
];

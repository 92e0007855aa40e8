import { events } from "../../store/model.ts";
import { createRandom, type Random } from "../../store/random.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { addressOf, eventHeaders, withoutEmails } from "./deliver.ts";
import { hookEventsOf, hooksFor } from "./hook-events.ts";
import {
  flagsOf,
  type GroupHook,
  groupHooks,
  type HookDelivery,
  hookDeliveries,
  hookKinds,
  kindNames,
} from "./model.ts";
import { payloadOf } from "./payload.ts";

/** The group that has hooks: acme, whose owner is one of the demo users. */
const ACME = 1;
const GLOBEX = 5;
/** Length of the history in days; it starts within the seven visible days. */
const SPAN = 5.9;

/** Hooks with a week of successful and failed deliveries. Their receivers answer inside the sandbox. */
export function seedHooks(world: World): void {
  const random = createRandom(1_618_033);
  const chat = addHook(world, random, "https://chat.acme.example/hooks/{channel}", {
    ...flagsOf(["push", "merge_requests", "issues", "note", "releases"]),
    name: "Chat",
    description: "Tells the team's channel.",
    created_at: daysAgo(world.now(), 410),
    url_variables: [{ key: "channel", value: "acme-dev" }],
  });
  const deploys = addHook(world, random, "https://deploys.acme.example/webhook", {
    ...flagsOf(["push", "tag_push"]),
    name: "Deploys",
    description: "Starts a deployment when main or a tag is pushed.",
    created_at: daysAgo(world.now(), 222),
    push_events_branch_filter: "main",
    token: "sandbox-hook-secret",
    custom_headers: [{ key: "X-Deploy-Key", value: "sandbox-deploy-key" }],
    disabled_until: new Date(world.now().getTime() + 5 * 3_600_000).toISOString(),
  });
  addHook(world, random, "https://pager.acme.example/v2/enqueue", {
    // On real instances, groups cannot subscribe to updates of repositories.
    ...flagsOf(kindNames.filter((kind) => kind !== "repository_update" || !world.asDeployed)),
    name: "Pager",
    description: "Receives everything; just set up.",
    created_at: daysAgo(world.now(), 0.1),
    branch_filter_strategy: "all_branches",
    custom_webhook_template: '{"summary":"{{object_kind}} in {{project.path_with_namespace}}","source":{{project_id}}}',
  });
  addHook(world, random, "https://erp.globex.example/in", {
    ...flagsOf(["tag_push"]),
    ...(world.asDeployed && { milestone_events: true, disabled_until: daysAgo(world.now(), 3) }),
    group_id: GLOBEX,
    name: "ERP",
    created_at: daysAgo(world.now(), 97),
    enable_ssl_verification: false,
  });
  seedHistory(world, random, chat, { count: 64, answer: chatAnswer });
  seedHistory(world, random, deploys, { count: 48, answer: deployAnswer });
}

function addHook(world: World, random: Random, url: string, given: Partial<GroupHook>): GroupHook {
  return world.store.table(groupHooks).insert({
    group_id: ACME,
    url,
    name: "",
    description: "",
    created_at: world.timestamp(),
    ...flagsOf([]),
    push_events_branch_filter: null,
    branch_filter_strategy: "wildcard",
    enable_ssl_verification: true,
    disabled_until: null,
    url_variables: [],
    custom_webhook_template: "",
    custom_headers: [],
    token: null,
    uuid: uuid(random),
    ...given,
    ...(world.asDeployed && unknownFlags(given)),
  });
}

/** On real instances, flags of confidential events that were never given are null. */
function unknownFlags({ confidential_issues_events: issues, confidential_note_events: note }: Partial<GroupHook>) {
  return { confidential_issues_events: issues || null, confidential_note_events: note || null };
}

/** A receiver's answer to its n-th delivery: status and body, or no status and the reason. */
type Answer = readonly [status: string, body: string];

const chatAnswer = (n: number): Answer => {
  if (n >= 20 && n < 23) return ["404", '{"error":"channel_is_archived"}'];
  if (n === 41) return ["429", '{"error":"rate_limited"}'];
  return ["200", '{"ok":true}'];
};

/** An outage of one afternoon, and later a rotated key; the last failures were not resent. */
const deployAnswer = (n: number): Answer => {
  const outage: readonly Answer[] = [
    ["503", '{"error":"draining"}'],
    ["500", '{"error":"Traceback (most recent call last)"}'],
    ["502", "<html><head><title>502 Bad Gateway</title></head></html>"],
    ["internal error", "no answer within 3 seconds"],
  ];
  if (n >= 12 && n < 24) return outage[n % outage.length] ?? ["500", ""];
  if (n >= 40 && n < 45) return ["401", '{"error":"invalid key"}'];
  return ["202", '{"queued":true}'];
};

interface History {
  readonly count: number;
  readonly answer: (n: number) => Answer;
}

/** Deliveries of events in the activity feed, evenly spaced; two failed ones were resent successfully. */
function seedHistory(world: World, random: Random, hook: GroupHook, { count, answer }: History): void {
  const hookEvents = recentEvents(world, hook, count);
  const table = world.store.table(hookDeliveries);
  const failed: HookDelivery[] = [];
  for (let n = 0; n < count; n += 1) {
    const hookEvent = hookEvents[n % hookEvents.length];
    if (hookEvent === undefined) return;
    const created_at = daysAgo(world.now(), SPAN * (1 - (n + 1) / (count + 1)));
    const about = { instance: world.url, eventUuid: uuid(random), key: uuid(random) };
    const [response_status, response_body] = answer(n);
    const payload = payloadOf(world, { ...hookEvent, event: { ...hookEvent.event, created_at } });
    const delivery = table.insert({
      hook_id: hook.id,
      created_at,
      url: hook.url,
      address: addressOf(hook),
      trigger: hookKinds[hookEvent.kind].trigger,
      request_headers: { ...eventHeaders(hook, hookEvent.kind, about), ...redactedSecrets(hook) },
      request_data: payload,
      response_body,
      ...answerFacts(random, response_status, created_at),
      ...(world.asDeployed && asRecorded(hook, n, payload)),
    });
    if (/^[45i]/.test(response_status)) failed.push(delivery);
    const again = n === 26 || n === 27 ? failed.shift() : undefined;
    if (again !== undefined) {
      const [status, body] = answer(n);
      const { id: _, ...same } = again;
      table.insert({
        ...same,
        created_at,
        response_body: body,
        ...answerFacts(random, status, created_at),
      });
    }
  }
}

/**
 * What real instances record: no email addresses, and nothing of a payload that was too large. During the outage
 * the hook had another URL for a while.
 */
function asRecorded(hook: GroupHook, n: number, payload: object): Partial<HookDelivery> {
  const request_data = withoutEmails(payload);
  if (hook.name !== "Deploys") return { request_data };
  if (n === 16) return { request_data: { oversize: true } };
  const url = "https://deploys.acme.example/v1/webhook";
  return { request_data, ...((n === 14 || n === 15) && { url, address: url }) };
}

/** The feed's events for a hook, newest first. */
function recentEvents(world: World, hook: GroupHook, count: number) {
  const found = [];
  for (const event of world.store.table(events).all().reverse()) {
    if (found.length === count) break;
    const heard = hookEventsOf(world, event).filter((hookEvent) => hooksFor(world, hookEvent).includes(hook));
    found.push(...heard.slice(0, 1));
  }
  return found.reverse();
}

function answerFacts(random: Random, response_status: string, created_at: string) {
  const answered = response_status !== "internal error";
  const isJson = /^[24]/.test(response_status) || response_status === "503" || response_status === "500";
  return {
    response_status,
    response_headers: {
      ...(answered && { Date: new Date(created_at).toUTCString(), Server: "acme-edge" }),
      ...(answered && { "Content-Type": isJson ? "application/json" : "text/html" }),
    },
    execution_duration: answered ? (40_000 + random.below(900_000)) / 1_000_000 : 3.001,
  };
}

function redactedSecrets(hook: GroupHook): Record<string, string> {
  const names = [...hook.custom_headers.map(({ key }) => key), ...(hook.token === null ? [] : ["X-Service-Token"])];
  return Object.fromEntries(names.map((name) => [name, "[REDACTED]"]));
}

function uuid(random: Random): string {
  const hex = random.hex(32);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join("-");
}

import { alertTones, listHookEvents, listHooks } from "../../api/endpoints/hooks.ts";
import { group } from "../../api/endpoints/scope.ts";
import {
  array,
  boolean,
  entity,
  id,
  integer,
  nullable,
  required,
  seconds,
  share,
  string,
  timestamp,
  uncut,
} from "../../api/field.ts";
import { dayMs } from "../../base/duration.ts";
import { exitCodes } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { dateOf, isSuccess, maxPageSize } from "./deliveries.ts";
import { type Failed, failureWords } from "./last-failure.ts";

/** How long deliveries are kept (`2-collaboration-identity-api: Hook event record`). */
const keptDays = 7;

const HookHealth = entity("HookHealth", {
  id: id("Hook ID"),
  name: nullable(string()),
  url: uncut(),
  deliveries: integer("Deliveries in the past seven days"),
  failures: integer("Answered with a status other than 200 to 299, or not at all"),
  failure_rate: share("Share of the deliveries that failed"),
  p50: nullable(seconds("Median duration of a delivery")),
  p95: nullable(seconds("95th percentile of the duration")),
  alert_status: string("", { tones: alertTones }),
  disabled_until: nullable(timestamp()),
  last_failure: nullable(uncut("The latest failure, in words")),
  last_failure_status: nullable(string("Its status, or the instance's text if there was no answer")),
  days: array(integer(), "Deliveries of each of the past seven days, the oldest first", { pictured: "sparkline" }),
});

interface Delivery {
  failed: boolean;
  execution_duration: unknown;
  at: number;
}

export const health = command({
  name: "health",
  summary: "Show the deliveries and failures of a group's webhooks in the past seven days",
  details:
    "One row per hook: deliveries, failures, latency, whether the platform has disabled it, and the last failure.",
  params: { group: required(group), exit_code: boolean("Exit 10 if a hook fails or is disabled") },
  requests: [listHooks, listHookEvents],
  returns: HookHealth,
  examples: [{ line: "hooks health -g acme" }, { line: "hooks health -g acme --exit-code -q -o json" }],
  related: ["hooks events", "hooks resend"],
  async run(context, { group, exit_code: exitCode = false }) {
    let unhealthy = 0;
    const hooks: object[] = [];
    for await (const hook of context.api.list(listHooks, { group }, { limit: undefined })) hooks.push(hook);
    async function* rows() {
      const inspect = (hook: object) => healthOf(context, group, hook as Hook);
      for await (const row of concurrently(hooks, inspect, { limit: context.config.concurrency, ordered: true })) {
        if (row.failures > 0 || row.disabled_until !== null || row.alert_status === "disabled") unhealthy += 1;
        yield row;
      }
    }
    return {
      rows: rows(),
      columns: [
        "id",
        "name",
        "deliveries",
        "failures",
        "failure_rate",
        "p50",
        "p95",
        "alert_status",
        "last_failure",
        "days",
      ],
      entity: HookHealth,
      exitCode: () => (exitCode && unhealthy > 0 ? exitCodes.differences : exitCodes.done),
    };
  },
});

interface Hook {
  id: number;
  name: string | null;
  url: string;
  alert_status: string;
  disabled_until: string | null;
}

async function healthOf(context: Context, group: string, { id, name, url, alert_status, disabled_until }: Hook) {
  const now = context.now().getTime();
  const found: Delivery[] = [];
  let last: Failed | undefined;
  for await (const event of context.api.list(
    listHookEvents,
    { group, hook_id: id },
    { limit: undefined, perPage: maxPageSize },
  )) {
    const { response_status, response_body, execution_duration } = event;
    const failed = !isSuccess(response_status);
    // The newest is first.
    if (failed) last ??= { response_status, response_body, execution_duration };
    // A delivery without an answer has no time, and is not counted for any day.
    found.push({ failed, execution_duration, at: Date.parse(dateOf(event.response_headers) ?? "") });
  }
  const failures = found.filter(({ failed }) => failed).length;
  const times = found
    .flatMap(({ execution_duration: time }) => (typeof time === "number" ? [time] : []))
    .sort((a, b) => a - b);
  return {
    id,
    name: name ?? null,
    url,
    deliveries: found.length,
    failures,
    failure_rate: found.length === 0 ? 0 : Math.round((failures / found.length) * 10_000) / 10_000,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    alert_status,
    disabled_until: disabled_until ?? null,
    last_failure: last === undefined ? null : await failureWords(last),
    last_failure_status: last === undefined ? null : String(last.response_status),
    days: byDay(found, now),
  };
}

function percentile(ascending: readonly number[], part: number): number | null {
  return ascending[Math.min(ascending.length - 1, Math.ceil(ascending.length * part) - 1)] ?? null;
}

function byDay(deliveries: readonly Delivery[], now: number): number[] {
  const days = new Array<number>(keptDays).fill(0);
  for (const { at } of deliveries) {
    const day = keptDays - 1 - Math.floor((now - at) / dayMs);
    if (day >= 0 && day < keptDays) days[day] = (days[day] ?? 0) + 1;
  }
  return days;
}

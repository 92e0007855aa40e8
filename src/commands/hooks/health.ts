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
import { shorter } from "../../api/shorter-lists.ts";
import { dayMs } from "../../base/duration.ts";
import { exitCodes } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { typedInstanceFlags } from "../../verbs/instance-flags.ts";
import { wholeList } from "../../verbs/whole-list.ts";
import { type Delivery, deliveryOf, isSuccess, maxPageSize, timeOf } from "./deliveries.ts";
import { undeliveredIn } from "./delivery-verdict.ts";
import { isDisabled as isDisabledNow } from "./disabled-hook.ts";
import { type Failed, failureWords } from "./last-failure.ts";
import { hasUnrecorded, unrecordedWords } from "./unrecorded.ts";

/** How long deliveries are kept (`2-collaboration-identity-api: Hook event record`). */
const keptDays = 7;

const HookHealth = entity("HookHealth", {
  id: id("Hook ID"),
  name: nullable(string()),
  url: uncut(),
  deliveries: integer("Deliveries in the past seven days"),
  failures: integer("Answered with a status other than 200 to 299, or not at all"),
  undelivered: integer("Events that no later delivery delivered, and that are not lost"),
  lost: integer(
    "Events that cannot be redelivered: their payload was not recorded, the hook's URL has changed, or its template " +
      "would be applied again",
  ),
  unrecorded: boolean(
    "Events may be missing in these numbers: the hook is disabled, or had four failures in a row, after which instances " +
      "disable it, so that they were neither sent nor recorded",
  ),
  since: nullable(timestamp("Time of the oldest that is undelivered, by the receiver's clock")),
  last_success: nullable(timestamp("Time of the latest successful delivery, by the receiver's clock")),
  failure_rate: share("Share of the deliveries that failed"),
  p50: nullable(seconds("Median duration of a delivery")),
  p95: nullable(seconds("95th percentile of the duration")),
  alert_status: string("", { tones: alertTones }),
  disabled_until: nullable(timestamp()),
  last_failure: nullable(uncut("The latest failure, in words")),
  last_failure_status: nullable(string("Its status, or the instance's text if there was no answer")),
  try: nullable(uncut("The commands that repair it, if something is undelivered or the hook is disabled")),
  days: array(integer(), "Deliveries of each of the past seven days, the oldest first", { pictured: "sparkline" }),
});

interface Timed {
  failed: boolean;
  execution_duration: unknown;
  at: number;
}

export const health = command({
  name: "health",
  summary: "Show the deliveries and failures of a group's webhooks in the past seven days",
  details:
    "One row per hook: deliveries, failures, events that no later delivery delivered, latency, whether the platform has " +
    "disabled it, and the last failure. What was redelivered since is not undelivered; what an instance does not " +
    "resend (oversize, url_changed in hooks redeliver) is lost, and not waited for, nor is what it would send otherwise " +
    "(template), once a later delivery has succeeded. Events while a hook is disabled, after four failures in a row, are " +
    "neither sent nor recorded, so that no number has them (unrecorded), and nothing delivers them. stderr has one line for each " +
    "hook with undelivered events or that is disabled, with the commands that repair it, and one for the unrecorded.",
  params: {
    group: required(group),
    exit_code: boolean("Exit 10 if a hook has undelivered events or is disabled"),
  },
  requests: [listHooks, listHookEvents],
  returns: HookHealth,
  prints: "rows",
  examples: [{ line: "hooks health -g acme" }, { line: "hooks health -g acme --exit-code -q -o json" }],
  related: ["hooks events", "hooks redeliver", "hooks test"],
  async run(context, { group, exit_code: exitCode = false }) {
    const unhealthy: string[] = [];
    const incomplete: number[] = [];
    const { rows: hooks, isWhole } = await wholeList(context.api, listHooks, { group });
    async function* rows() {
      const inspect = (hook: object) => healthOf(context, group, hook as Hook);
      for await (const row of concurrently(hooks, inspect, { limit: context.config.concurrency, ordered: true })) {
        if (row.try !== null) unhealthy.push(problemLine(row, context));
        if (row.unrecorded) incomplete.push(row.id);
        yield row;
      }
      if (!isWhole) throw shorter();
    }
    return {
      rows: rows(),
      validIfPartial: true,
      columns: [
        "id",
        "name",
        "deliveries",
        "failures",
        "undelivered",
        "lost",
        "failure_rate",
        "p50",
        "p95",
        "alert_status",
        "last_failure",
        "days",
      ],
      spare: ["p50", "p95", "days", "failures", "lost"],
      entity: HookHealth,
      summary: () => ({ text: [...unhealthy, ...incompleteLine(incomplete)] }),
      exitCode: () => (exitCode && unhealthy.length > 0 ? exitCodes.differences : exitCodes.done),
    };
  },
});

/** Nothing repairs it, so that it is no reason for exit 10. */
function incompleteLine(ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  return [`hook${ids.length === 1 ? "" : "s"} ${ids.join(", ")}: disabled now, or perhaps before; ${unrecordedWords}`];
}

interface Hook {
  id: number;
  name: string | null;
  url: string;
  alert_status: string;
  disabled_until: string | null;
  custom_webhook_template?: unknown;
}

async function healthOf(context: Context, group: string, hook: Hook) {
  const { id, name, url, alert_status, disabled_until } = hook;
  const now = context.now();
  const found: Timed[] = [];
  const deliveries: Delivery[] = [];
  let last: Failed | undefined;
  for await (const event of context.api.list(
    listHookEvents,
    { group, hook_id: id },
    { limit: undefined, perPage: maxPageSize },
  )) {
    const { response_status, response_body, execution_duration } = event;
    const failed = !isSuccess(response_status);
    deliveries.push(deliveryOf(event, hook));
    // The newest is first.
    if (failed) last ??= { response_status, response_body, execution_duration };
    // A delivery without a time is not counted for any day.
    found.push({ failed, execution_duration, at: Date.parse(timeOf(event) ?? "") });
  }
  const { missing, resendable, lost, since, lastSuccess } = undeliveredIn(deliveries, hook);
  const isDisabled = isDisabledNow(hook, now) === true;
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
    undelivered: missing,
    lost,
    unrecorded: hasUnrecorded(hook, deliveries, now),
    since,
    last_success: lastSuccess,
    failure_rate: found.length === 0 ? 0 : Math.round((failures / found.length) * 10_000) / 10_000,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    alert_status,
    disabled_until: disabled_until ?? null,
    last_failure: last === undefined ? null : await failureWords(last),
    last_failure_status: last === undefined ? null : String(last.response_status),
    try: missing > 0 || isDisabled ? repair({ group, id, resendable, isDisabled }, context) : null,
    days: byDay(found, now.getTime()),
  };
}

interface Broken {
  group: string;
  id: number;
  resendable: number;
  isDisabled: boolean;
}

/** A successful test enables a hook again; it does not redeliver anything. */
function repair({ group, id, resendable, isDisabled }: Broken, { config }: Context): string {
  const program = `forgectl${typedInstanceFlags(config)}`;
  const on = [String(id), "-g", group];
  return [
    ...(isDisabled ? [["hooks", "test", ...on, "--trigger", "push"]] : []),
    ...(resendable > 0 ? [["hooks", "redeliver", ...on]] : []),
    ...(resendable === 0 && !isDisabled ? [["hooks", "events", ...on, "--failed"]] : []),
  ]
    .map((words) => `${program} ${commandLine(words)}`)
    .join("; then ");
}

interface Problem {
  id: number;
  name: string | null;
  undelivered: number;
  lost: number;
  since: string | null;
  alert_status: string;
  disabled_until: string | null;
  try: string | null;
}

function problemLine(
  { id, name, undelivered, lost, since, alert_status, disabled_until, try: next }: Problem,
  { shownTime, now }: Pick<Context, "shownTime" | "now">,
): string {
  const until = disabled_until === null ? "" : ` until ${shownTime(disabled_until)}`;
  const facts = [
    ...(undelivered > 0 ? [`${undelivered} undelivered${since === null ? "" : ` since ${shownTime(since)}`}`] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(isDisabledNow({ alert_status, disabled_until }, now()) ? [`disabled${until}`] : []),
  ];
  return `hook ${id}${name === null ? "" : ` (${name})`}: ${facts.join(", ")}; try ${next}`;
}

function percentile(ascending: readonly number[], part: number): number | null {
  return ascending[Math.min(ascending.length - 1, Math.ceil(ascending.length * part) - 1)] ?? null;
}

function byDay(deliveries: readonly Timed[], now: number): number[] {
  const days = new Array<number>(keptDays).fill(0);
  for (const { at } of deliveries) {
    const day = keptDays - 1 - Math.floor((now - at) / dayMs);
    if (day >= 0 && day < keptDays) days[day] = (days[day] ?? 0) + 1;
  }
  return days;
}

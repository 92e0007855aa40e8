import type { Api } from "../../api/api.ts";
import { type HookEvent, listHookEvents } from "../../api/endpoints/hooks.ts";
import type { Row } from "../../api/field.ts";
import { timeIn } from "../../base/answered-value.ts";
import { isObject } from "../../base/is-object.ts";
import { isAltered, type Templated } from "./template.ts";

// The deliveries of a hook: which failed, which belong to one event, and when they were answered.

/** Instances refuse larger pages of deliveries (`2-collaboration-identity-api: Group webhooks`). */
export const maxPageSize = 20;

/**
 * What `--status` accepts besides a code (`2-collaboration-identity-api: Group webhooks`). No answer at all, which is
 * recorded as an internal error, is a failure of the server, as real instances count it.
 */
export const categories: Readonly<Record<string, RegExp>> = {
  successful: /^2\d\d$/,
  client_failure: /^4\d\d$/,
  server_failure: /^(?:5\d\d|internal error)$/,
};

/** Identifies a hook. */
export interface HookPlace {
  group: string;
  hook_id: number;
}

/** The relevant fields of a delivery, without its bodies, which may be large. */
export interface Delivery {
  id: number;
  /** Its `Idempotency-Key`: the same for every delivery of one event. Undefined if an older release sent none. */
  key: string | undefined;
  trigger: string;
  /** The receiver's status, or why there was none. */
  status: string;
  /** Its time, ISO 8601; null if neither the instance shows it nor an answer has one. */
  date: string | null;
  /** The address that it was sent to. */
  url: string;
  /**
   * Why a resend would send other content: the record has no payload, since it was too large, or the hook's template
   * would be applied to it again (src/api/differences.ts, `hook-records`).
   */
  altered: "oversize" | "template" | undefined;
}

/**
 * The deliveries of the past seven days, newest first, without duplicates if new ones shift the pages.
 *
 * @param after only those newer than this one; all of them by default
 * @param hook its template, if they may be resent
 */
export async function deliveriesOf(
  api: Api,
  place: HookPlace,
  { after = 0, hook = {} }: { after?: number; hook?: Templated } = {},
): Promise<Delivery[]> {
  const found = new Map<number, Delivery>();
  for await (const event of api.list(listHookEvents, place, { limit: undefined, perPage: maxPageSize })) {
    if (event.id <= after) break;
    found.set(event.id, deliveryOf(event, hook));
  }
  return [...found.values()].sort((a, b) => b.id - a.id);
}

/** A delivery of a hook as it is judged. */
export function deliveryOf(event: Row<typeof HookEvent.shape>, hook: Templated): Delivery {
  const { request_data: record } = event;
  const isOversize = isObject(record) && record.oversize === true;
  return {
    id: event.id,
    key: headerIn(event.request_headers, "idempotency-key") || undefined,
    trigger: String(event.trigger),
    status: String(event.response_status),
    date: timeOf(event),
    url: String(event.url ?? ""),
    altered: isOversize ? "oversize" : isAltered(hook, record) ? "template" : undefined,
  };
}

/** The ID of the newest delivery, 0 if there is none. */
export async function newestOf(api: Api, place: HookPlace): Promise<number> {
  for await (const { id } of api.list(listHookEvents, place, { limit: 1, perPage: 1 })) return id;
  return 0;
}

export function isSuccess(status: unknown): boolean {
  return categories.successful?.test(String(status)) === true;
}

/**
 * The time of a delivery, ISO 8601: the documented record has none, which newer releases show (hook-delivery-time).
 * Else the `Date` of the answer, by the receiver's clock; null without either.
 */
export function timeOf(event: object): string | null {
  const { created_at: recorded, response_headers: answered } = event as Readonly<Record<string, unknown>>;
  const at = timeIn(recorded) ?? Date.parse(headerIn(answered, "date"));
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** A header of a record, ignoring case; empty if it has none. */
function headerIn(headers: unknown, wanted: string): string {
  if (typeof headers !== "object" || headers === null) return "";
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted) ?? [];
  return String((Array.isArray(value) ? value[0] : value) ?? "");
}

import { listHookEvents } from "../../api/endpoints/hooks.ts";
import type { Api } from "../../api/types.ts";

// What the deliveries of a hook tell: which failed, which are of one event, and when they were answered.

/** Instances refuse larger pages of deliveries (`2-collaboration-identity-api: Group webhooks`). */
export const largestPage = 20;

/** What `--status` takes besides a code (`2-collaboration-identity-api: Group webhooks`). */
export const categories: Readonly<Record<string, RegExp>> = {
  successful: /^2\d\d$/,
  client_failure: /^4\d\d$/,
  server_failure: /^5\d\d$/,
};

/** Which hook. */
export interface HookPlace {
  group: string;
  hook_id: number;
}

/** What matters of a delivery; its bodies, which may be large, are not kept. */
export interface Delivery {
  id: number;
  /** Its `Idempotency-Key`: the same for every delivery of one event. Undefined where an older release sent none. */
  key: string | undefined;
  trigger: string;
  /** The receiver's status, or why there is none. */
  status: string;
  /** When it was answered, ISO 8601; null where it was not. */
  date: string | null;
}

/**
 * The deliveries of the past seven days, newest first, each once though new ones may shift the pages.
 *
 * @param limit most of them
 */
export async function deliveriesOf(api: Api, place: HookPlace, limit?: number): Promise<Delivery[]> {
  const found = new Map<number, Delivery>();
  for await (const event of api.list(listHookEvents, place, { limit, perPage: largestPage })) {
    found.set(event.id, {
      id: event.id,
      key: headerIn(event.request_headers, "idempotency-key") || undefined,
      trigger: String(event.trigger),
      status: String(event.response_status),
      date: dateOf(event.response_headers),
    });
  }
  return [...found.values()].sort((a, b) => b.id - a.id);
}

/** The ID of the newest delivery, 0 where there is none. */
export async function newestOf(api: Api, place: HookPlace): Promise<number> {
  for await (const { id } of api.list(listHookEvents, place, { limit: 1, perPage: 1 })) return id;
  return 0;
}

export function isSuccess(status: unknown): boolean {
  return categories.successful?.test(String(status)) === true;
}

/** Records hold no time of their own; the answer's `Date` is the nearest to it. */
export function dateOf(headers: unknown): string | null {
  const at = Date.parse(headerIn(headers, "date"));
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** A header of a record, in whatever case it stands there; empty where it has none. */
function headerIn(headers: unknown, wanted: string): string {
  if (typeof headers !== "object" || headers === null) return "";
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted) ?? [];
  return String((Array.isArray(value) ? value[0] : value) ?? "");
}

import type { HookEvent } from "../../api/endpoints/hooks.ts";
import type { Row } from "../../api/field.ts";
import type { Cut } from "../../terminal/view.ts";
import { isSuccess, maxPageSize, timeOf } from "./deliveries.ts";
import { Undated } from "./undated.ts";
import { withoutSecrets } from "./view.ts";

/** Selects deliveries by what the API has no filter for. */
export interface Wanted {
  /** Milliseconds since 1970: only those since then. */
  since: number | undefined;
  /** Milliseconds since 1970: only those before. */
  until: number | undefined;
  /** Only those that were not answered with success. */
  failed: boolean;
}

/** Times may be those of the receivers' clocks, which differ: so much older is older. */
const clockToleranceMs = 3_600_000;

/** This many in a row that are too old are the end. A single one may be of a receiver whose clock is wrong. */
const oldOnes = maxPageSize;

/**
 * The wanted deliveries of a list that is newest first, without their secrets. Reading ends at those that are too old,
 * and after the limit. A delivery without a time is as old as the next one after it.
 */
export function selected(
  deliveries: AsyncIterable<Row<typeof HookEvent.shape>>,
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, failed }: Wanted,
  limit = Number.POSITIVE_INFINITY,
): { rows: AsyncIterable<object>; cut: () => Cut | undefined; undated: Undated } {
  const undated = new Undated(Number.isFinite(until) ? until : undefined);
  let shown = 0;
  let more = false;
  async function* rows() {
    let at = Number.POSITIVE_INFINITY;
    const seen = new Set<number>();
    let old = 0;
    for await (const each of deliveries) {
      // New deliveries shift the pages: the first of the next one was shown already. Two that were recorded at the same
      // moment need not be in the order of their IDs.
      if (seen.has(each.id)) continue;
      seen.add(each.id);
      const date = timeOf(each);
      if (date !== null) {
        at = Date.parse(date);
        old = at < since - clockToleranceMs ? old + 1 : 0;
      }
      if (old === oldOnes) return;
      undated.see(date, !(failed && isSuccess(each.response_status)) && at >= since);
      const isInTime = at >= since && (until === Number.POSITIVE_INFINITY || at < until);
      if (!isInTime || (failed && isSuccess(each.response_status))) continue;
      if (shown === limit) {
        more = true;
        return;
      }
      shown += 1;
      yield withoutSecrets(each);
    }
  }
  return { rows: rows(), undated, cut: () => (more ? { shown, total: undefined } : undefined) };
}

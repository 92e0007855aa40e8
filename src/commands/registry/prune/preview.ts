import { DryRunStop } from "../../../api/api.ts";
import { deleteTagsInBulk } from "../../../api/endpoints/registry.ts";
import { bytes, entity, string, timestamp, uncut } from "../../../api/field.ts";
import type { Context } from "../../../context.ts";
import type { RowsView } from "../../../terminal/view.ts";
import { noticeAfter } from "../../../verbs/notice.ts";
import { clockReason } from "./clock.ts";
import { type Criteria, verdict } from "./criteria.ts";
import { blockedBy, candidatesIn, isInstances, maxDeletedIn, type Surveying, survey } from "./survey.ts";
import { blockedText, tieReason } from "./undecided-failure.ts";

const PrunePreview = entity("PrunePreview", {
  name: uncut(),
  verdict,
  rule: uncut("The rule that decided"),
  created_at: timestamp(),
  total_size: bytes(),
  digest: string("Digest of the image; tags of one image share it"),
});

/** What a prune would delete and keep, and by which rule, using only reads. */
export async function preview(
  context: Context,
  criteria: Criteria,
  surveying: Omit<Surveying, "details">,
): Promise<RowsView> {
  const decisions = await survey(context, criteria, { ...surveying, details: "all" });
  const blocked = blockedBy(decisions);
  const tied = decisions.filter(({ verdict }) => verdict === "EITHER").length;
  const bounds = isInstances(decisions) ? "at most " : "";
  const count = blocked === undefined ? maxDeletedIn(decisions, criteria) : candidatesIn(decisions).length;
  const means =
    blocked === undefined
      ? ` ${await how(context, criteria, surveying.via)}`
      : `: ${blocked === "tie" ? refusal(tied) : `none, since ${blockedText.unreadable}`}`;
  const clock = bounds === "" ? undefined : clockReason(surveying.clock);
  const notes = [`${bounds}${count} of ${decisions.length} tags would be deleted${means}`, ...(clock ? [clock] : [])];
  const rows = decisions.map(({ tag, verdict, rule }) => {
    const { name, created_at, total_size, digest } = tag;
    return { name, verdict, rule, created_at, total_size, digest };
  });
  const columns = ["name", "verdict", "rule", "created_at", "total_size"];
  return { rows: noticeAfter(context, rows, ...notes), columns, entity: PrunePreview };
}

function refusal(either: number): string {
  return `of ${either} of them (EITHER) ${tieReason}; --via bulk is refused, --via tags is exact`;
}

async function how(context: Context, criteria: Criteria, via: "bulk" | "tags"): Promise<string> {
  if (via === "tags") return "with one request each";
  try {
    await context.api.call(deleteTagsInBulk, { ...criteria.at, ...criteria.sent });
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw error;
  }
  const { method = "", url = "" } = context.api.planned.at(-1) ?? {};
  return `by ${method} ${url}`;
}

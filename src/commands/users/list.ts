import { getCurrentUser, listUsers, User, userFilters } from "../../api/endpoints/users.ts";
import { boolean } from "../../api/field.ts";
import { missing, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";
import { warnOfEmptySpan } from "../../verbs/empty-span.ts";
import { warnOfShortSearch } from "../../verbs/short-search.ts";
import { refuseDropped, refuseHidden, warnOfHidden } from "./caller.ts";
import { refuseIgnored } from "./ignored-filters.ts";

export const list = command({
  name: "list",
  summary: "List users",
  details:
    "Instances list blocked and banned users to administrators only: with another token --blocked and " +
    "--exclude-active are refused (exit 5), and other lists are without them.",
  params: {
    ...userFilters,
    keyset: boolean("Page by cursor: constant cost per page, ordered by ID, without a total"),
    ...listFlags,
  },
  requests: [listUsers, getCurrentUser],
  returns: User,
  prints: "rows",
  examples: [
    { line: "users list --blocked", note: "blocked users" },
    { line: "users list --created-after 30d", note: "new users" },
    { line: "users list --two-factor disabled --humans --limit all -o csv", note: "users without a second factor" },
    { line: "users list --keyset --limit all -o ndjson", note: "all users, streamed" },
  ],
  related: ["users get", "users me", "events list"],
  async run(context, { keyset, ...input }) {
    if (keyset && input.page !== undefined)
      throw new UsageError("--keyset does not support page numbers: leave out --page");
    if (keyset && input.order_by !== undefined && input.order_by !== "id") {
      throw new UsageError("--keyset orders by id: leave out --order-by");
    }
    if (input.extern_uid !== undefined && input.provider === undefined) {
      throw missing("--provider <provider>", { reason: "--extern-uid is unique only within an identity provider" });
    }
    if (input.provider !== undefined && input.extern_uid === undefined) {
      throw missing("--extern-uid <extern-uid>", { reason: "--provider selects by UID only" });
    }
    await refuseDropped(context, input);
    await refuseHidden(context, input);
    const { created_after: after, created_before: before } = input;
    warnOfShortSearch(context, input.search);
    warnOfEmptySpan(context, { after: ["--created-after", after], before: ["--created-before", before] });
    const cursor = keyset ? ({ pagination: "keyset", order_by: "id", sort: input.sort ?? "asc" } as const) : {};
    const rows = context.api.list(listUsers, { ...input, ...cursor }, windowOf(input));
    return {
      rows: { batches: () => checkedPages(context, input, rows.batches()), cut: () => rows.cut() },
      columns: ["id", "username", "name", "state", "email", "last_activity_on"],
    };
  },
});

async function* checkedPages<T extends object>(
  context: Context,
  input: Readonly<Record<string, unknown>>,
  pages: AsyncIterable<T[]>,
): AsyncGenerator<T[]> {
  let isEmpty = true;
  for await (const page of pages) {
    if (page.length > 0) isEmpty = false;
    refuseIgnored(input, page);
    yield page;
  }
  if (isEmpty) await warnOfHidden(context, input);
}

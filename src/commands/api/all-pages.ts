import { maxPageSize, type RawRequest, type RawResponse } from "../../api/api.ts";
import { cycle, endless, incomplete, maxPages, repeated } from "../../api/endless.ts";
import { otherEnd } from "../../api/other-end.ts";
import { countOf, linkTo, nextOf } from "../../api/page-headers.ts";
import { shorterList } from "../../api/shorter-lists.ts";
import type { Context } from "../../context.ts";
import { readAll } from "../../transfer/source.ts";
import { queryOf } from "./query.ts";
import { parsed, strange, warnIfRounded } from "./raw-answer.ts";

/** The rows of a list, page by page. Throws a Failure for an answer that is not a list, and for a list without end. */
export async function* allPages(context: Context, first: RawRequest): AsyncGenerator<object> {
  const seen = new Set<string>();
  let before: string | undefined;
  let count = 0;
  let shown = 0;
  let isLinked = false;
  let total: number | undefined;
  let next: RawRequest | undefined = first;
  while (next !== undefined) {
    const response: RawResponse = await context.api.raw(next);
    if (response.status >= 400) throw await response.failure();
    const bytes = await readAll(response.body);
    const rows: unknown = parsed(bytes);
    warnIfRounded(context, bytes);
    if (!Array.isArray(rows)) throw strange("--paginate: the answer is not a list");
    const page = JSON.stringify(rows);
    const counted = countOf(response.headers["x-total"]) ?? total;
    if ((counted ?? 0) < (total ?? 0)) context.warn(shorterList);
    if (queryOf(first.path).page === undefined) total = counted;
    if (page === before && rows.length > 0) {
      if (count > 1 || shown < (total ?? 0)) throw repeated(shown, total);
      return;
    }
    if (++count > maxPages) throw endless(`it continues after ${maxPages} pages`);
    before = page;
    shown += rows.length;
    yield* rows;
    isLinked ||= response.headers.link !== undefined && linkTo(response.headers.link, "next") !== undefined;
    // A proxy may remove the headers of one page: a list that counts more rows has not ended there.
    if (!isLinked && isUnsaid(response) && isByCursor(next.path) && rows.length === fullPage(next.path)) {
      await checkEnd(context, next, rows);
      return;
    }
    const isShort = shown < (total ?? 0);
    const path = pathAfter(next.path, response, { rows: rows.length, isShort, isLinked });
    if (path === undefined && isShort && isUnsaid(response)) throw incomplete({ shown, total: total ?? shown });
    if (path !== undefined && seen.size === seen.add(path).size) throw cycle();
    next = path === undefined ? undefined : { ...first, path, linked: true };
  }
}

/** Rows of a page that does not name their number (`1-project-api: Endpoints, common conventions`). */
const defaultPageSize = 20;

/** Rows of a full page. A variable that is not set leaves `per_page=`, which has no number: that is the default. */
function fullPage(path: string): number {
  const asked = Number(queryOf(path).per_page);
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, maxPageSize) : defaultPageSize;
}

/** Rows of a page, whether the list counts more than were shown, and whether one of its pages linked to the next. */
interface Shown {
  rows: number;
  isShort: boolean;
  isLinked: boolean;
}

function isByCursor(path: string): boolean {
  return queryOf(path).pagination === "keyset";
}

/**
 * By cursor, page numbers are ignored. A full page without a link is the last one if its last row is the first one from
 * the other end; otherwise what is in front of the instance has removed the link.
 */
async function checkEnd(context: Context, asked: RawRequest, rows: readonly { id?: unknown }[]): Promise<void> {
  const path = otherEnd(asked.path, rows);
  if (path === undefined)
    return context.warn("whether the list continues is not known: its page is full, without a link");
  const response = await context.api.raw({ ...asked, path });
  if (response.status >= 400) throw await response.failure();
  const found: unknown = parsed(await readAll(response.body));
  const [last] = Array.isArray(found) ? (found as readonly { id?: unknown }[]) : [];
  if (last === undefined || last.id !== rows.at(-1)?.id) throw incomplete();
}

function isUnsaid({ headers }: RawResponse): boolean {
  return nextOf(headers) === "unsaid";
}

/**
 * Where a list continues: at the next page of `Link`, or at the page that the other headers name; without any of them,
 * at the one after a full page, unless an earlier one had a link, or after any page if more rows are counted.
 */
function pathAfter(
  path: string,
  { headers, url }: RawResponse,
  { rows, isShort, isLinked }: Shown,
): string | undefined {
  const link = headers.link === undefined ? undefined : linkTo(headers.link, "next");
  if (link !== undefined) return URL.canParse(link, url) ? new URL(link, url).href : link;
  const next = nextOf(headers);
  if (next === "end" || (typeof next === "object" && "url" in next)) return undefined;
  const [resource = "", query] = path.split("?", 2);
  const params = new URLSearchParams(query);
  const isOpen = rows > 0 && (isShort || (!isLinked && rows === fullPage(path)));
  if (next === "unsaid" && !isOpen) return undefined;
  params.set("page", String(next === "unsaid" ? Number(params.get("page") ?? 1) + 1 : next.page));
  return `${resource}?${params}`;
}

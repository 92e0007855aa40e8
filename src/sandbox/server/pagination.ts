import type { Call } from "./call.ts";
import { fallback, integer, oneOf, type Values } from "./params.ts";
import { invalid, Problem } from "./problem.ts";
import { ok, type Reply } from "./reply.ts";

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;
/** Real instances stop counting here: for more rows, they omit the totals and the `last` link. */
const COUNTED_ROWS = 10_000;

/** The parameters of a paginated list; spread them into the route's (1-project-api: Common conventions). */
export const pageParams = {
  page: fallback(integer({ min: 1 }), 1),
  per_page: fallback(integer({ min: 1 }), DEFAULT_PER_PAGE),
};

/** The parameters of a list that also has keyset pagination. */
export const keysetParams = {
  ...pageParams,
  pagination: oneOf(["offset", "keyset"]),
  id_after: integer({ min: 0 }),
  id_before: integer({ min: 0 }),
};

type PagedCall = Pick<Call, "world" | "origin" | "path" | "query"> & { readonly params: Values<typeof pageParams> };
type KeysetCall = Pick<Call, "origin" | "path" | "query"> & { readonly params: Values<typeof keysetParams> };

/**
 * One page of `rows`, each converted by `view`, with the pagination headers.
 *
 * @param ends real instances take the rows that they count for all, so that no page behind them is announced
 */
export function page<T>(call: PagedCall, rows: readonly T[], view: (row: T) => unknown, ends = false): Reply {
  const perPage = Math.min(call.params.per_page, MAX_PER_PAGE);
  const at = call.params.page;
  if (call.world.asDeployed && at * perPage > call.world.offsetLimit) throw beyondOffsets(call.world.offsetLimit);
  const pages = Math.max(1, Math.ceil(rows.length / perPage));
  const counted = rows.length <= COUNTED_ROWS;
  const announced = ends && call.world.asDeployed ? Math.ceil((COUNTED_ROWS + 1) / perPage) : pages;
  const next = at < Math.min(pages, announced) ? at + 1 : undefined;
  const previous = at > 1 ? at - 1 : undefined;
  const to = (number: number) => ({ page: String(number), per_page: String(perPage) });
  const links = [
    ...(previous === undefined ? [] : [link(call, to(previous), "prev")]),
    ...(next === undefined ? [] : [link(call, to(next), "next")]),
    link(call, to(1), "first"),
    ...(counted ? [link(call, to(pages), "last")] : []),
  ];
  return ok(rows.slice((at - 1) * perPage, at * perPage).map(view), {
    link: links.join(", "),
    "x-next-page": next === undefined ? "" : String(next),
    "x-page": String(at),
    "x-per-page": String(perPage),
    "x-prev-page": previous === undefined ? "" : String(previous),
    ...(counted && { "x-total": String(rows.length), "x-total-pages": String(pages) }),
  });
}

/** One page of `rows`, as documented; real instances ignore the page and send all rows. */
export function pageOrWhole<T>(call: PagedCall, rows: readonly T[], view: (row: T) => unknown): Reply {
  return call.world.asDeployed ? ok(rows.map(view)) : page(call, rows, view);
}

function beyondOffsets(limit: number): Problem {
  const error =
    `Offset pagination has a maximum allowed offset of ${limit} for requests of this type. ` +
    "Remaining records can be retrieved using keyset pagination.";
  return new Problem(405, { error });
}

type Order = { readonly by: string | undefined; readonly sort: "asc" | "desc" };

/**
 * The next rows by id, for `pagination=keyset&order_by=id`: no totals, and a `next` link with the last id, so that rows
 * added or removed meanwhile cause neither duplicates nor gaps.
 */
export function keysetPage<T extends { readonly id: number }>(
  call: KeysetCall,
  rows: readonly T[],
  order: Order,
  view: (row: T) => unknown,
): Reply {
  const { id_after: after, id_before: before } = call.params;
  const isAhead = ({ id }: T) => (after === undefined || id > after) && (before === undefined || id < before);
  const nextAfter = (last: T) => ({ [order.sort === "asc" ? "id_after" : "id_before"]: String(last.id) });
  return pageById(call, rows.filter(isAhead), order, { view, nextAfter });
}

/** The same with an opaque cursor, and without the parameters for IDs, as real instances list users. */
export function opaquePage<T extends { readonly id: number }>(
  call: PagedCall,
  rows: readonly T[],
  order: Order,
  view: (row: T) => unknown,
): Reply {
  const cursor = call.query.get("cursor");
  const place = cursor === null ? undefined : idOfCursor(cursor);
  if (cursor !== null && place === undefined) throw new Problem(400, { error: "cursor is invalid" });
  const isAhead = ({ id }: T) => place === undefined || (order.sort === "asc" ? id > place : id < place);
  const nextAfter = (last: T) => ({ cursor: cursorOf({ id: String(last.id) }) });
  return pageById(call, rows.filter(isAhead), order, { view, nextAfter });
}

function pageById<T extends { readonly id: number }>(
  call: Pick<PagedCall, "origin" | "path" | "query" | "params">,
  ahead: readonly T[],
  { by, sort }: Order,
  { view, nextAfter }: { view(row: T): unknown; nextAfter(last: T): Readonly<Record<string, string>> },
): Reply {
  if (by !== undefined && by !== "id") {
    throw invalid({ order_by: ["does not have a valid value for keyset pagination"] });
  }
  const perPage = Math.min(call.params.per_page, MAX_PER_PAGE);
  const inOrder = ahead.toSorted((a, b) => (sort === "asc" ? a.id - b.id : b.id - a.id));
  const shown = inOrder.slice(0, perPage);
  const last = shown.at(-1);
  if (last === undefined || inOrder.length <= perPage) return ok(shown.map(view));
  return ok(shown.map(view), { link: link(call, { per_page: String(perPage), ...nextAfter(last) }, "next") });
}

/**
 * The next rows by name, for `pagination=keyset&order_by=name&sort=asc`, the only order that this has: no totals, and a
 * `next` link with an opaque cursor.
 */
export function cursorPage<T extends { readonly id: number; readonly name: string }>(
  call: PagedCall & { readonly params: { readonly order_by?: string | undefined; readonly sort?: string | undefined } },
  rows: readonly T[],
  view: (row: T) => unknown,
): Reply {
  const { order_by, sort, per_page } = call.params;
  if (order_by !== "name" || sort !== "asc") {
    throw new Problem(405, { error: "Keyset pagination is not yet available for this type of request" });
  }
  const perPage = Math.min(per_page, MAX_PER_PAGE);
  const cursor = call.query.get("cursor");
  const place = cursor === null ? -1 : rows.findIndex(({ id }) => id === idOfCursor(cursor));
  if (cursor !== null && place === -1) throw new Problem(400, { error: "cursor is invalid" });
  const shown = rows.slice(place + 1, place + 1 + perPage);
  const last = shown.at(-1);
  if (last === undefined || last === rows.at(-1)) return ok(shown.map(view));
  const next = cursorOf({ name: last.name, id: String(last.id) });
  return ok(shown.map(view), { link: link(call, { per_page: String(perPage), cursor: next }, "next") });
}

function cursorOf(place: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify({ ...place, _kd: "n" })).toString("base64url");
}

function idOfCursor(cursor: string): number | undefined {
  try {
    const id = Number(JSON.parse(Buffer.from(cursor, "base64url").toString()).id);
    return Number.isNaN(id) ? undefined : id;
  } catch {
    return undefined;
  }
}

/** The next rows, sorted by name, after the name in `last`; no totals. */
export function namePage<T extends { readonly name: string }>(
  call: PagedCall & { readonly params: { readonly last: string | undefined } },
  rows: readonly T[],
  view: (row: T) => unknown,
): Reply {
  const perPage = Math.min(call.params.per_page, MAX_PER_PAGE);
  const ahead = rows.filter((row) => row.name > (call.params.last ?? ""));
  const shown = ahead.slice(0, perPage);
  const last = shown.at(-1);
  if (last === undefined || ahead.length <= perPage) return ok(shown.map(view));
  return ok(shown.map(view), { link: link(call, { per_page: String(perPage), last: last.name }, "next") });
}

/** A link to the same list with some query parameters changed. */
function link(call: Pick<Call, "origin" | "path" | "query">, changes: Record<string, string>, rel: string): string {
  const query = new URLSearchParams(call.query);
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  return `<${call.origin}${call.path}?${query}>; rel="${rel}"`;
}

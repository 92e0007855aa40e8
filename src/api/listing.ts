import { UsageError } from "../base/errors.ts";
import { incomplete } from "./endless.ts";
import type { AnyEndpoint, Cursor } from "./endpoint.ts";
import { otherEnd } from "./other-end.ts";
import type { PageSource } from "./pages.ts";
import type { ReceivedPage } from "./prefetch.ts";
import type { BuiltRequest } from "./request.ts";

/** The request of a list. */
interface Asked {
  endpoint: AnyEndpoint;
  input: object;
  built: BuiltRequest;
  /** Rows per page. */
  perPage: number;
}

interface Row {
  id?: unknown;
  name?: unknown;
}

type Ask = (request: BuiltRequest) => Promise<ReceivedPage<never>>;

/** The pages of a list: by number, by the next page's URL, and by cursor where page numbers end. */
export function pagesOf(asked: Asked, ask: Ask, baseUrl: () => string): PageSource<never> {
  const { endpoint, built, perPage } = asked;
  const { cursor } = endpoint;
  const { order_by: order = cursor, pagination } = asked.input as Record<string, unknown>;
  if (pagination !== undefined) {
    const linking = linkingPages(asked, ask, baseUrl);
    return {
      byNumber: (page) => linking(withPage(built, page, perPage)),
      byUrl: (url) => linking({ ...built, path: linkedPath(url, baseUrl()) }),
      isByCursor: true,
    };
  }
  const byUrl = (url: string) => ask({ ...built, path: linkedPath(url, baseUrl()) });
  const byNumber = async (page: number) => goingOn(asked, page, await ask(withPage(built, page, perPage)));
  if (cursor === undefined || order !== cursor) return { byNumber, byUrl };
  const shown = new ShownRows();
  return {
    byNumber: async (page) => shown.noting(await byNumber(page)),
    byUrl,
    after: () => (shown.isWhole ? after({ ...asked, cursor, shown }, ask, baseUrl) : undefined),
  };
}

/**
 * Pages by cursor: each that is followed by another links to it. Where none has a link, what is in front of the
 * instance may have removed them: a full page is the last one if its last row is the first one from the other end.
 * Otherwise the list continues behind it, where the instance takes such a place.
 */
function linkingPages({ perPage, endpoint }: Asked, ask: Ask, baseUrl: () => string): Ask {
  let hasLinks = false;
  let before: string | undefined;
  return async (request) => {
    const page = await ask(request);
    hasLinks ||= typeof page.next === "object";
    if (hasLinks || page.next !== "unsaid") return page;
    const rows: readonly Row[] = page.open();
    const opened = { ...page, open: () => rows as never[] };
    if (rows.length !== perPage) return opened;
    const path = otherEnd(request.path, rows);
    const [last] = path === undefined ? [] : (await ask({ ...request, path })).open();
    if (last !== undefined && (last as Row).id === rows.at(-1)?.id) return { ...opened, next: "end" };
    const place = endpoint.cursor === "name" ? undefined : placeBehind(rows);
    const behind = place && withQuery(request.path, place);
    if (behind === undefined || behind === before) throw incomplete();
    before = behind;
    return { ...opened, next: { url: `${baseUrl()}/api/v4${behind}` } };
  };
}

/** The cursor behind the last row: its ID, or its name in a list that is ordered by name (tags of the registry). */
function placeBehind(rows: readonly Row[]): Record<string, string> | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (typeof first?.id === "number" && typeof last?.id === "number") {
    return first.id === last.id ? undefined : { [first.id < last.id ? "id_after" : "id_before"]: String(last.id) };
  }
  return typeof last?.name === "string" ? { last: last.name } : undefined;
}

/**
 * Whether there is a page behind the rows that an instance counts is only known when it is requested; as is, if nothing
 * says it, whether one is behind a page whose rows may be hidden. Those are counted.
 */
function goingOn({ endpoint, perPage }: Asked, number: number, page: ReceivedPage<never>): ReceivedPage<never> {
  const { countedTo = Infinity, hidesRows } = endpoint;
  if (hidesRows && page.next === "unsaid") {
    const { total, totalPages = total && Math.ceil(total / perPage) } = page;
    return { ...page, next: "open", totalPages };
  }
  const isOpen = page.next === "end" && page.total === undefined && number * perPage > countedTo;
  return isOpen ? { ...page, next: { page: number + 1 } } : page;
}

/** An instance that limits page numbers does so at half as many rows (offset-limit): more of them need not be known. */
const maxIds = 100_000;

/** The rows of numbered pages: a list that continues by cursor does not repeat them. */
class ShownRows {
  /** Whether all of them are known. */
  isWhole = true;
  readonly #ids = new Set<unknown>();
  #last: number | undefined;
  #ascending = true;
  #descending = true;

  noting(page: ReceivedPage<{ id?: unknown }>): ReceivedPage<never> {
    const open = () => {
      const rows = page.open();
      for (const { id } of rows) this.#note(id);
      return rows as never[];
    };
    return { ...page, open };
  }

  #note(id: unknown): void {
    if (this.#ids.size < maxIds) this.#ids.add(id);
    else this.isWhole = false;
    const before = this.#last ?? id;
    const [from, to] = typeof before === "number" && typeof id === "number" ? [before, id] : [Number.NaN, Number.NaN];
    this.#ascending &&= from <= to;
    this.#descending &&= from >= to;
    this.#last = to;
  }

  /** The cursor behind the last row, if the rows are ordered by ID. */
  place(): Record<string, string> {
    if (this.#last === undefined || this.#ascending === this.#descending) return {};
    return { [this.#ascending ? "id_after" : "id_before"]: String(this.#last) };
  }

  sort(cursor: Cursor): "asc" | "desc" {
    return cursor === "name" || (this.#ascending && !this.#descending) ? "asc" : "desc";
  }

  without(page: ReceivedPage<never>): ReceivedPage<never> {
    return { ...page, open: () => page.open().filter(({ id }) => !this.#ids.has(id)) };
  }
}

/**
 * Continues a list by cursor: behind the last row if the rows were ordered by ID, otherwise from the start, without the
 * rows already shown.
 */
function after(asked: Asked & { cursor: Cursor; shown: ShownRows }, ask: Ask, baseUrl: () => string) {
  const { built, perPage, cursor, shown } = asked;
  const linking = linkingPages(asked, ask, baseUrl);
  const order = { pagination: "keyset", order_by: cursor, sort: shown.sort(cursor) };
  const path = withQuery(built.path, { ...order, ...(cursor === "id" && shown.place()) });
  return {
    first: async () => shown.without(await linking(withPage({ ...built, path }, 1, perPage))),
    byUrl: async (url: string) => shown.without(await linking({ ...built, path: linkedPath(url, baseUrl()) })),
  };
}

/** A path with these query parameters replaced. */
function withQuery(path: string, more: Readonly<Record<string, string>>): string {
  const [resource = "", query] = path.split("?", 2);
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  return `${resource}?${params}`;
}

/** The path of the next page; a link to another origin is the instance's fault, not a usage error. */
export function linkedPath(url: string, baseUrl: string): string {
  try {
    return ownPath(url, baseUrl);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw error.with({
      exit: "refused",
      message: `the list continues on another origin: ${error.message}`,
      code: "unexpected_answer",
    });
  }
}

/** A `Link` target as a path of this instance; another origin is refused, since it would receive the token. */
export function ownPath(url: string, baseUrl: string): string {
  const root = `${baseUrl}/api/v4`;
  if (!URL.canParse(url, `${root}/`)) throw new UsageError(`"${url}" is not a valid address`);
  const target = new URL(url, `${root}/`).href;
  const normalRoot = new URL(root).href;
  if (!target.startsWith(`${normalRoot}/`)) {
    throw new UsageError(`"${target}" is not an address of ${baseUrl}`, {
      hint: "set the base URL to the address that the instance uses for itself",
    });
  }
  return target.slice(normalRoot.length);
}

/** The first page has no parameter, since a list by cursor has no page numbers. */
function withPage(request: BuiltRequest, page: number, perPage: number): BuiltRequest {
  const separator = request.path.includes("?") ? "&" : "?";
  const number = page === 1 ? "" : `&page=${page}`;
  return { ...request, path: `${request.path}${separator}per_page=${perPage}${number}` };
}

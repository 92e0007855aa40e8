import { Failure } from "../base/errors.ts";
import { Ahead, type Arrived } from "./ahead.ts";
import type { Listing, Window } from "./types.ts";
import type { Watcher } from "./watcher.ts";

/** One page of a list whose turn it is. */
type Page<T> = Pick<Arrived<T>, "next" | "total" | "totalPages"> & { rows: T[] };

/** Where the pages of a list come from. */
export interface PageSource<T> {
  byNumber(page: number): Promise<Arrived<T>>;
  byUrl(url: string): Promise<Arrived<T>>;
  /** The same list behind a row, by cursor; undefined where it has none. For instances that end numbered pages early. */
  behind?(last: T): CursorSource<T> | undefined;
  /** Told of every page whose rows are handed on; of none when the list has ended. */
  counted?: Watcher["counted"] | undefined;
}

interface CursorSource<T> {
  first(): Promise<Arrived<T>>;
  byUrl(url: string): Promise<Arrived<T>>;
}

/** With 100 rows a page these are ten million: more than an instance has of anything, and an end all the same. */
export const maxPages = 100_000;

/**
 * Walks a list in order. Once the first page has said that there is more, up to `concurrency` pages are asked for
 * ahead; a page past the end comes back empty and ends the list, so the total need not be known.
 */
export function walk<T>(source: PageSource<T>, window: Window & { perPage: number }, concurrency: number): Listing<T> {
  return new Walk(source, window, concurrency);
}

/**
 * A class, since a generator function that is made anew for each list leaves a hidden class behind, which keeps all that
 * the function sees until a full collection: of thousands of short lists, their answers.
 */
class Walk<T> implements Listing<T> {
  readonly #source: PageSource<T>;
  readonly #window: Window & { perPage: number };
  readonly #concurrency: number;
  #shown = 0;
  #total: number | undefined;
  #more = false;

  constructor(source: PageSource<T>, window: Window & { perPage: number }, concurrency: number) {
    this.#source = source;
    this.#window = window;
    this.#concurrency = concurrency;
  }

  async *batches(): AsyncGenerator<T[]> {
    const { limit, perPage } = this.#window;
    try {
      for await (const page of pages(this.#source, this.#window, this.#concurrency)) {
        this.#total ??= page.total;
        const left = limit === undefined ? page.rows.length : limit - this.#shown;
        const rows = page.rows.length > left ? page.rows.slice(0, left) : page.rows;
        this.#shown += rows.length;
        this.#source.counted?.(this.#shown, wanted(this.#total, limit));
        const full = this.#shown === limit;
        this.#more = full && (page.rows.length > left || goesOn(page, perPage));
        if (rows.length > 0) yield rows;
        if (full) return;
      }
    } finally {
      this.#source.counted?.(0, undefined);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const batch of this.batches()) yield* batch;
  }

  cut(): ReturnType<Listing<T>["cut"]> {
    return this.#more ? { shown: this.#shown, total: this.#total, ...place(this.#window) } : undefined;
  }
}

/** Where a list began that did not begin at its first page, and the page after it where it was one page. */
function place({ page, limit, perPage }: Window & { perPage: number }): { page?: number; nextPage?: number } {
  if (page === undefined) return {};
  return limit === perPage ? { page, nextPage: page + 1 } : { page };
}

/** How many rows a list will have, as far as that is known. */
function wanted(total: number | undefined, limit: number | undefined): number | undefined {
  return total === undefined || limit === undefined ? total : Math.min(total, limit);
}

function goesOn<T>({ next, rows }: Page<T>, perPage: number): boolean {
  if (next === "end" || "url" in next) return next !== "end";
  // More than were asked for: the instance does not cut this list into pages, whatever its headers say.
  return rows.length <= perPage;
}

/** The pages, up to one that only repeats the one before: an instance that ignores page numbers gives the same again. */
async function* pages<T>(
  source: PageSource<T>,
  window: Window & { perPage: number },
  concurrency: number,
): AsyncGenerator<Page<T>> {
  let before: readonly T[] = [];
  let count = 0;
  for await (const page of withoutNumbersEnd(source, window, concurrency)) {
    if (before.length > 0 && isSame(before, page.rows)) return;
    if (++count > maxPages) throw endless(`it goes on after ${maxPages} pages`);
    before = page.rows;
    yield page;
  }
}

/** Cheap for pages that differ: their first rows do. */
function isSame(before: readonly unknown[], rows: readonly unknown[]): boolean {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return before.length === rows.length && same(before[0], rows[0]) && same(before, rows);
}

/** Where an instance gives no page of so high a number (405), the list goes on by cursor, if it can. */
async function* withoutNumbersEnd<T>(
  source: PageSource<T>,
  window: Window & { perPage: number },
  concurrency: number,
): AsyncGenerator<Page<T>> {
  let last: T | undefined;
  try {
    for await (const page of numbered(source, window, concurrency)) {
      last = page.rows.at(-1) ?? last;
      yield page;
    }
  } catch (error) {
    const rest = last !== undefined && isTooFar(error) ? source.behind?.(last) : undefined;
    if (rest === undefined) throw error;
    const first = opened(await rest.first());
    yield first;
    if (first.next !== "end" && "url" in first.next) yield* follow(rest, first.next.url);
  }
}

function isTooFar(error: unknown): boolean {
  return error instanceof Failure && error.details.status === 405;
}

async function* numbered<T>(
  source: PageSource<T>,
  window: Window & { perPage: number },
  concurrency: number,
): AsyncGenerator<Page<T>> {
  const firstNumber = window.page ?? 1;
  const first = opened(await source.byNumber(firstNumber));
  yield first;
  if (!goesOn(first, window.perPage)) return;
  if (first.next !== "end" && "url" in first.next) yield* follow(source, first.next.url);
  else yield* ahead(source, window, concurrency, firstNumber, first);
}

/** Cursor pagination: each page names the next, so there is nothing to ask for ahead but that one. */
async function* follow<T>(source: Pick<PageSource<T>, "byUrl">, url: string): AsyncGenerator<Page<T>> {
  const seen = new Set([url]);
  let next: Promise<Arrived<T>> | undefined = source.byUrl(url);
  while (next !== undefined) {
    const page: Arrived<T> = await next;
    const further = typeof page.next === "object" && "url" in page.next ? page.next.url : undefined;
    if (further !== undefined && seen.size === seen.add(further).size) throw circle();
    next = further === undefined ? undefined : quiet(source.byUrl(further));
    yield opened(page);
  }
}

/** A list whose pages lead back to earlier ones would never end. */
export function circle(): Failure {
  return endless("its pages go in a circle");
}

/** A list of which the end does not come. */
export function endless(how: string): Failure {
  return new Failure("refused", `the list does not end: ${how}`, { code: "endless_list" });
}

async function* ahead<T>(
  source: PageSource<T>,
  window: Window & { perPage: number },
  concurrency: number,
  firstNumber: number,
  first: Page<T>,
): AsyncGenerator<Page<T>> {
  // An instance may give smaller pages than were asked for: the first one says how many are worth asking for at once.
  const wanted =
    window.limit === undefined ? Infinity : Math.ceil(window.limit / (first.rows.length || window.perPage));
  const end = first.totalPages ?? Infinity;
  const last = Math.min(firstNumber + wanted - 1, end);
  if (leadsBack(first, firstNumber)) throw circle();
  const pages = new Ahead(source.byNumber, { from: firstNumber + 1, to: last, concurrency });
  try {
    for (let number = firstNumber + 1; ; number++) {
      let arrived = await pages.take();
      // Later ones may be smaller still: as long as there is room for rows, one page more.
      if (arrived === undefined && number <= end) {
        pages.more();
        arrived = await pages.take();
      }
      if (arrived === undefined) return;
      const page = opened(arrived);
      if (page.rows.length === 0) return;
      yield page;
      if (!goesOn(page, window.perPage)) return;
      if (leadsBack(page, number)) throw circle();
    }
  } finally {
    pages.stop();
  }
}

/** The page with its rows read. */
function opened<T>(arrived: Arrived<T>): Page<T> {
  const { next, total, totalPages } = arrived;
  return { next, total, totalPages, rows: arrived.open() };
}

function leadsBack<T>({ next }: Page<T>, number: number): boolean {
  return typeof next === "object" && "page" in next && next.page <= number;
}

/** A page asked for ahead may fail after the reader has gone; whoever awaits it still sees the error. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * Reads where a list goes on from an answer's headers: `X-Next-Page`, or else `Link`, or else the numbers of this page
 * and of all. An answer without any of them is the whole list.
 */
export function nextOf(headers: Readonly<Record<string, string>>): Arrived<never>["next"] {
  const link = headers.link === undefined ? undefined : linkTo(headers.link, "next");
  const number = headers["x-next-page"];
  if (number !== undefined && /^\d+$/.test(number)) return { page: Number(number) };
  if (link !== undefined) {
    const { searchParams } = new URL(link);
    // A cursor may come with a page number that says nothing: it is the same in every link.
    if (searchParams.get("pagination") === "keyset") return { url: link };
    const page = searchParams.get("page");
    return page === null || !/^\d+$/.test(page) ? { url: link } : { page: Number(page) };
  }
  const [page, pages] = [countOf(headers["x-page"]), countOf(headers["x-total-pages"])];
  const counted = number === undefined && headers.link === undefined && page !== undefined && pages !== undefined;
  return counted && page < pages ? { page: page + 1 } : "end";
}

/** The URL of one relation in a `Link` header (RFC 8288). */
export function linkTo(header: string, relation: string): string | undefined {
  for (const match of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, url, params = ""] = match;
    if (new RegExp(`;\\s*rel="?(?:[^";]*\\s)?${relation}(?=["\\s;,]|$)`, "i").test(params)) return url;
  }
  return undefined;
}

/** A header that counts (`X-Total`); undefined where it is missing or no number. */
export function countOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
}

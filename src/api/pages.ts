import { Failure } from "../base/errors.ts";
import { inTurns } from "../base/in-turns.ts";
import type { Listing, Window } from "./api.ts";
import { cycle, endless, maxPages, repeated } from "./endless.ts";
import { continues, isCycle, isLinked, isSaid, isSame, opened, type Page } from "./page.ts";
import { Prefetch, type ReceivedPage } from "./prefetch.ts";
import type { Watcher } from "./watcher.ts";

/** The source of a list's pages. */
export interface PageSource<T> {
  byNumber(page: number): Promise<ReceivedPage<T>>;
  byUrl(url: string): Promise<ReceivedPage<T>>;
  /** Page numbers are ignored: a page that is repeated is not the whole list. */
  readonly isByCursor?: boolean | undefined;
  /** Continues the list by cursor after the rows that were yielded. For instances that limit page numbers. */
  after?: (() => CursorSource<T> | undefined) | undefined;
  /** Called for every page that is yielded, and with undefined at the end. */
  counted?: Watcher["counted"] | undefined;
}

interface CursorSource<T> {
  first(): Promise<ReceivedPage<T>>;
  byUrl(url: string): Promise<ReceivedPage<T>>;
}

/**
 * Rows that this user may not see are missing from a page, at worst all of it, so an empty page that announces another
 * does not end a list; this number of them in a row does, if the pages are not counted.
 */
const maxEmptyPages = 10;
/** Fewer where no page announces another: such a list is read so far past its end, and whole hidden pages are rare. */
const maxEmptyOpenPages = 2;

/**
 * Walks a list in order. If the first page announces more, up to `concurrency` pages are requested ahead; one that
 * announces no other ends the list, so the total need not be known.
 */
export function walk<T>(source: PageSource<T>, window: Window & { perPage: number }, concurrency: number): Listing<T> {
  return new Walk(source, window, concurrency);
}

/**
 * A class, since a generator function created for each list leaves a hidden class behind, which retains everything that
 * the function references until a full garbage collection: with thousands of short lists, their answers.
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
        this.#more = full && (page.rows.length > left || (isSaid(page.next) && continues(page, perPage)));
        // An instance that does not page this list may send all of it at once.
        if (rows.length > 0) yield* inTurns(rows);
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

/** The first page of a list that did not start at page 1, and the following page if only one was requested. */
function place({ page, limit, perPage }: Window & { perPage: number }): { page?: number; nextPage?: number } {
  if (page === undefined) return {};
  return limit === perPage ? { page, nextPage: page + 1 } : { page };
}

/** The number of rows of a list, if known. */
function wanted(total: number | undefined, limit: number | undefined): number | undefined {
  return total === undefined || limit === undefined ? total : Math.min(total, limit);
}

/**
 * The pages. An instance that ignores page numbers repeats its only page, which ends the list; if there must be more
 * rows, a page that is the one before it again is an error.
 */
async function* pages<T>(
  source: PageSource<T>,
  window: Window & { perPage: number },
  concurrency: number,
): AsyncGenerator<Page<T>> {
  let before: readonly T[] = [];
  let count = 0;
  let shown = 0;
  for await (const page of withoutNumbersEnd(source, window, concurrency)) {
    if (before.length > 0 && isSame(before, page.rows)) {
      const isShort = page.total !== undefined && window.page === undefined && shown < page.total;
      if (isShort || count > 1 || source.isByCursor) throw repeated(shown, page.total);
      return;
    }
    shown += page.rows.length;
    if (++count > maxPages) throw endless(`it continues after ${maxPages} pages`);
    before = page.rows;
    yield page;
  }
}

/** If an instance refuses a high page number (405), the list continues by cursor, if it can. */
async function* withoutNumbersEnd<T>(
  source: PageSource<T>,
  window: Window & { perPage: number },
  concurrency: number,
): AsyncGenerator<Page<T>> {
  let seen = 0;
  try {
    for await (const page of numbered(source, window, concurrency)) {
      seen += page.rows.length;
      yield page;
    }
  } catch (error) {
    const rest = seen > 0 && isTooFar(error) ? source.after?.() : undefined;
    if (rest === undefined) throw error;
    const first = opened(await rest.first());
    yield first;
    if (isLinked(first.next)) yield* follow(rest, first.next.url);
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
  const shown = window.page === undefined ? first.rows.length : undefined;
  if (!continues(first, window.perPage, shown)) return;
  if (isLinked(first.next)) yield* follow(source, first.next.url);
  else yield* prefetched(source, window, concurrency, firstNumber, first);
}

/** Cursor pagination: each page links to the next, so only that one can be prefetched. */
async function* follow<T>(source: Pick<PageSource<T>, "byUrl">, url: string): AsyncGenerator<Page<T>> {
  const seen = new Set([url]);
  let next: Promise<ReceivedPage<T>> | undefined = source.byUrl(url);
  while (next !== undefined) {
    const page: ReceivedPage<T> = await next;
    const further = isLinked(page.next) ? page.next.url : undefined;
    if (further !== undefined && seen.size === seen.add(further).size) throw cycle();
    next = further === undefined ? undefined : quiet(source.byUrl(further));
    yield opened(page);
  }
}

async function* prefetched<T>(
  source: PageSource<T>,
  window: Window & { perPage: number },
  concurrency: number,
  firstNumber: number,
  first: Page<T>,
): AsyncGenerator<Page<T>> {
  // An instance may return smaller pages than requested: the first one determines how many to request at once.
  const wanted =
    window.limit === undefined ? Infinity : Math.ceil(window.limit / (first.rows.length || window.perPage));
  let end = first.totalPages ?? Infinity;
  const last = Math.min(firstNumber + wanted - 1, isSaid(first.next) ? end : firstNumber + 1);
  let empty = first.rows.length === 0 ? 1 : 0;
  let shown = window.page === undefined ? first.rows.length : undefined;
  if (isCycle(first, firstNumber)) throw cycle();
  const pages = new Prefetch(source.byNumber, { from: firstNumber + 1, to: last, concurrency });
  try {
    for (let number = firstNumber + 1; ; number++) {
      let arrived = await pages.take();
      // Later pages may be even smaller, or more than were counted: each announces whether there is another.
      if (arrived === undefined) {
        pages.more();
        arrived = await pages.take();
      }
      if (arrived === undefined) return;
      const page = opened(arrived);
      end = page.totalPages ?? end;
      empty = page.rows.length === 0 ? empty + 1 : 0;
      const most = page.next === "open" ? maxEmptyOpenPages : maxEmptyPages;
      if (empty > 0 && (end === Infinity ? empty >= most : number >= end)) return;
      yield page;
      if (shown !== undefined) shown += page.rows.length;
      if (!continues(page, window.perPage, shown)) return;
      if (isCycle(page, number)) throw cycle();
    }
  } finally {
    pages.stop();
  }
}

/** A prefetched page may fail after the reader has left; awaiting it still gives the error. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

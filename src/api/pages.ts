import { Failure } from "../errors.ts";
import type { Listing, Window } from "./types.ts";
import type { Watcher } from "./watcher.ts";

/** One page of a list, as the instance gave it. */
export interface Page<T> {
  rows: T[];
  /** Where the list goes on: a page number, a URL to follow, or nowhere; undefined where the headers do not tell. */
  next: { page: number } | { url: string } | "end" | undefined;
  /** Rows in the whole list, where the instance counts them. */
  total: number | undefined;
  totalPages: number | undefined;
}

interface PageSource<T> {
  byNumber(page: number): Promise<Page<T>>;
  byUrl(url: string): Promise<Page<T>>;
  /** Told of every page whose rows are handed on; of none when the list has ended. */
  counted?: Watcher["counted"] | undefined;
}

/**
 * Walks a list in order. Once the first page has said that there is more, up to `concurrency` pages are asked for
 * ahead; a page past the end comes back empty and ends the list, so the total need not be known.
 */
export function walk<T>(source: PageSource<T>, window: Window & { perPage: number }, concurrency: number): Listing<T> {
  let shown = 0;
  let total: number | undefined;
  let more = false;
  async function* batches(): AsyncGenerator<T[]> {
    try {
      for await (const page of pages(source, window, concurrency)) {
        total ??= page.total;
        const left = window.limit === undefined ? page.rows.length : window.limit - shown;
        const rows = page.rows.length > left ? page.rows.slice(0, left) : page.rows;
        shown += rows.length;
        source.counted?.(shown, wanted(total, window.limit));
        const full = shown === window.limit;
        more = full && (page.rows.length > left || goesOn(page, window.perPage));
        if (rows.length > 0) yield rows;
        if (full) return;
      }
    } finally {
      source.counted?.(0, undefined);
    }
  }
  async function* rows(): AsyncGenerator<T> {
    for await (const batch of batches()) yield* batch;
  }
  return { [Symbol.asyncIterator]: rows, batches, cut: () => (more ? { shown, total } : undefined) };
}

/** How many rows a list will have, as far as that is known. */
function wanted(total: number | undefined, limit: number | undefined): number | undefined {
  return total === undefined || limit === undefined ? total : Math.min(total, limit);
}

function goesOn<T>(page: Page<T>, perPage: number): boolean {
  return page.next === undefined ? page.rows.length >= perPage : page.next !== "end";
}

async function* pages<T>(
  source: PageSource<T>,
  window: Window & { perPage: number },
  concurrency: number,
): AsyncGenerator<Page<T>> {
  const firstNumber = window.page ?? 1;
  const first = await source.byNumber(firstNumber);
  yield first;
  if (!goesOn(first, window.perPage)) return;
  if (first.next !== undefined && first.next !== "end" && "url" in first.next) yield* follow(source, first.next.url);
  else yield* ahead(source, window, concurrency, firstNumber, first);
}

/** Cursor pagination: each page names the next, so there is nothing to ask for ahead but that one. */
async function* follow<T>(source: PageSource<T>, url: string): AsyncGenerator<Page<T>> {
  const seen = new Set([url]);
  let next: Promise<Page<T>> | undefined = source.byUrl(url);
  while (next !== undefined) {
    const page: Page<T> = await next;
    const further = typeof page.next === "object" && "url" in page.next ? page.next.url : undefined;
    if (further !== undefined && seen.size === seen.add(further).size) throw circle();
    next = further === undefined ? undefined : quiet(source.byUrl(further));
    yield page;
  }
}

/** A list whose pages lead back to earlier ones would never end. */
export function circle(): Failure {
  return new Failure("refused", "the list does not end: its pages go in a circle", { code: "endless_list" });
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
  const inFlight: Promise<Page<T>>[] = [];
  let nextNumber = firstNumber + 1;
  if (leadsBack(first, firstNumber)) throw circle();
  for (let number = nextNumber; ; number++) {
    while (inFlight.length < concurrency && nextNumber <= last) inFlight.push(quiet(source.byNumber(nextNumber++)));
    // Later ones may be smaller still: as long as there is room for rows, one page more.
    if (inFlight.length === 0 && nextNumber <= end) inFlight.push(quiet(source.byNumber(nextNumber++)));
    const page = await inFlight.shift();
    if (page === undefined || page.rows.length === 0) return;
    yield page;
    if (!goesOn(page, window.perPage)) return;
    if (leadsBack(page, number)) throw circle();
  }
}

function leadsBack<T>({ next }: Page<T>, number: number): boolean {
  return typeof next === "object" && "page" in next && next.page <= number;
}

/** A page asked for ahead may fail after the reader has gone; whoever awaits it still sees the error. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Reads where a list goes on from an answer's headers: `X-Next-Page`, or else `Link`. */
export function nextOf(headers: Readonly<Record<string, string>>): Page<never>["next"] {
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
  return number === "" || headers.link !== undefined ? "end" : undefined;
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

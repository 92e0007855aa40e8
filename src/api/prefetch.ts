import { nextTurn } from "../base/next-turn.ts";

/** A received page whose headers are parsed, but not its rows. */
export interface ReceivedPage<T> {
  /**
   * Where the list continues: a page number, a URL, or nowhere; `unsaid` by an answer whose headers do not say it, and
   * `open` if a page of that list may be short besides.
   */
  next: { page: number } | { url: string } | "end" | "unsaid" | "open";
  /** Rows in the whole list, if the instance counts them. */
  total: number | undefined;
  totalPages: number | undefined;
  /** Size of the unparsed page, in bytes. */
  bytes: number;
  /** Known to be empty, which ends a list at its last page, even if its headers announce another. */
  empty: boolean;
  /** Parses the rows when the page is consumed. Throws a Failure if the answer is not a list. */
  open(): T[];
}

interface Range {
  /** First page to request, and the last one worth requesting. */
  from: number;
  to: number;
  /** Requests in flight at once. */
  concurrency: number;
}

/** Pages received or in flight, as a multiple of the concurrency, so that one slow page does not block the others. */
const pagesAhead = 2;
/** Bytes of pages received or in flight, 4 MiB; a single page may be larger. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Prefetches pages and yields them in order. The next one is requested as soon as one has arrived, independently of the
 * reader; pages that are received but not yet read are limited by count and by bytes.
 */
export class Prefetch<T> {
  readonly #ask: (number: number) => Promise<ReceivedPage<T>>;
  readonly #concurrency: number;
  /** In order: pages in flight, and pages that were not read yet. */
  readonly #pages: Promise<ReceivedPage<T>>[] = [];
  #inFlight = 0;
  #waitingBytes = 0;
  /** The largest page so far, as an estimate for those in flight. */
  #largest = 0;
  #next: number;
  #last: number;

  constructor(ask: (number: number) => Promise<ReceivedPage<T>>, { from, to, concurrency }: Range) {
    this.#ask = ask;
    this.#next = from;
    this.#last = to;
    this.#concurrency = concurrency;
    this.#fill();
  }

  /** The next page in order; undefined at the end. Rejects in place of a page that failed. */
  async take(): Promise<ReceivedPage<T> | undefined> {
    const next = this.#pages.shift();
    if (next === undefined) return undefined;
    const page = await next;
    this.#waitingBytes -= page.bytes;
    this.#fill();
    // Parsing blocks the event loop, so the network gets a turn between two pages.
    await nextTurn();
    return page;
  }

  /** Requests one page more than planned; only if none is left. */
  more(): void {
    this.#last = Math.max(this.#last, this.#next);
    this.#fill();
  }

  /** Requests no further page. */
  stop(): void {
    this.#last = 0;
  }

  #fill(): void {
    while (this.#next <= this.#last && this.#inFlight < this.#concurrency && this.#hasRoom()) {
      this.#pages.push(this.#request(this.#next++));
    }
  }

  #hasRoom(): boolean {
    if (this.#pages.length === 0) return true;
    const expected = this.#waitingBytes + (this.#inFlight + 1) * this.#largest;
    return this.#pages.length < this.#concurrency * pagesAhead && expected <= maxBytes;
  }

  #request(number: number): Promise<ReceivedPage<T>> {
    this.#inFlight += 1;
    const arriving = this.#ask(number).then(
      (page) => {
        this.#inFlight -= 1;
        this.#waitingBytes += page.bytes;
        this.#largest = Math.max(this.#largest, page.bytes);
        const isPast = page.empty && number >= (page.totalPages ?? Infinity);
        if (page.next === "end" || isPast) this.#last = Math.min(this.#last, number);
        this.#fill();
        return page;
      },
      (error: unknown) => {
        this.stop();
        throw error;
      },
    );
    // It may fail after the reader has left; a reader that awaits it still gets the error.
    arriving.catch(() => undefined);
    return arriving;
  }
}

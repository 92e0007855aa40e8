import { setImmediate } from "node:timers";

/** A page as it arrived: its headers are read, its rows not yet. */
export interface Arrived<T> {
  /** Where the list continues: a page number, a URL to follow, or nowhere. An answer without paging headers is all of it. */
  next: { page: number } | { url: string } | "end";
  /** Rows in the whole list, where the instance counts them. */
  total: number | undefined;
  totalPages: number | undefined;
  /** Size of the page as it waits for its turn, in bytes. */
  bytes: number;
  /** Known to have no rows, which ends a list whose headers promise another page. */
  empty: boolean;
  /** Reads the rows, when it is the page's turn. Throws a Failure on what is not a list. */
  open(): T[];
}

interface Range {
  /** First page to ask for, and the last that is worth asking for. */
  from: number;
  to: number;
  /** Requests in flight at once. */
  concurrency: number;
}

/** Pages that are here or on their way, as a multiple of those in flight: one slow page need not stop the others. */
const pagesAhead = 2;
/** Bytes of pages that are here or on their way, 4 MiB; a single page may be larger. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Asks for pages ahead of their reader and gives them in order. The next one is asked for as soon as one has arrived,
 * whatever the reader does; only what waits for it is bounded, by pages and by bytes.
 */
export class Ahead<T> {
  readonly #ask: (number: number) => Promise<Arrived<T>>;
  readonly #concurrency: number;
  /** In order: those in flight, and those that wait. */
  readonly #pages: Promise<Arrived<T>>[] = [];
  #inFlight = 0;
  #waitingBytes = 0;
  /** The largest page so far: what those in flight may turn out to be. */
  #largest = 0;
  #next: number;
  #last: number;

  constructor(ask: (number: number) => Promise<Arrived<T>>, { from, to, concurrency }: Range) {
    this.#ask = ask;
    this.#next = from;
    this.#last = to;
    this.#concurrency = concurrency;
    this.#fill();
  }

  /** The next page in order; undefined once all are taken. Rejects in place of the page that could not be had. */
  async take(): Promise<Arrived<T> | undefined> {
    const next = this.#pages.shift();
    if (next === undefined) return undefined;
    const page = await next;
    this.#waitingBytes -= page.bytes;
    this.#fill();
    // Work on a page leaves the network alone: it gets a turn between two of them.
    await turn();
    return page;
  }

  /** Asks for one page more than was thought to be needed; only where none is left to take. */
  more(): void {
    this.#last = Math.max(this.#last, this.#next);
    this.#fill();
  }

  /** Asks for no further page. */
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
    return this.#pages.length < this.#concurrency * pagesAhead && expected <= mostBytes;
  }

  #request(number: number): Promise<Arrived<T>> {
    this.#inFlight += 1;
    const arriving = this.#ask(number).then(
      (page) => {
        this.#inFlight -= 1;
        this.#waitingBytes += page.bytes;
        this.#largest = Math.max(this.#largest, page.bytes);
        if (page.next === "end" || page.empty) this.#last = Math.min(this.#last, number);
        this.#fill();
        return page;
      },
      (error: unknown) => {
        this.#inFlight -= 1;
        this.stop();
        throw error;
      },
    );
    // It may fail after the reader has left; a reader that comes for it still sees the error.
    arriving.catch(() => undefined);
    return arriving;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

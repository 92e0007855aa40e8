export interface Limits {
  /** The most items in progress at once. */
  readonly limit: number;
  /** Yields the results in the order of the items, not as they come. */
  readonly ordered?: boolean;
}

/**
 * Runs `act` on items and yields the results. As long as there are items, `limit` of them are in progress: a slow one
 * delays at most the results that come after it, never the start of others. Only a consumer that does not take what is
 * ready delays the start of further items. The first failure is thrown in place of its result; no further item is
 * started after it.
 */
export function concurrently<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  limits: Limits,
): AsyncGenerator<R, void> {
  return streamed<T, R>(items, async (item, emit) => emit(await act(item)), limits);
}

/** Applies an action to all items, and keeps no results; the first failure is thrown. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  limit: number,
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const work = ([index, item]: [number, T]) => act(item, index);
  for await (const _ of concurrently(items.entries(), work, { limit }));
}

/** As `concurrently`, with any number of results per item, each passed to `emit` as soon as it is known. */
export async function* streamed<T, R>(
  items: Iterable<T>,
  act: (item: T, emit: (result: R) => void) => Promise<void>,
  { limit, ordered = false }: Limits,
): AsyncGenerator<R, void> {
  const exit = new Exit<R>(ordered);
  const source = items[Symbol.iterator]();
  let inProgress = 0;
  let isOver = false;
  const start = (item: T) => {
    inProgress += 1;
    const place = exit.place();
    act(item, (result) => exit.put(place, result)).then(
      () => {
        inProgress -= 1;
        exit.close(place);
        fill();
      },
      (error: unknown) => {
        inProgress -= 1;
        isOver = true;
        exit.fail(place, error);
      },
    );
  };
  const fill = () => {
    while (!isOver && inProgress < limit && exit.ready < limit) {
      const next = source.next();
      if (next.done === true) isOver = true;
      else start(next.value);
    }
  };
  try {
    for (fill(); inProgress > 0 || exit.ready > 0; fill()) {
      if (exit.ready === 0) await exit.change();
      else yield exit.take();
    }
  } finally {
    isOver = true;
  }
}

/** The results of one item, or of all if order does not matter. */
interface Place<R> {
  readonly results: R[];
  isClosed: boolean;
  failure?: { error: unknown };
}

/** Where results wait for the consumer; if ordered, each item has its place in the queue. */
class Exit<R> {
  readonly #ordered: boolean;
  /** By number of the item: a long queue behind a slow item costs nothing to shorten. */
  readonly #places = new Map<number, Place<R>>();
  readonly #shared: Place<R> = { results: [], isClosed: false };
  #taken = 0;
  #head = 0;
  #tail = 0;
  #wake: () => void = () => undefined;

  constructor(ordered: boolean) {
    this.#ordered = ordered;
  }

  place(): Place<R> {
    if (!this.#ordered) return this.#shared;
    const place: Place<R> = { results: [], isClosed: false };
    this.#places.set(this.#tail++, place);
    return place;
  }

  put(place: Place<R>, result: R): void {
    place.results.push(result);
    this.#wake();
  }

  close(place: Place<R>): void {
    if (this.#ordered) place.isClosed = true;
    this.#wake();
  }

  fail(place: Place<R>, error: unknown): void {
    place.failure ??= { error };
    this.close(place);
  }

  /** How many results, or a failure, can be taken now. */
  get ready(): number {
    const { results, failure } = this.#first();
    return results.length - this.#taken + (failure === undefined ? 0 : 1);
  }

  /** The next result; throws a failure in its turn. */
  take(): R {
    const { results, failure } = this.#first();
    if (this.#taken === results.length && failure !== undefined) throw failure.error;
    const result = results[this.#taken++] as R;
    if (this.#taken === results.length) {
      results.length = 0;
      this.#taken = 0;
    }
    return result;
  }

  /** Resolves when something was added. */
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** The place whose turn it is; those that are closed and empty are passed. */
  #first(): Place<R> {
    if (!this.#ordered) return this.#shared;
    for (let place = this.#places.get(this.#head); place !== undefined; place = this.#places.get(this.#head)) {
      if (!place.isClosed || place.results.length > 0 || place.failure !== undefined) return place;
      this.#places.delete(this.#head++);
    }
    return this.#shared;
  }
}

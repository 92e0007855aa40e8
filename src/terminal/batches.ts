/** The most rows in one batch. */
const maxRows = 500;
/** Microtasks that a row already received may take to pass through a few generators. */
const maxTicks = 8;

/**
 * Groups rows that arrive together, so that a page costs one write, but never delays a row until the next one arrives.
 * Rows received before an error are yielded before it is thrown. When the consumer stops, so does the source.
 */
export async function* batches<T>(rows: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T[]> {
  const iterator = (Symbol.asyncIterator in rows ? rows : later(rows))[Symbol.asyncIterator]();
  let batch: T[] = [];
  let finished = false;
  let next: Watched<IteratorResult<T>> | undefined;
  try {
    while (!finished) {
      next = watch(iterator.next());
      if (batch.length >= maxRows || (batch.length > 0 && !(await arrives(next)))) {
        yield batch;
        batch = [];
      }
      const row = await next.promise.catch((error: unknown) => ({ error }));
      if (!("error" in row) && row.done !== true) {
        batch.push(row.value);
        continue;
      }
      finished = true;
      if (batch.length > 0) yield batch;
      if ("error" in row) throw row.error;
    }
  } finally {
    if (!finished) await stop(iterator, next?.settled ?? true);
  }
}

async function* later<T>(rows: Iterable<T>): AsyncGenerator<T> {
  yield* rows;
}

interface Watched<T> {
  readonly promise: Promise<T>;
  settled: boolean;
}

function watch<T>(promise: Promise<T>): Watched<T> {
  const watched = { promise, settled: false };
  const settle = () => {
    watched.settled = true;
  };
  promise.then(settle, settle);
  return watched;
}

async function arrives(next: Watched<unknown>): Promise<boolean> {
  for (let tick = 0; tick < maxTicks && !next.settled; tick += 1) await undefined;
  return next.settled;
}

/** A source in the middle of a request ends when the request does, which may be never: it is not waited for. */
async function stop(iterator: AsyncIterator<unknown>, idle: boolean): Promise<void> {
  const stopped = Promise.resolve(iterator.return?.()).catch(() => undefined);
  if (idle) await stopped;
}

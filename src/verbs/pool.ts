/** Runs `act` on items with bounded concurrency, and yields the results as they finish. */
export async function* asFinished<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  concurrency: number,
): AsyncGenerator<R> {
  // Not Promise.race: a slow item would accumulate a reaction for every item that ends before it.
  const ended: Promise<R>[] = [];
  let inFlight = 0;
  let wake: () => void = () => undefined;
  const start = (item: T) => {
    inFlight += 1;
    const own = act(item);
    const end = () => {
      ended.push(own);
      wake();
    };
    own.then(end, end);
  };
  const next = async (): Promise<R> => {
    if (ended.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    inFlight -= 1;
    return ended.shift() as Promise<R>;
  };
  for (const item of items) {
    start(item);
    if (inFlight >= concurrency) yield await next();
  }
  while (inFlight > 0) yield await next();
}

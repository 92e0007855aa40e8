/** Runs `act` on items with bounded concurrency, and yields the results as they finish. */
export async function* asFinished<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  concurrency: number,
): AsyncGenerator<R> {
  const underWay = new Map<number, Promise<{ turn: number; result: R }>>();
  let turn = 0;
  for (const item of items) {
    const own = turn++;
    underWay.set(
      own,
      act(item).then((result) => ({ turn: own, result })),
    );
    if (underWay.size >= concurrency) yield await first(underWay);
  }
  while (underWay.size > 0) yield await first(underWay);
}

async function first<R>(underWay: Map<number, Promise<{ turn: number; result: R }>>): Promise<R> {
  const { turn, result } = await Promise.race(underWay.values());
  underWay.delete(turn);
  return result;
}

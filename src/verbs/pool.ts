/** Runs `act` on items with bounded concurrency, and yields the results as they finish. */
export async function* asFinished<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  concurrency: number,
): AsyncGenerator<R> {
  // No Map: one whose members come and go for each of many items leaves outgrown tables behind, with members of old.
  const underWay: Promise<Finished<R>>[] = [];
  for (const item of items) {
    const own: Promise<Finished<R>> = act(item).then((result) => ({ own, result }));
    underWay.push(own);
    if (underWay.length >= concurrency) yield await first(underWay);
  }
  while (underWay.length > 0) yield await first(underWay);
}

interface Finished<R> {
  own: Promise<Finished<R>>;
  result: R;
}

async function first<R>(underWay: Promise<Finished<R>>[]): Promise<R> {
  const { own, result } = await Promise.race(underWay);
  underWay.splice(underWay.indexOf(own), 1);
  return result;
}

import { expect, test } from "vitest";
import { Prefetch, type ReceivedPage } from "../../../src/api/prefetch.ts";

/** Pages that arrive when the test lets them. */
function source() {
  const inFlight = new Map<
    number,
    { arrive(page: Partial<ReceivedPage<number>>): Promise<void>; fail(error: Error): void }
  >();
  const asked: number[] = [];
  const ask = (number: number) => {
    asked.push(number);
    return new Promise<ReceivedPage<number>>((resolve, reject) => {
      inFlight.set(number, {
        async arrive(page) {
          const next = { page: number + 1 };
          const open = () => [number];
          resolve({ next, total: undefined, totalPages: undefined, bytes: 100, empty: false, open, ...page });
          await new Promise((done) => setImmediate(done));
        },
        fail: reject,
      });
    });
  };
  const page = (number: number) => inFlight.get(number) as NonNullable<ReturnType<typeof inFlight.get>>;
  return { ask, asked, page };
}

const from2 = (concurrency: number) => ({ from: 2, to: Infinity, concurrency });

test("the next page is requested when one has arrived, even if the first is slow and nothing is read", async () => {
  const { ask, asked, page } = source();
  const pages = new Prefetch(ask, from2(2));
  expect(asked).toEqual([2, 3]);
  await page(3).arrive({});
  expect(asked).toEqual([2, 3, 4]);
  await page(4).arrive({});
  await page(2).arrive({});
  const given = [await pages.take(), await pages.take(), await pages.take()];
  expect(given.flatMap((each) => each?.open())).toEqual([2, 3, 4]);
});

test("buffered pages are limited in number", async () => {
  const { ask, asked, page } = source();
  const pages = new Prefetch(ask, from2(3));
  for (let number = 2; number <= 7; number++) await page(number).arrive({});
  expect(asked).toEqual([2, 3, 4, 5, 6, 7]);
  await pages.take();
  expect(asked).toEqual([2, 3, 4, 5, 6, 7, 8]);
});

test("buffered pages are limited in bytes, and the page to read next is always requested", async () => {
  const { ask, asked, page } = source();
  const huge = { bytes: 3 * 1024 * 1024 };
  const pages = new Prefetch(ask, from2(2));
  await page(2).arrive(huge);
  await page(3).arrive(huge);
  expect(asked).toEqual([2, 3]);
  await pages.take();
  await pages.take();
  expect(asked).toEqual([2, 3, 4]);
});

test.each([
  ["says so", { next: "end" as const }],
  ["is empty", { empty: true, totalPages: 3 }],
])("nothing is requested after the last page: it %s", async (_how, end) => {
  const { ask, asked, page } = source();
  const pages = new Prefetch(ask, from2(2));
  await page(3).arrive(end);
  await page(2).arrive({});
  expect(asked).toEqual([2, 3]);
  expect([await pages.take(), await pages.take(), await pages.take()].at(-1)).toBeUndefined();
});

test("a failed page is reported in its turn, and no other is requested", async () => {
  const { ask, asked, page } = source();
  const pages = new Prefetch(ask, from2(2));
  page(3).fail(new Error("broken"));
  await page(2).arrive({});
  expect((await pages.take())?.open()).toEqual([2]);
  await expect(pages.take()).rejects.toThrow("broken");
  expect(asked).toEqual([2, 3]);
});

test("a reader that stops ends the requests", async () => {
  const { ask, asked, page } = source();
  const pages = new Prefetch(ask, from2(1));
  pages.stop();
  await page(2).arrive({});
  expect(asked).toEqual([2]);
});

test("4 MiB are buffered, with room for the pages in flight, each as large as the largest", async () => {
  const { ask, asked, page } = source();
  const pages = new Prefetch(ask, from2(3));
  const large = { bytes: 1024 * 1024 };
  await page(2).arrive(large);
  expect(asked).toEqual([2, 3, 4, 5]);
  await page(3).arrive(large);
  await page(4).arrive(large);
  expect(asked).toEqual([2, 3, 4, 5]);
  await pages.take();
  expect(asked).toEqual([2, 3, 4, 5, 6]);
});

test("a page larger than that is requested once nothing else is buffered", async () => {
  const { ask, asked, page } = source();
  const pages = new Prefetch(ask, from2(1));
  await page(2).arrive({ bytes: 5 * 1024 * 1024 });
  expect(asked).toEqual([2]);
  await pages.take();
  expect(asked).toEqual([2, 3]);
});

test("the event loop gets a turn before a page is parsed", async () => {
  const { ask, page } = source();
  const pages = new Prefetch(ask, from2(1));
  await page(2).arrive({});
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  await pages.take();
  expect(turned).toBe(true);
});

test("one page more than planned is requested only when it is asked for", async () => {
  const { ask, asked, page } = source();
  const pages = new Prefetch(ask, { from: 2, to: 2, concurrency: 3 });
  await page(2).arrive({});
  await pages.take();
  expect(await pages.take()).toBeUndefined();
  expect(asked).toEqual([2]);
  pages.more();
  expect(asked).toEqual([2, 3]);
});

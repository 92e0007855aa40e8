import { expect, test } from "vitest";
import { Slots } from "../../../src/state/live/slots.ts";

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await undefined;
}

test("as many calls as there are slots are in flight; the others begin in their order, also after a failure", async () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const calls = [0, 1, 2, 3, 4].map((call) =>
    slots.run(() => {
      begun.push(call);
      return new Promise<number>((resolve, reject) => {
        ends[call] = (error) => (error === undefined ? resolve(call) : reject(error));
      });
    }),
  );
  const outcomes = Promise.allSettled(calls);
  await turns();
  expect(begun).toEqual([0, 1]);
  ends[1]?.(new Error("broken"));
  await turns();
  expect(begun).toEqual([0, 1, 2]);
  ends[2]?.();
  ends[0]?.();
  await turns();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  ends[3]?.();
  ends[4]?.();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    ...["fulfilled", "fulfilled", "fulfilled"],
  ]);

  // All slots are free again, and no more than there were.
  const again: number[] = [];
  for (const call of [5, 6, 7]) {
    void slots.run(() => {
      again.push(call);
      return new Promise(() => undefined);
    });
  }
  await turns();
  expect(again).toEqual([5, 6]);
});

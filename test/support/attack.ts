import { appendFileSync } from "node:fs";
import { expect } from "vitest";
import { chanceOf } from "./chance.ts";

/** The trials of a file under `npm run attack`, which gives them a time and wants to know what was tried. */
export interface Attack {
  /**
   * The cells of the next subject: all of them, or under a budget as many as its share of the time allows, at least
   * one, in an order of the seed.
   */
  cells<T>(all: readonly T[]): Generator<T>;
}

/** @param subjects calls of `cells` that follow; each gets an equal share of the time that is left */
export function attack(subjects: number): Attack {
  const { FORGECTL_ATTACK_SECONDS: seconds, FORGECTL_TEST_SEED: seed } = process.env;
  const random = chanceOf(Number(seed ?? 1));
  const counts = { tried: 0, all: 0 };
  let end: number | undefined;
  let left = subjects;
  const id = reporters++;
  return {
    *cells(all) {
      counts.all += all.length;
      end ??= seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(seconds) * 1000;
      const until = Date.now() + Math.max(0, end - Date.now()) / Math.max(1, left--);
      for (const [index, cell] of (seconds === undefined ? all : shuffled(all, random)).entries()) {
        if (index > 0 && Date.now() > until) return;
        counts.tried += 1;
        report({ id, ...counts });
        yield cell;
      }
    },
  };
}

let reporters = 0;

/** Appends the counts so far, since the file may be stopped at any time: the last ones of an `id` count. */
function report(counts: { readonly id: number; readonly tried: number; readonly all: number }): void {
  const { FORGECTL_ATTACK_REPORT: rows } = process.env;
  if (rows !== undefined) appendFileSync(rows, `${JSON.stringify({ file: expect.getState().testPath, ...counts })}\n`);
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

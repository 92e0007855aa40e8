/** Seeded pseudo-random generator: the same in every run. */
export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with a probability of `chance` percent. */
  percent(chance: number): boolean;
  /** Lower-case hexadecimal digits. */
  hex(length: number): string;
}

const DIGITS = "0123456789abcdef";

/** The mulberry32 generator: small, and good enough for demo data. */
export function createRandom(seed: number): Random {
  let state = seed;
  /** 32 bits, without a sign. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => Math.floor((next() / 4_294_967_296) * limit);
  return {
    below,
    pick: (list) => {
      if (list.length === 0) throw new RangeError("nothing to pick from");
      return list[below(list.length)] as (typeof list)[number];
    },
    percent: (chance) => below(100) < chance,
    hex: (length) => {
      let digits = "";
      for (let n = 0; n < length; n += 1) digits += DIGITS[next() >>> 28];
      return digits;
    },
  };
}

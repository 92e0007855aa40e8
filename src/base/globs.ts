import { globOf } from "./glob.ts";

interface Entry<T> {
  readonly fits: (text: string) => boolean;
  readonly value: T;
  readonly place: number;
}

/** Many globs (see `globOf`), each with a value. A text is compared with those that begin as it does. */
export class Globs<T> {
  readonly #beginnings = new Map<string, Entry<T>[]>();
  /** The lengths of these beginnings, the shortest first. */
  readonly #lengths: readonly number[];

  constructor(globs: Iterable<readonly [glob: string, value: T]>) {
    let place = 0;
    for (const [glob, value] of globs) {
      const [beginning = ""] = glob.split(/[*?]/, 1);
      const entry = { fits: testOf(glob, beginning), value, place: place++ };
      const held = this.#beginnings.get(beginning);
      if (held === undefined) this.#beginnings.set(beginning, [entry]);
      else held.push(entry);
    }
    const lengths = new Set([...this.#beginnings.keys()].map(({ length }) => length));
    this.#lengths = [...lengths].sort((a, b) => a - b);
  }

  /** The values of the globs that match a text, in the order in which they were given. */
  matching(text: string): T[] {
    const found = [...this.#fitting(text)];
    return found.sort((a, b) => a.place - b.place).map(({ value }) => value);
  }

  /** Whether one matches. */
  fits(text: string): boolean {
    return this.#fitting(text).next().done !== true;
  }

  *#fitting(text: string): Generator<Entry<T>> {
    for (const length of this.#lengths) {
      if (length > text.length) return;
      for (const entry of this.#beginnings.get(text.slice(0, length)) ?? []) if (entry.fits(text)) yield entry;
    }
  }
}

/** A test whether a text matches one of the globs. */
export function fitsAny(globs: Iterable<string>): (text: string) => boolean {
  const all = new Globs(Array.from(globs, (glob) => [glob, undefined]));
  return (text) => all.fits(text);
}

function testOf(glob: string, beginning: string): (text: string) => boolean {
  if (glob === "**") return () => true;
  return glob === beginning ? (text) => text === glob : globOf(glob);
}

import { globOf } from "./glob.ts";
import { groupDigits } from "./wording.ts";

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
      const beginning = beginningOf(glob);
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

/** The most characters of globs that one text may be compared with: with more, long lists of texts take minutes. */
export const maxAlike = 20_000;

/**
 * Why globs that others have written are too many or too long to be compared with any number of texts, in words;
 * undefined if they are not. What begins otherwise, or names one text, costs nothing.
 */
export function tooManyAlike(globs: Iterable<string>): string | undefined {
  if (crowdedBeginning(globs) === undefined) return undefined;
  return `more than ${groupDigits(maxAlike)} characters of patterns with a star begin alike`;
}

/** What one of too many globs begins with, up to its first wildcard; undefined if they are not too many. */
export function crowdedBeginning(globs: Iterable<string>): string | undefined {
  const lengths = new Map<string, number>();
  for (const glob of new Set(globs)) {
    const beginning = beginningOf(glob);
    if (glob !== beginning && glob !== "**") lengths.set(beginning, (lengths.get(beginning) ?? 0) + glob.length);
  }
  // In this order, each follows the beginnings that it begins with itself: these are open, with the sum up to each.
  const open: { readonly beginning: string; readonly sum: number }[] = [];
  for (const beginning of [...lengths.keys()].sort()) {
    while (!beginning.startsWith(open.at(-1)?.beginning ?? "")) open.pop();
    const sum = (open.at(-1)?.sum ?? 0) + (lengths.get(beginning) ?? 0);
    if (sum > maxAlike) return beginning;
    open.push({ beginning, sum });
  }
  return undefined;
}

/** What a glob has before its first wildcard. */
function beginningOf(glob: string): string {
  const at = glob.search(/[*?]/);
  return at === -1 ? glob : glob.slice(0, at);
}

function testOf(glob: string, beginning: string): (text: string) => boolean {
  if (glob === "**") return () => true;
  return glob === beginning ? (text) => text === glob : globOf(glob);
}

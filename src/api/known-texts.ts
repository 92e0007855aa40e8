/** By how many of its first characters a text is looked up. */
const startLength = 4;

/**
 * A set of texts, and where they occur in others. Thousands may be known, such as the secrets of a batch: what a search
 * costs depends on the text that is searched, not on their number.
 */
export class KnownTexts {
  /** By their first characters, then by their length. */
  readonly #byStart = new Map<string, Map<number, Set<string>>>();
  /** The first two characters of each, as one number: most places of a text need no other look. */
  readonly #starts = new Set<number>();

  /** @param text at least four characters; shorter ones are never found */
  add(text: string): void {
    if (text.length < startLength) return;
    const start = text.slice(0, startLength);
    const byLength = this.#byStart.get(start) ?? new Map<number, Set<string>>();
    this.#byStart.set(start, byLength);
    byLength.set(text.length, (byLength.get(text.length) ?? new Set()).add(text));
    this.#starts.add(pairAt(text, 0));
  }

  /** From and to of every occurrence in a text, by where they begin; they may overlap. */
  placesIn(text: string): [number, number][] {
    const places: [number, number][] = [];
    if (this.#starts.size === 0) return places;
    for (let at = 0; at + startLength <= text.length; at++) {
      if (!this.#starts.has(pairAt(text, at))) continue;
      const byLength = this.#byStart.get(text.slice(at, at + startLength));
      if (byLength === undefined) continue;
      for (const [length, texts] of byLength) {
        if (at + length <= text.length && texts.has(text.slice(at, at + length))) places.push([at, at + length]);
      }
    }
    return places;
  }
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

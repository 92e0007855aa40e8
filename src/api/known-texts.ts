/** By how many characters at a time texts are sorted apart. */
const stepLength = 4;

/** As many that begin alike are compared one by one. */
const maxAlike = 16;

/** The texts with one beginning: few, or sorted by the characters that follow it. */
interface Branch {
  texts: string[];
  next?: Map<string, Branch>;
}

/**
 * A set of texts, and where they occur in others. Thousands may be known, such as the secrets of a batch, and one may
 * be long, such as a key: what a search costs depends on the text that is searched, and hardly on them.
 */
export class KnownTexts {
  readonly #all = new Set<string>();
  readonly #root: Branch = { texts: [], next: new Map() };
  /** The first two characters of each, as one number: most places of a text need no other look. */
  readonly #starts = new Set<number>();

  /** @param text at least four characters; shorter ones are never found */
  add(text: string): void {
    if (text.length < stepLength || this.#all.has(text)) return;
    this.#all.add(text);
    this.#starts.add(pairAt(text, 0));
    insert(this.#root, text, 0);
  }

  /** From and to of every occurrence in a text, by where they begin; they may overlap. */
  placesIn(text: string): [number, number][] {
    const places: [number, number][] = [];
    for (let at = 0; at + stepLength <= text.length; at++) {
      if (!this.#starts.has(pairAt(text, at))) continue;
      let branch: Branch | undefined = this.#root;
      for (let from = at; branch !== undefined; from += stepLength) {
        for (const each of branch.texts) if (text.startsWith(each, at)) places.push([at, at + each.length]);
        branch = branch.next?.get(text.slice(from, from + stepLength));
      }
    }
    return places;
  }
}

/** @param length of the beginning that the texts of the branch share */
function insert(branch: Branch, text: string, length: number): void {
  const part = text.slice(length, length + stepLength);
  if (branch.next === undefined || part.length < stepLength) {
    branch.texts.push(text);
    if (branch.next === undefined && branch.texts.length > maxAlike) split(branch, length);
    return;
  }
  const next = branch.next.get(part) ?? { texts: [] };
  branch.next.set(part, next);
  insert(next, text, length + stepLength);
}

function split(branch: Branch, length: number): void {
  const { texts } = branch;
  branch.texts = [];
  branch.next = new Map();
  for (const text of texts) insert(branch, text, length);
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

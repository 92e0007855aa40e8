import {
  boolCoreTag,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  SCALAR_STYLE,
} from "js-yaml";
import { halfCharacter } from "../../base/unicode.ts";
import { dumpYaml } from "../../terminal/yaml-dump.ts";
import { commentError, holdsComment, isJson } from "./json-comment.ts";
import { LateMapping, LateSequence } from "./late-tree.ts";
import { type Mapping, type Scalar, type Tree, TreeError } from "./tree.ts";
import { linesIn, readEvents, refuseTooMany, startOf } from "./yaml-events.ts";

// Loaded late, with `import()`; named imports of the parser keep the rest of it out of the bundle.

/** Formats a value as YAML for state files: double quotes, no anchors, and lines of long texts folded. */
export function toStateYaml(value: object): string {
  return dumpYaml(value, { lineWidth: 100, quoteStyle: "double" });
}

/** Keys that are no names, each with a hint. A merge key is of YAML 1.1: without it, its values would be missing. */
const refusedKeys: ReadonlyMap<string, readonly [hint?: string]> = new Map([
  ["__proto__", []],
  ["<<", ["merge keys are not supported: write the values, or an alias of each"]],
]);

/** Maximum characters that aliases add: a long text, and many aliases of it, can exceed any memory too. */
const maxRepeated = 16 * 1024 * 1024;

/** See `parseTree`. */
export function compose(text: string): Tree {
  const lineAt = linesIn(text);
  return new Document(text, readEvents(text), lineAt).tree();
}

/**
 * A document as a tree over the parser's flat events. It is first checked as a whole; then each collection is read on
 * demand, so that a large file never exists as objects.
 */
class Document {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #lineAt: (offset: number) => number;
  readonly #isJson: boolean;
  /** For each node, the index after its last event. */
  readonly #ends: number[];
  /** For each alias, the index of the node that it names. */
  readonly #named = new Map<number, number>();
  readonly #anchors = new Map<string, { index: number; size: number; length: number }>();
  #nodes = 0;
  /** Characters, with those that aliases add. */
  #length = 0;
  #repeated = 0;

  constructor(text: string, events: readonly Event[], lineAt: (offset: number) => number) {
    this.#text = text;
    this.#events = events;
    this.#lineAt = lineAt;
    this.#isJson = isJson(text);
    this.#ends = new Array<number>(events.length);
  }

  /** @throws TreeError if any part of it is not allowed */
  tree(): Tree {
    // The event of the document is the first, its end the last.
    const end = this.#check(1);
    if (end + 1 < this.#events.length) this.#refuseSecond();
    return this.#node(1, 1);
  }

  #refuseSecond(): never {
    const marker = /\n(?:---|\.\.\.)/g;
    // The first document may have a marker before it too.
    marker.lastIndex = Math.max(0, startOf(this.#event(1)));
    const line = this.#lineAt((marker.exec(this.#text)?.index ?? 0) + 1);
    const documents = this.#events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length;
    throw new TreeError(line, `has ${documents} documents; one is allowed`, "write each to its own file");
  }

  #entries(index: number, line: number): Mapping["entries"] {
    const entries = new Map<string, { line: number; value: Tree }>();
    for (let at = index + 1; at < this.#lastOf(index); at = this.#after(at)) {
      const key = this.#node(at, line) as Scalar;
      const name = this.#keyText(at, key);
      at = this.#after(at);
      entries.set(name, { line: key.line, value: this.#node(at, key.line) });
    }
    return entries;
  }

  #items(index: number, line: number): Tree[] {
    const items: Tree[] = [];
    for (let at = index + 1; at < this.#lastOf(index); at = this.#after(at)) {
      items.push(this.#node(at, items.at(-1)?.line ?? line));
    }
    return items;
  }

  /** @param line the line of an omitted value, which has no position */
  #node(index: number, line: number): Tree {
    const event = this.#event(index);
    if (event.type === EVENT_ID.ALIAS) return this.#node(this.#named.get(index) as number, line);
    if (event.type === EVENT_ID.SCALAR) return this.#scalar(event, line);
    const own = this.#lineAt(startOf(event));
    return event.type === EVENT_ID.SEQUENCE
      ? new LateSequence(own, () => this.#items(index, own))
      : new LateMapping(own, () => this.#entries(index, own));
  }

  #scalar(event: Extract<Event, { type: 4 }>, otherwise: number): Scalar {
    const line = event.valueStart < 0 ? otherwise : this.#lineAt(event.valueStart);
    const text = getScalarValue(this.#text, event);
    if (event.style !== SCALAR_STYLE.PLAIN) return { kind: "scalar", line, value: text };
    for (const tag of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
      const value = tag.resolve(text, false, tag.tagName);
      // JSON has no infinity, so that no request could contain it: it is a text.
      if (value === NOT_RESOLVED || (typeof value === "number" && !Number.isFinite(value))) continue;
      return { kind: "scalar", line, value: value as Scalar["value"] };
    }
    return { kind: "scalar", line, value: text };
  }

  /** Checks a node and everything in it; returns the index after it. */
  #check(index: number): number {
    const event = this.#event(index);
    if (event.type === EVENT_ID.ALIAS) return this.#checkAlias(index, event);
    const nodes = this.#nodes;
    const length = this.#length;
    this.#count(1, startOf(event));
    if (event.type === EVENT_ID.SCALAR) {
      this.#checkText(event);
      this.#refuseComment(event);
    }
    this.#refuseTag(event);
    let after = index + 1;
    if (event.type === EVENT_ID.SEQUENCE) while (!this.#isEnd(after)) after = this.#check(after);
    if (event.type === EVENT_ID.MAPPING) after = this.#checkEntries(after);
    if (event.type !== EVENT_ID.SCALAR) after += 1;
    this.#ends[index] = after;
    const anchor = "anchorStart" in event ? this.#word(event) : undefined;
    if (anchor !== undefined) {
      this.#anchors.set(anchor, { index, size: this.#nodes - nodes, length: this.#length - length });
    }
    return after;
  }

  #checkText(event: Extract<Event, { type: 4 }>): void {
    this.#length += event.valueEnd - event.valueStart;
    // A file is decoded as UTF-8: only an escape can make half a character.
    if (event.style !== SCALAR_STYLE.DOUBLE_QUOTED || getScalarValue(this.#text, event).isWellFormed()) return;
    throw new TreeError(this.#lineAt(event.valueStart), `has a text that ${halfCharacter}`);
  }

  #checkAlias(index: number, event: Extract<Event, { type: 5 }>): number {
    const named = this.#anchors.get(this.#word(event) ?? "");
    if (named === undefined)
      throw new TreeError(this.#lineAt(event.anchorStart), "has an alias whose anchor is not above it");
    this.#named.set(index, named.index);
    this.#ends[index] = index + 1;
    this.#count(named.size, event.anchorStart);
    this.#length += named.length;
    this.#repeated += named.length;
    if (this.#repeated > maxRepeated) {
      throw new TreeError(
        this.#lineAt(event.anchorStart),
        "repeats more than 16 MiB with aliases",
        "leave aliases out",
      );
    }
    return index + 1;
  }

  #checkEntries(first: number): number {
    const seen = new Map<string, number>();
    let at = first;
    while (!this.#isEnd(at)) {
      const index = at;
      const value = this.#check(at);
      const key = this.#node(at, 1);
      if (key.kind !== "scalar") throw new TreeError(key.line, "has a key that is not a string");
      const name = this.#keyText(index, key);
      const advice = refusedKeys.get(name);
      if (advice !== undefined) throw new TreeError(key.line, `has the key "${name}", which is not allowed`, ...advice);
      const line = seen.get(name);
      if (line !== undefined) throw new TreeError(key.line, `has the key "${name}" twice, first on line ${line}`);
      seen.set(name, key.line);
      at = this.#check(value);
    }
    return at;
  }

  /**
   * A key is the text that was written, there or at the anchor: 2024.10, 1e3, and True are names, and not 2024.1, 1000,
   * and true.
   */
  #keyText(index: number, { value }: Scalar): string {
    const event = this.#event(this.#named.get(index) ?? index);
    return event.type === EVENT_ID.SCALAR && value !== null ? getScalarValue(this.#text, event) : String(value);
  }

  #event(index: number): Event {
    return this.#events[index] as Event;
  }

  #isEnd(index: number): boolean {
    return this.#event(index).type === EVENT_ID.POP;
  }

  /** The index of the event that ends a collection. */
  #lastOf(index: number): number {
    return this.#after(index) - 1;
  }

  #after(index: number): number {
    return this.#ends[index] as number;
  }

  #refuseTag(event: Event): void {
    if (!("tagStart" in event) || event.tagStart < 0) return;
    const { tagStart, tagEnd } = event;
    const tag = this.#text.slice(tagStart, tagEnd);
    const hint = /vault|secret|env|file|encrypt|sops|password/i.test(tag)
      ? "a secret is written { env: NAME } or { file: path }"
      : "leave it out; a value in quotes is a text";
    throw new TreeError(this.#lineAt(tagStart), `has the tag ${tag}, which is not allowed`, hint);
  }

  #refuseComment({ style, valueStart, valueEnd }: Extract<Event, { type: 4 }>): void {
    if (!this.#isJson || style !== SCALAR_STYLE.PLAIN || valueStart < 0) return;
    if (holdsComment(this.#text.slice(valueStart, valueEnd))) throw commentError(this.#lineAt(valueStart));
  }

  #word({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string | undefined {
    return anchorStart < 0 ? undefined : this.#text.slice(anchorStart, anchorEnd);
  }

  /** Counts aliases as what they name: a few lines of them can expand beyond any memory. */
  #count(nodes: number, offset: number): void {
    this.#nodes += nodes;
    refuseTooMany(this.#nodes, () => this.#lineAt(offset));
  }
}

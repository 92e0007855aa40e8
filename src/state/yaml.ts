import {
  boolCoreTag,
  dump,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";
import { type Mapping, type Scalar, type Sequence, type Tree, TreeError } from "./tree.ts";

// Loaded late, with `import()`; named imports of the parser keep the rest of it out of the bundle.

/** Formats a value as YAML for state files: double quotes, no anchors, no folded lines. */
export function toYaml(value: object): string {
  return dump(value, { lineWidth: 100, noRefs: true, quoteStyle: "double" });
}

/** Maximum nodes after expanding aliases: a few lines of aliases can expand beyond any memory. */
const mostNodes = 2_000_000;

/** See `parseTree`. */
export function compose(text: string): Tree {
  const lineAt = lines(text);
  return new Composer(text, lineAt).document(readEvents(text, lineAt));
}

/** Returns the line of an offset. Offsets are mostly ascending, so the search starts at the last result. */
function lines(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** Builds a tree from the parser's flat events. */
class Composer {
  readonly #text: string;
  readonly #lineAt: (offset: number) => number;
  readonly #anchors = new Map<string, { tree: Tree; size: number }>();
  #nodes = 0;

  constructor(text: string, lineAt: (offset: number) => number) {
    this.#text = text;
    this.#lineAt = lineAt;
  }

  document(events: readonly Event[]): Tree {
    const cursor = { at: 1 };
    const tree = this.#node(events, cursor);
    if (tree === undefined) throw new TreeError(1, "is empty", "leave the file out, or write a section");
    return tree;
  }

  #node(events: readonly Event[], cursor: { at: number }): Tree | undefined {
    const event = events[cursor.at++];
    if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return undefined;
    const before = this.#nodes;
    if (event.type === EVENT_ID.ALIAS) return this.#alias(event);
    this.#count(1, event);
    this.#refuseTag(event);
    const tree =
      event.type === EVENT_ID.SCALAR
        ? this.#scalar(event)
        : event.type === EVENT_ID.SEQUENCE
          ? this.#sequence(events, cursor, this.#lineAt(event.start))
          : this.#mapping(events, cursor, this.#lineAt((event as { start: number }).start));
    const anchor = this.#word(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined) this.#anchors.set(anchor, { tree, size: this.#nodes - before });
    return tree;
  }

  #alias(event: { anchorStart: number; anchorEnd: number }): Tree {
    const named = this.#anchors.get(this.#word(event.anchorStart, event.anchorEnd) ?? "");
    if (named === undefined)
      throw new TreeError(this.#lineAt(event.anchorStart), "an alias names an anchor that is not above it");
    this.#nodes += named.size;
    if (this.#nodes > mostNodes) this.#tooMany(event.anchorStart);
    return named.tree;
  }

  #sequence(events: readonly Event[], cursor: { at: number }, line: number): Sequence {
    const items: Tree[] = [];
    for (let item = this.#node(events, cursor); item !== undefined; item = this.#node(events, cursor)) items.push(item);
    return { kind: "sequence", line, items };
  }

  #mapping(events: readonly Event[], cursor: { at: number }, line: number): Mapping {
    const entries = new Map<string, { line: number; value: Tree }>();
    for (let key = this.#node(events, cursor); key !== undefined; key = this.#node(events, cursor)) {
      const name = key.kind === "scalar" ? String(key.value) : undefined;
      if (name === undefined) throw new TreeError(key.line, "a key must be a string");
      if (name === "__proto__") throw new TreeError(key.line, 'the key "__proto__" is not allowed');
      const value = this.#node(events, cursor);
      if (value === undefined) throw new TreeError(key.line, `the key "${name}" has no value`);
      const first = entries.get(name);
      if (first !== undefined) throw new TreeError(key.line, `the key "${name}" is already on line ${first.line}`);
      entries.set(name, { line: key.line, value });
    }
    return { kind: "mapping", line, entries };
  }

  #scalar(event: Extract<Event, { type: 4 }>): Scalar {
    const line = this.#lineAt(event.valueStart);
    const text = getScalarValue(this.#text, event);
    if (event.style !== SCALAR_STYLE.PLAIN) return { kind: "scalar", line, value: text };
    for (const tag of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
      const value = tag.resolve(text, false, tag.tagName);
      if (value !== NOT_RESOLVED) return { kind: "scalar", line, value: value as Scalar["value"] };
    }
    return { kind: "scalar", line, value: text };
  }

  #refuseTag(event: { tagStart?: number; tagEnd?: number }): void {
    const { tagStart = -1, tagEnd = -1 } = event;
    if (tagStart < 0) return;
    const tag = this.#text.slice(tagStart, tagEnd);
    throw new TreeError(this.#lineAt(tagStart), `the tag ${tag} is not allowed`, "a secret is written { env: NAME }");
  }

  #word(start: number, end: number): string | undefined {
    return start < 0 ? undefined : this.#text.slice(start, end);
  }

  #count(nodes: number, event: { start?: number; valueStart?: number }): void {
    this.#nodes += nodes;
    if (this.#nodes > mostNodes) this.#tooMany(event.start ?? event.valueStart ?? 0);
  }

  #tooMany(offset: number): never {
    const most = mostNodes.toLocaleString("en-US");
    throw new TreeError(this.#lineAt(offset), `has more than ${most} values`, "split it into several files");
  }
}

/** The parser's events for a text with exactly one document; invalid YAML is a TreeError. */
function readEvents(text: string, lineAt: (offset: number) => number): Event[] {
  const events = parsed(text);
  const documents = events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length;
  if (documents > 1) {
    const second = /\n(?:---|\.\.\.)/.exec(text.replace(/^---/, ""));
    const line = lineAt((second?.index ?? 0) + 2);
    throw new TreeError(line, `has ${documents} documents; one is allowed`, "write each to a file of its own");
  }
  if (documents === 0) throw new TreeError(1, "is empty", "leave the file out, or write a section");
  return events;
}

function parsed(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth: 60 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error as YAMLException;
    const hint = /tab/.test(reason) ? "indent with spaces" : undefined;
    throw new TreeError((mark?.line ?? 0) + 1, `is not YAML: ${reason}`, hint);
  }
}

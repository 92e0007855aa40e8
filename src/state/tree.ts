import { type Event, readEvents, TreeError, type YamlModule } from "./yaml.ts";

/** A value of a file with the line that it stands on. Aliases lead to the node that they name. */
export type Tree = Mapping | Sequence | Scalar;

export interface Mapping {
  readonly kind: "mapping";
  readonly line: number;
  readonly entries: Map<string, { readonly line: number; readonly value: Tree }>;
}

export interface Sequence {
  readonly kind: "sequence";
  readonly line: number;
  readonly items: Tree[];
}

interface Scalar {
  readonly kind: "scalar";
  readonly line: number;
  readonly value: string | number | boolean | null;
}

/** Nodes after aliases have been followed: a few lines of aliases can stand for more than fits any memory. */
const mostNodes = 2_000_000;

/**
 * Reads one YAML 1.2 document (JSON is YAML). Duplicate keys, tags, several documents, and keys that are no text are
 * errors.
 *
 * @throws TreeError
 */
export async function parseTree(text: string): Promise<Tree> {
  const yaml = await import("js-yaml");
  const lineAt = lines(text);
  return new Composer(yaml, text, lineAt).document(readEvents(yaml, text, lineAt));
}

/** Gives the line of an offset. Offsets come in ascending order mostly, so the last answer is a good start. */
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

/** Makes the parser's flat events into a tree. */
class Composer {
  readonly #yaml: YamlModule;
  readonly #text: string;
  readonly #lineAt: (offset: number) => number;
  readonly #anchors = new Map<string, { tree: Tree; size: number }>();
  #nodes = 0;

  constructor(yaml: YamlModule, text: string, lineAt: (offset: number) => number) {
    this.#yaml = yaml;
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
    const { EVENT_ID: id } = this.#yaml;
    if (event === undefined || event.type === id.POP || event.type === id.DOCUMENT) return undefined;
    const before = this.#nodes;
    if (event.type === id.ALIAS) return this.#alias(event);
    this.#count(1, event);
    this.#refuseTag(event);
    const tree =
      event.type === id.SCALAR
        ? this.#scalar(event)
        : event.type === id.SEQUENCE
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
      if (name === undefined) throw new TreeError(key.line, "a key must be a text");
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
    const { SCALAR_STYLE, getScalarValue, NOT_RESOLVED, nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag } =
      this.#yaml;
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

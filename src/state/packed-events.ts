import { type CHOMPING_MODE, type COLLECTION_STYLE, EVENT_ID, type Event, type SCALAR_STYLE } from "js-yaml";

/** A parser's events by index. */
export interface Events {
  readonly length: number;
  at(index: number): Event | undefined;
}

/** Numbers per event: its type and style in one, the offsets of its text, and the index of its anchor and tag. */
const width = 4;
/** Events per array: growing never copies existing ones. */
const chunkSize = 8192;
const none = -1;
const noProperties = { anchorStart: none, anchorEnd: none, tagStart: none, tagEnd: none };

type Properties = typeof noProperties;

/**
 * A parser's events as numbers in typed arrays; as objects they take eight times as much memory. It offers what the
 * parser uses of an array, and replaces one in the bundle (scripts/build.mjs). Of a document, only its existence is
 * stored.
 */
export class PackedEvents implements Events {
  readonly #chunks: Int32Array[] = [];
  /** Few events have an anchor or a tag. */
  readonly #properties: Properties[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The parser drops the last events if it must parse them differently. */
  set length(length: number) {
    this.#length = length;
  }

  push(event: Event): void {
    this.#write(this.#length++, event);
  }

  /** Inserts an event; the parser does so shortly before the end. */
  splice(index: number, _deleted: 0, event: Event): void {
    this.#length += 1;
    for (let at = this.#length - 1; at > index; at--) {
      const from = ((at - 1) % chunkSize) * width;
      this.#chunkOf(at).set(this.#chunkOf(at - 1).subarray(from, from + width), (at % chunkSize) * width);
    }
    this.#write(index, event);
  }

  /** A new object, with the fields of its type. */
  at(index: number): Event | undefined {
    if (index >= this.#length) return undefined;
    const chunk = this.#chunkOf(index);
    const offset = (index % chunkSize) * width;
    const word = chunk[offset] as number;
    const start = chunk[offset + 1] as number;
    const properties = this.#properties[chunk[offset + 3] as number] ?? noProperties;
    const { anchorStart, anchorEnd, tagStart, tagEnd } = properties;
    const type = word & 7;
    const style = (word >> 3) & 7;
    switch (type) {
      case EVENT_ID.SCALAR:
        return {
          type,
          valueStart: start,
          valueEnd: chunk[offset + 2] as number,
          anchorStart,
          anchorEnd,
          tagStart,
          tagEnd,
          style: style as (typeof SCALAR_STYLE)[keyof typeof SCALAR_STYLE],
          chomping: ((word >> 6) & 3) as (typeof CHOMPING_MODE)[keyof typeof CHOMPING_MODE],
          fast: ((word >> 8) & 1) === 1,
          indent: (word >> 9) - 1,
        };
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const shown = style as (typeof COLLECTION_STYLE)[keyof typeof COLLECTION_STYLE];
        return { type, start, anchorStart, anchorEnd, tagStart, tagEnd, style: shown };
      }
      case EVENT_ID.ALIAS:
        return { type, anchorStart, anchorEnd };
      case EVENT_ID.POP:
        return { type };
      default:
        return { type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] };
    }
  }

  #chunkOf(index: number): Int32Array {
    const at = Math.floor(index / chunkSize);
    this.#chunks[at] ??= new Int32Array(chunkSize * width);
    return this.#chunks[at] as Int32Array;
  }

  #write(index: number, event: Event): void {
    const chunk = this.#chunkOf(index);
    const offset = (index % chunkSize) * width;
    chunk[offset] = wordOf(event);
    chunk[offset + 1] = "valueStart" in event ? event.valueStart : "start" in event ? event.start : none;
    chunk[offset + 2] = "valueEnd" in event ? event.valueEnd : none;
    chunk[offset + 3] = this.#keepProperties(event);
  }

  #keepProperties(event: Event): number {
    if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return none;
    const { anchorStart, anchorEnd } = event;
    const [tagStart, tagEnd] = event.type === EVENT_ID.ALIAS ? [none, none] : [event.tagStart, event.tagEnd];
    if (anchorStart === none && tagStart === none) return none;
    return this.#properties.push({ anchorStart, anchorEnd, tagStart, tagEnd }) - 1;
  }
}

/**
 * Bits 0 to 2: the type; 3 to 5: the style. For a scalar, 6 and 7: the chomping; 8: whether it is fast; the rest: its
 * indent.
 */
function wordOf(event: Event): number {
  const { type } = event;
  if (type === EVENT_ID.SCALAR) {
    const { style, chomping, fast, indent } = event;
    return type | (style << 3) | (chomping << 6) | (Number(fast) << 8) | ((indent + 1) << 9);
  }
  return type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING ? type | (event.style << 3) : type;
}

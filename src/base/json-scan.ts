/** What is wrong with a text: it is not JSON, or JSON that would cost too much. */
export type JsonProblem = "not JSON" | "nested too deeply" | "too many values";

export interface JsonLimits {
  /** Levels of arrays and objects. */
  depth: number;
  /** Values in all, those in arrays and objects included. */
  values: number;
}

/** What a text may continue with. */
const value = 0;
const itemOrEnd = 1;
const nameOrEnd = 2;
const name = 3;
const colon = 4;
const next = 5;
const text = 6;
const escape = 7;
/** One of four digits after `\u`. */
const hex = 8;
/** The rest of `true`, `false`, or `null`. */
const word = 9;
/** In a number: after its sign, its first zero, in its digits, after its point, and so on. */
const sign = 10;
const zero = 11;
const digits = 12;
const point = 13;
const fraction = 14;
const exponent = 15;
const exponentSign = 16;
const power = 17;

const inArray = 1;
const inObject = 2;

const [quote, backslash, comma, colonSign] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const words: Readonly<Record<number, string>> = { 116: "true", 102: "false", 110: "null" };
const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrtu'));

/**
 * Checks JSON (RFC 8259, UTF-8) as it arrives, in any pieces, without building its values: a few bytes of text may
 * otherwise become a hundred times as much memory. Its own memory depends on the depth alone.
 */
export class JsonScan {
  readonly #limits: JsonLimits;
  readonly #open: Uint8Array;
  #depth = 0;
  #values = 0;
  #state = value;
  #isName = false;
  #word = "";
  /** Bytes left of a word, of a `\u`, or of a character of several bytes; the first of those must be in a range. */
  #left = 0;
  #low = 0x80;
  #high = 0xbf;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
    this.#open = new Uint8Array(limits.depth);
  }

  /** Reads the next bytes; after a problem, the scan is of no further use. */
  read(bytes: Uint8Array, from = 0, to = bytes.length): JsonProblem | undefined {
    for (let at = from; at < to; at++) {
      if (this.#state === text) {
        at = this.#skipText(bytes, at, to);
        if (at === to) return undefined;
      }
      const problem = this.#take(bytes[at] as number);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** At the end of the text; afterwards another one can be read. */
  end(): JsonProblem | undefined {
    const isWhole = this.#depth === 0 && (this.#state === next || isNumber(this.#state));
    this.#values = 0;
    this.#state = value;
    return isWhole ? undefined : "not JSON";
  }

  /** The index of the next byte of a text that is not an ordinary character of it. */
  #skipText(bytes: Uint8Array, from: number, to: number): number {
    if (this.#left > 0) return from;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      if (byte < 0x20 || byte > 0x7f || byte === quote || byte === backslash) return at;
    }
    return to;
  }

  #take(byte: number): JsonProblem | undefined {
    const state = this.#state;
    if (state === text) return this.#takeText(byte);
    if (state >= sign) return this.#takeNumber(byte);
    if (state === escape || state === hex || state === word) return this.#takeRest(byte);
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return undefined;
    if (state === next) return this.#takeNext(byte);
    if (state === colon) return this.#enter(byte === colonSign, value);
    if (state === name || state === nameOrEnd) {
      if (byte === closeObject && state === nameOrEnd) return this.#close(inObject);
      this.#isName = true;
      return this.#enter(byte === quote, text);
    }
    if (byte === closeList && state === itemOrEnd) return this.#close(inArray);
    return this.#takeValue(byte);
  }

  #enter(isRight: boolean, state: number): JsonProblem | undefined {
    this.#state = state;
    return isRight ? undefined : "not JSON";
  }

  #takeValue(byte: number): JsonProblem | undefined {
    this.#values += 1;
    if (this.#values > this.#limits.values) return "too many values";
    if (byte === quote) {
      this.#isName = false;
      return this.#enter(true, text);
    }
    if (byte === openList) return this.#begin(inArray, itemOrEnd);
    if (byte === openObject) return this.#begin(inObject, nameOrEnd);
    if (byte === 0x2d) return this.#enter(true, sign);
    if (isDigit(byte)) return this.#enter(true, byte === 0x30 ? zero : digits);
    this.#word = words[byte] ?? "";
    this.#left = this.#word.length - 1;
    return this.#enter(this.#word !== "", word);
  }

  #begin(kind: number, state: number): JsonProblem | undefined {
    if (this.#depth === this.#limits.depth) return "nested too deeply";
    this.#open[this.#depth++] = kind;
    return this.#enter(true, state);
  }

  #close(kind: number): JsonProblem | undefined {
    if (this.#depth === 0 || this.#open[this.#depth - 1] !== kind) return "not JSON";
    this.#depth -= 1;
    return this.#enter(true, next);
  }

  #takeNext(byte: number): JsonProblem | undefined {
    if (byte === closeList) return this.#close(inArray);
    if (byte === closeObject) return this.#close(inObject);
    const above = this.#depth === 0 ? 0 : this.#open[this.#depth - 1];
    return this.#enter(byte === comma && above !== 0, above === inObject ? name : value);
  }

  #takeNumber(byte: number): JsonProblem | undefined {
    const state = afterNumber(this.#state, byte);
    if (state !== undefined) return this.#enter(true, state);
    if (!isNumber(this.#state)) return "not JSON";
    this.#state = next;
    return this.#take(byte);
  }

  /** A byte of an escape or of a word. */
  #takeRest(byte: number): JsonProblem | undefined {
    if (this.#state === escape) {
      const isUnicode = byte === 0x75;
      if (isUnicode) this.#left = 4;
      return this.#enter(escapes.has(byte), isUnicode ? hex : text);
    }
    this.#left -= 1;
    if (this.#state === hex) return this.#enter(isHex(byte), this.#left === 0 ? text : hex);
    const expected = this.#word.charCodeAt(this.#word.length - this.#left - 1);
    return this.#enter(byte === expected, this.#left === 0 ? next : word);
  }

  /** A byte of a text that is not an ordinary ASCII character. */
  #takeText(byte: number): JsonProblem | undefined {
    if (this.#left > 0) {
      const isRight = byte >= this.#low && byte <= this.#high;
      [this.#low, this.#high] = [0x80, 0xbf];
      this.#left -= 1;
      return isRight ? undefined : "not JSON";
    }
    if (byte === quote) return this.#enter(true, this.#isName ? colon : next);
    if (byte === backslash) return this.#enter(true, escape);
    if (byte < 0xc2 || byte > 0xf4) return "not JSON";
    // RFC 3629: neither overlong forms, nor surrogates, nor characters above U+10FFFF.
    this.#left = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    if (byte === 0xe0) this.#low = 0xa0;
    if (byte === 0xed) this.#high = 0x9f;
    if (byte === 0xf0) this.#low = 0x90;
    if (byte === 0xf4) this.#high = 0x8f;
    return undefined;
  }
}

/** Whether a number may end there. */
function isNumber(state: number): boolean {
  return state === zero || state === digits || state === fraction || state === power;
}

/** Where a number is after a byte of it; undefined if the byte does not continue it. */
function afterNumber(state: number, byte: number): number | undefined {
  const isPower = byte === 0x65 || byte === 0x45;
  if (isDigit(byte)) {
    if (state === sign) return byte === 0x30 ? zero : digits;
    if (state === zero) return undefined;
    if (state === digits) return digits;
    return state === point || state === fraction ? fraction : power;
  }
  if (byte === 0x2e) return state === zero || state === digits ? point : undefined;
  if (isPower) return state === zero || state === digits || state === fraction ? exponent : undefined;
  return (byte === 0x2b || byte === 0x2d) && state === exponent ? exponentSign : undefined;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

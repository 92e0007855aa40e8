import { isAscii } from "node:buffer";
import { isDeeper, maxJsonDepth } from "../base/json-depth.ts";
import { type JsonLimits, type JsonProblem, JsonScan } from "../base/json-scan.ts";
import { parseJson } from "../base/parse-json.ts";

/** Values in one answer: the largest page of a list has some ten thousand. */
const limits: JsonLimits = { depth: maxJsonDepth, values: 1_000_000 };
/** Up to this many bytes, a text cannot become values that take much memory. */
const harmlessBytes = 1024 * 1024;

/** A text that may be JSON, but is not parsed. */
export class CostlyJson extends SyntaxError {
  constructor(problem: Exclude<JsonProblem, "not JSON">) {
    super(problem === "too many values" ? "it has too many values" : "it is nested too deeply");
  }
}

/**
 * Parses the JSON of an answer, as UTF-8. Throws if it is not valid, has more values than any answer, or is nested so
 * deeply that recursion would fail.
 *
 * A long one is scanned before it is built: 60 MB of `[` and `]` would take gigabytes.
 */
export function parseAnswer(bytes: Uint8Array): unknown {
  if (bytes.length > harmlessBytes) {
    const scan = new JsonScan(limits);
    const problem = scan.read(bytes) ?? scan.end();
    if (problem !== undefined && problem !== "not JSON") throw new CostlyJson(problem);
  }
  const value = parseJson(textOf(bytes));
  if (bytes.length <= harmlessBytes && isDeeper(value, maxJsonDepth)) throw new CostlyJson("nested too deeply");
  return value;
}

/** Decodes UTF-8. Most answers are pure ASCII, for which there is a path several times as fast. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString(isAscii(buffer) ? "latin1" : "utf8");
}

const [quote, backslash, dot, zero] = [0x22, 0x5c, 0x2e, 0x30];

/** What makes a number no whole one: a dot, `e`, `E`. */
const afterWhole: ReadonlySet<number | undefined> = new Set([dot, 0x65, 0x45]);

/**
 * Whether JSON has a whole number that its readers round and write as another, as that of another object. Such a number
 * of an answer is refused where the program knows that it is an ID.
 */
export function roundsNumbers(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote) at = endOfText(bytes, at);
    else if (isDigit(bytes[at])) {
      const from = at;
      let value = 0;
      for (; isDigit(bytes[at]); at++) value = value * 10 + ((bytes[at] as number) - zero);
      if (value > Number.MAX_SAFE_INTEGER && bytes[from - 1] !== dot && !afterWhole.has(bytes[at])) {
        const digits = String.fromCharCode(...bytes.subarray(from, Math.min(at, from + maxDigits)));
        if (String(Number(digits)) !== digits) return true;
      }
      at -= 1;
    }
  }
  return false;
}

/** From this length on, a number is written with an exponent. */
const maxDigits = 22;

function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= zero + 9;
}

/** A value of an answer as text, since `String` fails for some objects. */
export function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

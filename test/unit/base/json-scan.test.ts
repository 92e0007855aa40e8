import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonScan } from "../../../src/base/json-scan.ts";

const unlimited = { depth: 1_000, values: 1_000_000 };

function scanned(bytes: Uint8Array, limits = unlimited, pieces = 1) {
  const scan = new JsonScan(limits);
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) {
    const problem = scan.read(bytes.subarray(at, at + size));
    if (problem !== undefined) return problem;
  }
  return scan.end();
}

/** What V8 and Node think of it. */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString("latin1"));
    return isUtf8(bytes);
  } catch {
    return false;
  }
}

test("every JSON text is read, in any pieces", () => {
  const indents = fc.constantFrom(undefined, 2, "\t");
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false }),
      indents,
      fc.integer({ min: 1, max: 9 }),
      (value, indent, n) => {
        expect(scanned(Buffer.from(JSON.stringify(value, null, indent)), unlimited, n)).toBeUndefined();
      },
    ),
    { numRuns: 1_000, seed: 1 },
  );
});

test("what JSON.parse refuses is refused, and nothing else", () => {
  const parts = [
    ...'[]{},:"\\-+.eE019 \n\r\ttfn',
    "true",
    "false",
    "null",
    '"a"',
    "\\u00e4",
    "1.5e-3",
    "\u00e4",
    "\ufeff",
    "\0",
  ];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 7 }).map((some) => Buffer.from(some.join("")));
  const bytes = fc.uint8Array({ maxLength: 4, min: 0x20 }).map((some) => Buffer.from([0x22, ...some, 0x22]));
  fc.assert(
    fc.property(fc.oneof(texts, bytes), fc.integer({ min: 1, max: 4 }), (text, pieces) => {
      expect(scanned(text, unlimited, pieces) === undefined).toBe(isJson(text));
    }),
    { numRuns: 20_000, seed: 2 },
  );
});

test("damaged JSON is refused where JSON.parse refuses it", () => {
  const whole = Buffer.from(JSON.stringify([{ a: [1, -2.5e10, true, null, 'ü\u2028\\"\u0007😀'], b: {}, c: [] }]));
  for (let at = 0; at < whole.length; at++) {
    for (const byte of [0, 0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7d, 0x80, 0xc3, 0xff]) {
      const damaged = Buffer.from(whole);
      damaged[at] = byte;
      expect([damaged.toString("latin1"), scanned(damaged) === undefined]).toEqual([
        damaged.toString("latin1"),
        isJson(damaged),
      ]);
    }
    expect(scanned(whole.subarray(0, at))).toBe("not JSON");
  }
});

test("depth and values are bounded, and what is in names and texts does not count", () => {
  const limits = { depth: 3, values: 5 };
  expect(scanned(Buffer.from("[[[]]]"), limits)).toBeUndefined();
  expect(scanned(Buffer.from("[[[["), limits)).toBe("nested too deeply");
  expect(scanned(Buffer.from('{"a":{"b":{"c":{'), limits)).toBe("nested too deeply");
  expect(scanned(Buffer.from("[1,2,3,4]"), limits)).toBeUndefined();
  expect(scanned(Buffer.from("[1,2,3,4,5"), limits)).toBe("too many values");
  expect(scanned(Buffer.from('{"[[[[,,,,,,":"[[[[,,,,,,"}'), limits)).toBeUndefined();
});

test("after its end, a scan reads the next text", () => {
  const scan = new JsonScan({ depth: 2, values: 3 });
  for (let line = 0; line < 3; line++) {
    expect(scan.read(Buffer.from("[1,2]"))).toBeUndefined();
    expect(scan.end()).toBeUndefined();
  }
});

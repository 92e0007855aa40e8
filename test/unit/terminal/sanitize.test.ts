import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText, visible, visibleLines } from "../../../src/terminal/sanitize.ts";

/** By code point, explicitly: C0, DEL and C1, and the characters that Unicode calls Bidi_Control or line separators. */
function controls(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const bidi = [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || bidi.includes(code) || code === 0x2028 || code === 0x2029;
}

const text = fc.string({
  unit: fc
    .oneof(fc.nat(0xff), fc.integer({ min: 0x2000, max: 0x2070 }), fc.constant(0x1f469))
    .map((code) => String.fromCodePoint(code)),
});

test("no terminal control remains", () => {
  fc.assert(fc.property(text, (any) => ![...visible(any)].some(controls)));
});

test("in text of several lines only line breaks and tabs remain", () => {
  fc.assert(
    fc.property(
      text,
      (any) => ![...visibleLines(any).replaceAll("\r\n", "\n")].some((c) => controls(c) && c !== "\n" && c !== "\t"),
    ),
  );
  expect(visibleLines("a\r\nb\rc\td")).toBe("a\r\nb␍c\td");
});

test("JSON is safe and means the same", () => {
  fc.assert(
    fc.property(text, (any) => {
      expect(JSON.parse(jsonText({ any }))).toEqual({ any });
      expect([...jsonText({ any })].some(controls)).toBe(false);
    }),
  );
});

test("ordinary text is unchanged", () => {
  expect(visible("Zoë 日本 👩‍👧 – “quoted”")).toBe("Zoë 日本 👩‍👧 – “quoted”");
});

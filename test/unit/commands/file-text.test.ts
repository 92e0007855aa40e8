import fc from "fast-check";
import { expect, test } from "vitest";
import { inFormOf, textOf } from "../../../src/commands/files/text.ts";

const pieces = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "\r", "\ufeff", " "), { maxLength: 12 });
const text = pieces.map((parts) => parts.join(""));

test("a text that nobody changed is itself, whatever form it has", () => {
  fc.assert(fc.property(text, (before) => void expect(inFormOf(before, before)).toBe(before)));
});

test("nor is it changed by the line end that editors put at the end", () => {
  const unended = text.filter((each) => each !== "" && !each.endsWith("\n"));
  fc.assert(fc.property(unended, (before) => void expect(inFormOf(before, `${before}\n`)).toBe(before)));
});

test("a second one stays: that is how a last line gets its end", () => {
  expect(inFormOf("a", "a\n\n")).toBe("a\n");
  expect(inFormOf("a\r\nb", "a\nb\n\n")).toBe("a\r\nb\r\n");
});

test("only what was CRLF throughout is made so", () => {
  expect(inFormOf("a\n", "a\r\n")).toBe("a\r\n");
  expect(inFormOf("a\r\nb\n", "c\nd\r\n")).toBe("c\nd\r\n");
  expect(inFormOf("a\r\n", "b\n\r\nc\n")).toBe("b\r\n\r\nc\r\n");
});

test.each([
  [[0xef, 0xbb, 0xbf, 0x61], "\ufeffa"],
  [[], ""],
  [[0x61, 0], undefined],
  [[0xff], undefined],
  [[0xc3], undefined],
  // UTF-16.
  [[0xff, 0xfe, 0x61, 0], undefined],
])("%j is the text %j", (bytes, expected) => {
  expect(textOf(Uint8Array.from(bytes))).toBe(expected);
});

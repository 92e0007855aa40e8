import fc from "fast-check";
import { expect, test } from "vitest";
import { inFormOf, textOf } from "../../../src/commands/files/text.ts";

const pieces = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "\r", "\ufeff", " "), { maxLength: 12 });
const text = pieces.map((parts) => parts.join(""));

test("an unedited text is unchanged, in any format", () => {
  fc.assert(fc.property(text, (before) => void expect(inFormOf(before, before)).toBe(before)));
});

test("nor does the line break that editors add change it", () => {
  const unended = text.filter((each) => each !== "" && !each.endsWith("\n"));
  fc.assert(fc.property(unended, (before) => void expect(inFormOf(before, `${before}\n`)).toBe(before)));
});

test("a second line break is kept: that is how the last line gets one", () => {
  expect(inFormOf("a", "a\n\n")).toBe("a\n");
  expect(inFormOf("a\r\nb", "a\nb\n\n")).toBe("a\r\nb\r\n");
});

test("only text that was all CRLF becomes CRLF again", () => {
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

import fc from "fast-check";
import { expect, test } from "vitest";
import { keepsBreaks } from "../../../src/commands/files/attributes.ts";
import { inFormOf, textOf, withLineFeeds } from "../../../src/commands/files/text.ts";

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

/** What Git 2.39 stores with `core.autocrlf=input`; undefined: the same bytes. */
test.each([
  ["a\r\nb\r\n", "a\nb\n"],
  ["a\r\nb\nc", "a\nb\nc"],
  ["a\r\nM\xfcnchen\r\n", "a\nM\xfcnchen\n"],
  ["a\nb\n", undefined],
  ["", undefined],
  ["a\r\nb\rc", undefined],
  ["a\r\nb\0", undefined],
])("%j is stored as %j", (text, stored) => {
  const found = withLineFeeds(Buffer.from(text, "latin1"));
  expect(found && Buffer.from(found).toString("latin1")).toBe(stored);
});

test("a text with LF for CRLF is the same one otherwise, if each CR is one of a CRLF", () => {
  const property = fc.property(text, (before) => {
    const isStored = before.includes("\r\n") && !/\r(?!\n)/.test(before);
    const found = withLineFeeds(Buffer.from(before));
    expect(found && Buffer.from(found).toString()).toBe(isStored ? before.replaceAll("\r\n", "\n") : undefined);
  });
  fc.assert(property);
});

const rules = "* text=auto\n*.bat -text\n/raw/*.txt binary\nauto.bat text eol=crlf\nno.bat !text\n";

test.each([
  ["run.bat", true],
  ["deep/run.bat", true],
  ["raw/a.txt", true],
  ["a.txt", false],
  ["auto.bat", false],
  ["no.bat", false],
])("the line breaks of %s are stored as they are sent: %s", (path, keeps) => {
  expect(keepsBreaks(rules, path)).toBe(keeps);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { fileNameIn, safeFileName } from "../../../src/transfer/file-name.ts";

test.each([
  ["archive.zip", "archive.zip"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Windows\\system.ini", "system.ini"],
  ["/etc/", undefined],
  ["..", undefined],
  [".bashrc", "bashrc"],
  ["-rf", "rf"],
  ["a\u001b[31m\u202eb.txt", "a_[31m_b.txt"],
  ["con", undefined],
  ["COM1.txt", undefined],
  ["Übung 1.pdf", "Übung 1.pdf"],
  ["", undefined],
])("%j becomes %j", (given, name) => expect(safeFileName(given)).toBe(name));

test("a name of any length is cut at once", () => {
  const start = process.cpuUsage();
  expect(safeFileName("a".repeat(1_000_000))).toHaveLength(200);
  expect(safeFileName(`${"\u{1f600}".repeat(200_000)}.zip`)).toMatch(/^(?:\u{1f600})+\.zip$/u);
  expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
});

test("a long name is cut, its extension kept", () => {
  const name = safeFileName(`${"ü".repeat(300)}.zip`) ?? "";
  expect(name).toMatch(/^ü+\.zip$/);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
});

test("only a name of over 200 bytes is cut, between characters; an extension of over 20 bytes is none", () => {
  const lengthOf = (given: string) => Buffer.byteLength(safeFileName(given) ?? "");
  expect(safeFileName("a".repeat(200))).toBe("a".repeat(200));
  expect(safeFileName("a".repeat(201))).toBe("a".repeat(200));
  expect(safeFileName("😀".repeat(51))).toBe("😀".repeat(50));
  expect(safeFileName(`${"a".repeat(190)}.${"b".repeat(19)}`)).toBe(`${"a".repeat(180)}.${"b".repeat(19)}`);
  expect(safeFileName(`${"a".repeat(190)}.${"b".repeat(20)}`)).toBe(`${"a".repeat(190)}.${"b".repeat(9)}`);
  expect(lengthOf(`${"a".repeat(300)}.zip`)).toBe(200);
});

test("no server can make it a path", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (given) => {
      const name = safeFileName(given);
      if (name === undefined) return;
      expect(name).not.toMatch(/[/\\\0]/);
      expect(name).not.toMatch(/^\./);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    }),
  );
});

test.each([
  ['attachment; filename="a.zip"', "a.zip"],
  ["attachment; filename=a.zip", "a.zip"],
  ["attachment; filename=\"a_.zip\"; filename*=UTF-8''%C3%BC.zip", "ü.zip"],
  ["attachment; filename*=UTF-8''..%2F..%2Fx", "x"],
  ["attachment; filename*=UTF-8''%E0%A4%A; filename=\"plain.txt\"", "plain.txt"],
  ['attachment; filename="a\\"b.txt"', "a_b.txt"],
  ["inline", undefined],
])("%s names %j", (header, name) => expect(fileNameIn({ "content-disposition": header })).toBe(name));

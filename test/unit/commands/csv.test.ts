import { describe, expect, test } from "vitest";
import { csvLine, readCsv } from "../../../src/commands/identities/csv.ts";

const cellsOf = (text: string) => [...readCsv(text)].map(({ line, cells }) => [line, ...cells]);
const problemsOf = (text: string) => [...readCsv(text)].map(({ line, problem }) => [line, problem]);

describe("reading CSV", () => {
  test.each([
    ["nothing", "", []],
    ["no line feed at the end", "a,b", [[1, "a", "b"]]],
    [
      "CRLF and a byte order mark",
      "\uFEFFa,b\r\nc,d\r\n",
      [
        [1, "a", "b"],
        [2, "c", "d"],
      ],
    ],
    ["blank lines and comments", '\n# a "comment, of no\n  \t\r\na,b\n#\n', [[4, "a", "b"]]],
    ["quotes", '"a,1","b ""x"""\r\n', [[1, "a,1", 'b "x"']]],
    [
      "line breaks in quotes",
      '"a\r\nb",c\nd,e\n',
      [
        [1, "a\r\nb", "c"],
        [3, "d", "e"],
      ],
    ],
    [
      "empty cells",
      ',\n"",\n',
      [
        [1, "", ""],
        [2, "", ""],
      ],
    ],
    ["a quoted # is a cell", '"#a",b\n', [[1, "#a", "b"]]],
    ["a separate carriage return", "a\rb,c\r", [[1, "a\rb", "c"]]],
  ])("%s", (_, text, expected) => {
    expect(cellsOf(text)).toEqual(expected);
    expect([...readCsv(text)].every(({ problem }) => problem === undefined)).toBe(true);
  });

  test.each([
    [
      "an open quote, which extends to the end",
      'a,b\n"c,d\ne,f\n',
      [
        [1, undefined],
        [2, "a quote is not closed"],
      ],
    ],
    [
      "text after a quote",
      '"a"b,c\nd,e\n',
      [
        [1, "text follows a closing quote"],
        [2, undefined],
      ],
    ],
    ["a quote in the middle", 'a"b,c\n', [[1, "a cell that contains a quote must be quoted, and its quotes doubled"]]],
    ["blanks around a cell", "a, b\n", [[1, "a cell that starts or ends with a space must be quoted"]]],
  ])("%s is a problem of its line", (_, text, expected) => expect(problemsOf(text)).toEqual(expected));
});

test("written CSV reads back unchanged", () => {
  const odd = ["", "a", " a", "a,b", 'a"b', "a\r\nb", "a\r", "#a", "\uFEFFa", "=1+1", "имя", "\u00A0x", "\u2028"];
  for (const one of odd) for (const other of odd) expect(cellsOf(csvLine([one, other]))).toEqual([[1, one, other]]);
});

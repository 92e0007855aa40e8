import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ann, bob, person } from "./people.ts";
import { shown } from "./recorder.ts";

/** RFC 4180, independent of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      let cell = "";
      if (text[at] === '"') {
        at += 1;
        while (text[at] !== '"' || text[at + 1] === '"') {
          if (text[at] === '"') at += 1;
          cell += text[at];
          at += 1;
          if (at > text.length) throw new Error("unclosed quote");
        }
        at += 1;
      } else {
        while (at < text.length && text[at] !== "," && text[at] !== "\n") {
          cell += text[at];
          at += 1;
        }
      }
      row.push(cell);
      const end = text[at];
      at += 1;
      if (end === "\n") break;
      if (end !== ",") throw new Error(`unexpected ${JSON.stringify(end)}`);
    }
    rows.push(row);
  }
  return rows;
}

function parseTsv(text: string): string[][] {
  if (!text.endsWith("\n")) throw new Error("the last line is not ended");
  const unescape = (cell: string) =>
    cell.replace(/\\(.)/g, (_, letter: string) => ({ t: "\t", n: "\n", r: "\r", "\\": "\\" })[letter] ?? "?");
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => line.split("\t").map(unescape));
}

const awkward = fc.string({ unit: fc.constantFrom(..."ab,;\"'\t\n\r\\=+-@ é日", "👩‍👧", "tn"), maxLength: 12 });
const tables = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(awkward, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
  );

function asView(table: string[][]) {
  const columns = (table[0] ?? []).map((_, index) => `c${index}`);
  return { columns, rows: table.map((cells) => Object.fromEntries(cells.map((cell, index) => [`c${index}`, cell]))) };
}

describe("tsv", () => {
  test("raw values: times unchanged, nothing cut, nested values as JSON, null empty", async () => {
    const columns = ["id", "created_at", "bot", "storage", "emails", "home.path", "token"];
    const { stdout } = await shown({ rows: [ann, bob], columns, entity: person }, { format: "tsv" });
    expect(stdout).toBe(
      "id\tcreated_at\tbot\tstorage\temails\thome.path\ttoken\n" +
        '7\t2026-03-07T11:00:00.000Z\tfalse\t1572864\t["ann@example.com","a@example.com"]\tann\t[redacted]\n' +
        "1234\t\ttrue\t0\t[]\t\t\n",
    );
  });

  test("escapes tab, line breaks, and backslash", async () => {
    const { stdout } = await shown({ rows: [{ a: "x\ty\nz\r\\" }], columns: ["a"] }, { format: "tsv", header: false });
    expect(stdout).toBe("x\\ty\\nz\\r\\\\\n");
  });

  test("reads back as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const view = asView(table);
        const { stdout } = await shown(view, { format: "tsv" });
        expect(parseTsv(stdout)).toEqual([view.columns, ...table]);
      }),
    );
  });
});

describe("csv", () => {
  test("quotes only if necessary", async () => {
    const rows = [{ a: 'say "hi"', b: "x,y", c: "two\nlines", d: "plain text" }];
    const { stdout } = await shown({ rows, columns: ["a", "b", "c", "d"] }, { format: "csv" });
    expect(stdout).toBe('a,b,c,d\n"say ""hi""","x,y","two\nlines",plain text\n');
  });

  test("text that a spreadsheet would run is prefixed; numbers are not", async () => {
    const rows = [{ a: "=1+1", b: -5, c: "-5", d: "@x", e: "+1", f: "\t=1" }];
    const { stdout } = await shown({ rows, columns: ["a", "b", "c", "d", "e", "f"] }, { format: "csv", header: false });
    expect(stdout).toBe("'=1+1,-5,'-5,'@x,'+1,'\t'=1\n");
    for (const text of [" =1", "\n+1", "\0-1", "\ufeff=1", "＝1", "＋1", "－1", "＠x"]) {
      const cell = (await shown({ rows: [{ text }], columns: ["text"] }, { format: "csv", header: false })).stdout;
      expect(cell.replace(/^"/, "").startsWith("'")).toBe(true);
    }
  });

  test("so are the texts of a list or an object, behind what separates cells elsewhere", async () => {
    const rows = [{ list: ["a;=1+1;b"], object: { name: "x;@y" } }];
    const { stdout } = await shown({ rows, columns: ["list", "object"] }, { format: "csv", header: false });
    const [[list = "", object = ""] = []] = parseCsv(stdout);
    expect([JSON.parse(list), JSON.parse(object)]).toEqual([["a;'=1+1;b"], { name: "x;'@y" }]);
  });

  test("reads back as written, except for the prefix", async () => {
    const guarded = (cell: string) => {
      let text = /^(?:[\s\0]*[=+\-@＝＋－＠]|[\t\r])/.test(cell) ? "'" : "";
      // Where a spreadsheet that separates by `;` or tabs begins another cell.
      let begins = false;
      for (const sign of cell) {
        text += begins && /[=+\-@＝＋－＠]/.test(sign) ? `'${sign}` : sign;
        begins = /[;\t\n\r]/.test(sign) || (begins && /[\s\0"]/.test(sign));
      }
      return text;
    };
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const view = asView(table);
        const { stdout } = await shown(view, { format: "csv" });
        expect(parseCsv(stdout)).toEqual([view.columns, ...table.map((row) => row.map(guarded))]);
      }),
    );
  });
});

describe.each(["csv", "tsv"] as const)("%s", (format) => {
  const separator = format === "csv" ? "," : "\t";

  test("an empty list is its header", async () => {
    const view = { rows: [], columns: ["id", "name"] };
    expect((await shown(view, { format })).stdout).toBe(`id${separator}name\n`);
    expect((await shown(view, { format, header: false })).stdout).toBe("");
  });

  test("a record is a header and one row of its documented scalars", async () => {
    const { stdout } = await shown({ record: { id: 1, name: "n", extra: 2 }, entity: person }, { format });
    const names = ["id", "name", "created_at", "bot", "storage", "elapsed", "token"];
    expect(stdout).toBe(`${names.join(separator)}\n${["1", "n", "", "", "", "", ""].join(separator)}\n`);
  });

  test("a record without an entity shows its scalars", async () => {
    const { stdout } = await shown({ record: { id: 1, list: [1], on: true, none: null } }, { format, header: false });
    expect(stdout).toBe(`${["1", "true", ""].join(separator)}\n`);
  });

  test("control characters are unchanged in a pipe, and shown on a terminal", async () => {
    const view = { rows: [{ a: "x\u001b[2Jy" }], columns: ["a"] };
    expect((await shown(view, { format, header: false })).stdout).toBe("x\u001b[2Jy\n");
    expect((await shown(view, { format, header: false, columns: 80 })).stdout).toBe("x␛[2Jy\n");
  });
});

import { describe, expect, test } from "vitest";
import { render } from "../../../src/terminal/render/index.ts";
import { loadStyle } from "../../../src/terminal/style.ts";
import { loadMeasure } from "../../../src/terminal/width.ts";
import { ann, bob, person } from "./people.ts";
import { optionsFor, shown } from "./recorder.ts";

const columns = ["id", "name", "created_at", "bot", "storage", "elapsed", "emails", "token"];
const people = { rows: [ann, bob], columns, entity: person };

const counted = {
  name: "counted",
  shape: {
    ...person.shape,
    sign_in_count: { kind: "integer" },
    last_bot_seen: { kind: "boolean" },
    home_page: { kind: "string", whole: true },
  },
};

describe("a list as a table", () => {
  test("on a terminal: numbers right-aligned, times short, sizes for people, secrets masked", async () => {
    const { stdout } = await shown(people, { format: "table", columns: 120 });
    expect(stdout).toBe(
      [
        "  id  name  created_at  bot  storage  elapsed  emails                          token",
        "   7  Ann   Sat 11:00   no   1.5 MiB    1m 5s  ann@example.com, a@example.com  [redacted]",
        "1234  Bob   -           yes      0 B    0.35s  -                               -",
        "",
      ].join("\n"),
    );
  });

  test("a value of any type is shown as it is written, a flag in words", async () => {
    const shape = { value: { kind: "json" }, expected: { kind: "string" }, on: { kind: "boolean" } } as const;
    const rows = { rows: [{ value: false, expected: "true", on: false }], columns: Object.keys(shape) };
    const { stdout } = await shown({ ...rows, entity: { name: "setting", shape } }, { format: "table", columns: 80 });
    expect(stdout).toBe("value  expected  on\nfalse  true      no\n");
  });

  test("fits the width by wrapping headers, then by cutting the longest texts, never the numbers", async () => {
    const rows = [{ id: 1234, name: "Ann of the Long Name", sign_in_count: 7, last_bot_seen: true }];
    const view = { rows, columns: ["id", "name", "sign_in_count", "last_bot_seen"], entity: counted };
    expect((await shown(view, { format: "table", columns: 56 })).stdout).toBe(
      [
        "  id  name                  sign_in_count  last_bot_seen",
        "1234  Ann of the Long Name              7  yes",
        "",
      ].join("\n"),
    );
    expect((await shown(view, { format: "table", columns: 46 })).stdout).toBe(
      [
        "                            sign_in_  last_",
        "  id  name                     count  bot_seen",
        "1234  Ann of the Long Name         7  yes",
        "",
      ].join("\n"),
    );
    expect((await shown(view, { format: "table", columns: 34 })).stdout).toBe(
      [
        "                      sign_  last_",
        "                        in_  bot_",
        "  id  name            count  seen",
        "1234  Ann of the Lo…      7  yes",
        "",
      ].join("\n"),
    );
  });

  test("without a terminal nothing is cut and times are absolute", async () => {
    const rows = [{ ...ann, name: "n".repeat(300) }];
    const { stdout } = await shown({ ...people, rows }, { format: "table" });
    expect(stdout).toContain("n".repeat(300));
    expect(stdout).toContain("2026-03-07T11:00:00.000Z");
    expect(stdout).not.toContain("…");
  });

  test("--no-header omits the header, and its width too", async () => {
    const { stdout } = await shown(
      { rows: [ann], columns: ["id", "name"], entity: person },
      { format: "table", header: false },
    );
    expect(stdout).toBe("7  Ann\n");
  });

  test("the header is bold if color is on", async () => {
    const style = await loadStyle("always", {}, { isTerminal: true });
    const { stdout } = await shown(
      { rows: [ann], columns: ["id", "name"], entity: person },
      { format: "table", style },
    );
    expect(stdout).toBe("\u001b[1mid  name\u001b[22m\n 7  Ann\n");
  });

  test("colors a cell by its word, in a table and in a record, and no other cell", async () => {
    const style = await loadStyle("always", {}, { isTerminal: true });
    const shape = { id: { kind: "id" }, state: { kind: "string", tones: { ok: "good", "*": "bad" } } } as const;
    const rows = [
      { id: 1, state: "ok" },
      { id: 2, state: "gone\u001b[32m" },
      { id: 3, state: null },
    ];
    const view = { rows, columns: ["id", "state"], entity: { name: "thing", shape } };
    const { stdout } = await shown(view, { format: "table", columns: 40, style });
    expect(stdout.split("\n").slice(1)).toEqual([
      " 1  \u001b[32mok\u001b[39m",
      " 2  \u001b[31mgone␛[32m\u001b[39m",
      " 3  -",
      "",
    ]);
    const words = { kind: "string", tones: { ok: "good" } } as const;
    const unknown = {
      ...view,
      rows: [{ state: "constructor" }],
      columns: ["state"],
      entity: { name: "", shape: { state: words } },
    };
    expect((await shown(unknown, { format: "table", style, header: false })).stdout).toBe("constructor\n");
    const records = await shown({ ...view, rows: [{ id: 1, state: "ok" }] }, { format: "table", columns: 5, style });
    expect(records.stdout).toContain("\u001b[2mstate\u001b[22m  \u001b[32mok\u001b[39m\n");
    const record = await shown({ record: { id: 1, state: "ok" }, entity: view.entity }, { format: "table", style });
    expect(record.stdout).toContain("\u001b[1mstate\u001b[22m  \u001b[32mok\u001b[39m\n");
  });

  test.each([
    ["CJK", "日本語の長い名前です"],
    ["emoji with joiners", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦"],
    ["combining marks", "e\u0301".repeat(30)],
    ["flags", "🇩🇪🇫🇷🇮🇹🇪🇸🇯🇵🇰🇷🇧🇷🇨🇦"],
  ])("cuts %s at whole characters, by their width", async (_, name) => {
    const measure = await loadMeasure();
    const { stdout } = await shown(
      { rows: [{ name, x: "y" }], columns: ["name", "x"] },
      { format: "table", columns: 15 },
    );
    const line = stdout.split("\n")[1] ?? "";
    expect(line).toMatch(/….*y$/);
    // 12 columns for the name, the gap, and the `y`: wide characters may leave one column free.
    expect(measure.width(line)).toBe(15);
    const kept = line.slice(0, line.indexOf("…"));
    expect(kept.length).toBeGreaterThan(0);
    const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
    const keptCharacters = [...new Intl.Segmenter().segment(kept)].map(({ segment }) => segment);
    expect(characters.slice(0, keptCharacters.length)).toEqual(keptCharacters);
  });

  test("wide characters do not shift the columns after them", async () => {
    const rows = [
      { name: "日本", x: "a" },
      { name: "abcd", x: "b" },
      { name: "e\u0301a\u0300b\u0302c", x: "c" },
    ];
    const { stdout } = await shown({ rows, columns: ["name", "x"] }, { format: "table" });
    expect(stdout).toBe("name  x\n日本  a\nabcd  b\ne\u0301a\u0300b\u0302c  c\n");
  });

  test("shows control characters without executing them, and keeps a cell on its line", async () => {
    const rows = [{ name: "\u001b[2Jevil\u009b1m\u202eabc\u0007\nnext\tcell\u007f" }];
    const { stdout } = await shown({ rows, columns: ["name"] }, { format: "table", columns: 80 });
    expect(stdout).toBe("name\n␛[2Jevil\\u009b1m\\u202eabc␇ next cell␡\n");
  });

  test("a row wider than the first 200 still fits the terminal, and its number is not cut", async () => {
    const rows = Array.from({ length: 300 }, (_, id) => ({ id: id === 299 ? 123_456_789 : 1, name: "x".repeat(30) }));
    const { stdout } = await shown({ rows, columns: ["id", "name"] }, { format: "table", columns: 26 });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(301);
    expect(lines[1]).toBe(` 1  ${"x".repeat(21)}…`);
    expect(lines[300]).toBe(`123456789  ${"x".repeat(14)}…`);
  });

  test("an address after the first 200 rows runs past the edge, and is not cut", async () => {
    const address = `https://a.example/${"x".repeat(60)}`;
    const rows = Array.from({ length: 201 }, (_, id) => ({ id, home_page: id === 200 ? address : "-" }));
    const { stdout } = await shown(
      { rows, columns: ["id", "home_page"], entity: counted },
      { format: "table", columns: 40 },
    );
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(`200  ${address}`);
  });
});

describe("a table that does not fit its terminal", () => {
  const view = { rows: [ann, bob], columns: ["id", "name", "created_at", "emails"], entity: person };

  test("becomes records below lines with their names", async () => {
    expect((await shown(view, { format: "table", columns: 30 })).stdout).toBe(
      [
        "7  Ann",
        "  created_at  Sat 11:00",
        "  emails      ann@example.com, a@example.com",
        "1234  Bob",
        "  created_at  -",
        "  emails      -",
        "",
      ].join("\n"),
    );
  });

  test("without headers, an empty line separates its records", async () => {
    const { stdout } = await shown(
      { ...view, columns: ["id", "emails"] },
      { format: "table", columns: 16, header: false },
    );
    expect(stdout).toBe("id      7\nemails  ann@example.com, a@example.com\n\nid      1234\nemails  -\n");
  });

  test("a column without a value in any row takes no room, unless it was chosen", async () => {
    const rows = [{ ...ann, id: null }];
    const header = async (more: object) =>
      (await shown({ ...view, rows }, { format: "table", columns: 80, ...more })).stdout.split("\n")[0];
    expect(await header({})).toBe("name  created_at  emails");
    expect(await header({ fields: ["id", "name"] })).toBe("id  name");
  });

  test("a row is named by its first value if its first column is empty", async () => {
    const rows = [{ ...ann, id: null, name: "Ann ".repeat(10) }, ann];
    const { stdout } = await shown({ ...view, rows }, { format: "table", columns: 38 });
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "Ann Ann Ann Ann Ann Ann Ann Ann",
      "      Ann Ann",
      "  id          -",
    ]);
  });

  test("a name of several lines writes none that looks like another row or one of its fields", async () => {
    const [field, row] = ["\u00a0\u00a0emails\u00a0\u00a0-", "1234\u00a0\u00a0Bob"].map((line) =>
      line.padEnd(29, "\u00a0"),
    );
    const rows = [{ ...ann, name: `${"x".repeat(26)} ${field} ${row} y` }, bob];
    const { stdout } = await shown({ ...view, rows }, { format: "table", columns: 30 });
    expect(stdout.match(/^1234\s+Bob/gm)).toHaveLength(1);
    expect(stdout.match(/^\s{2}emails\s/gm)).toHaveLength(2);
  });

  test("first, cells that are never cut are wrapped: at spaces, then within names and paths; addresses are not", async () => {
    const shape = {
      path: { kind: "string", whole: true },
      why: { kind: "string", whole: true },
      state: { kind: "string", tones: { ok: "good" } },
    } as const;
    const rows = [
      { path: "acme/platform/runner", why: "anyone can create an account", state: "ok" },
      { path: "acme", why: "https://a.example/b-c", state: "ok" },
    ];
    const view = { rows, columns: ["path", "why", "state"], entity: { name: "thing", shape } };
    const at = async (columns: number) => (await shown(view, { format: "table", columns })).stdout.split("\n");
    expect(await at(50)).toEqual([
      "path                  why                    state",
      "acme/platform/runner  anyone can create an   ok",
      "                      account",
      "acme                  https://a.example/b-c  ok",
      "",
    ]);
    const long = { path: `acme/${"x".repeat(40)}/${"y".repeat(30)}`, why: "https://a.example/bb", state: "ok" };
    const wide = async (columns: number) =>
      (await shown({ ...view, rows: [long] }, { format: "table", columns })).stdout.split("\n");
    expect((await wide(80)).map((each) => each.split(" ")[0])).toEqual([
      ...["path", `acme/${"x".repeat(40)}/`, "y".repeat(30), ""],
    ]);
    // Narrower, it is a record.
    expect((await wide(79))[0]).not.toMatch(/^path/);
  });

  test("a view's spare columns are left out before that, one after another, and named", async () => {
    const rows = [{ ...ann, name: "N".repeat(14) }];
    const view = { rows, columns: ["id", "created_at", "bot", "storage"], spare: ["storage", "bot"], entity: person };
    const at = async (columns: number) => shown(view, { format: "table", columns });
    expect((await at(40)).stderr).toBe("");
    const narrow = await at(22);
    expect([narrow.stdout.split("\n")[0], narrow.stderr]).toEqual([
      "id  created_at  bot",
      "left out, for lack of width: storage (--fields)\n",
    ]);
    const chosen = await shown(view, { format: "table", columns: 22, fields: ["id", "storage", "created_at", "bot"] });
    expect(chosen.stdout).toContain("1.5 MiB");
  });

  test("an address is neither cut nor broken: if the terminal wraps it, it can still be copied", async () => {
    const address = `https://a.example/${"x".repeat(60)}?a=b`;
    const rows = [{ id: 1, home_page: address }];
    const view = { rows, columns: ["id", "home_page"], entity: counted };
    expect((await shown(view, { format: "table", columns: 60 })).stdout).toContain(`home_page  ${address}\n`);
    expect((await shown(view, { format: "table", columns: 100 })).stdout).toBe(`id  home_page\n 1  ${address}\n`);
  });

  test.each([40, 80, 120, 200])("at %i columns: 50 fields, wide characters, every value in full", async (columns) => {
    const row = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`field_${index}`, `値${index} 日本語 👩‍👩‍👧‍👦`]),
    );
    const measure = await loadMeasure();
    const { stdout } = await shown({ rows: [row, row] }, { format: "table", columns, fields: Object.keys(row) });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(100);
    expect(stdout).not.toContain("…");
    // The first one is the record's title.
    expect(lines[0]).toBe(row.field_0);
    for (const [index, name] of Object.keys(row).slice(1).entries()) {
      expect(lines[index + 1]).toBe(`  ${name.padEnd(8)}  ${row[name]}`);
    }
    for (const line of lines) expect(measure.width(line)).toBeLessThanOrEqual(columns);
  });

  test("the first rows decide, and later ones are written as they arrive", async () => {
    const { stdout, options } = optionsFor({ format: "table", columns: 30 });
    const written: number[] = [];
    async function* rows() {
      for (let id = 0; id < 600; id += 1) {
        if (id % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
        written.push(stdout.text.split("\n").length - 1);
        yield { ...ann, id };
      }
    }
    await render({ ...view, rows: rows() }, options);
    expect(written[199]).toBe(0);
    expect(written[599]).toBeGreaterThanOrEqual(3 * 400);
    expect(stdout.text.match(/^\d+ {2}Ann$/gm)).toHaveLength(600);
  });

  test("never without a terminal", async () => {
    const row = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field_${index}`, "x".repeat(40)]));
    const { stdout } = await shown({ rows: [row], columns: Object.keys(row) }, { format: "table" });
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(stdout).not.toContain("…");
  });
});

describe("a long table", () => {
  test("ten times the rows take about ten times the CPU time", async () => {
    const time = async (count: number) => {
      const rows = Array.from({ length: count }, (_, id) => ({ ...ann, id, name: `person ${id} 日本` }));
      const { options } = optionsFor({ format: "table", columns: 100 });
      const before = process.cpuUsage();
      await render({ rows, columns, entity: person }, options);
      return process.cpuUsage(before).user;
    };
    await time(300);
    // The minimum of a few runs: garbage collection adds to some.
    let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 5 && !(large / small < 20); round += 1) {
      small = Math.min(small, await time(300), await time(300), await time(300));
      large = Math.min(large, await time(3000));
    }
    expect(large / small).toBeLessThan(20);
  });
});

describe("a record as a table", () => {
  test("every documented field in the entity's order", async () => {
    const { name: _, token, ...others } = ann;
    const { stdout } = await shown(
      { record: { token, ...others, extra: 1 }, entity: person },
      { format: "table", columns: 80 },
    );
    expect(stdout).toBe(
      [
        "id          7",
        "created_at  Sat 11:00",
        "bot         no",
        "storage     1.5 MiB",
        "elapsed     1m 5s",
        "emails      ann@example.com, a@example.com",
        'identities  [{"provider":"saml","token":"[redacted]"}]',
        "home        id: 3",
        "            path: ann",
        "custom      team: blue",
        "token       [redacted]",
        "",
      ].join("\n"),
    );
  });

  test("pairs are one line each, and free-form JSON is indented, even if it is sent as a string", async () => {
    const shape = { headers: { kind: "map" }, data: { kind: "json" }, body: { kind: "json" }, plain: { kind: "json" } };
    const record = { headers: { a: "x\u001b", b: 2 }, data: { c: [1] }, body: '{"d":null}', plain: "e {" };
    const { stdout } = await shown({ record, entity: { name: "answer", shape } }, { format: "table", columns: 80 });
    expect(stdout).toBe(
      [
        "headers  a: x␛",
        "         b: 2",
        "data     {",
        '           "c": [',
        "             1",
        "           ]",
        "         }",
        "body     {",
        '           "d": null',
        "         }",
        "plain    e {",
        "",
      ].join("\n"),
    );
  });

  test("long text is wrapped, not cut, and line breaks are kept", async () => {
    const text = "one two three four five six seven\nlast";
    const { stdout } = await shown({ record: { text } }, { format: "table", columns: 26 });
    expect(stdout).toBe("text  one two three four\n      five six seven\n      last\n");
  });

  test("the command's own columns take precedence, and a requested field shows even if it is missing", async () => {
    const record = { id: 1, name: "n" };
    expect((await shown({ record, columns: ["name"] }, { format: "table" })).stdout).toBe("name  n\n");
    const asked = await shown({ record, entity: person }, { format: "table", fields: ["home.path", "id"] });
    expect(asked.stdout).toBe("home.path  -\nid         1\n");
  });

  test("on a terminal it has few fields, and the requested ones; a notice says how to see the rest", async () => {
    const shape = { ...person.shape, tags: { kind: "array", onlyWith: "tags" } } as const;
    const view = {
      record: { ...ann, tags: ["a"] },
      entity: { name: "person", shape, card: ["name", "id", "home.path"] },
    };
    expect(await shown(view, { format: "table", columns: 80 })).toMatchObject({
      stdout: "name       Ann\nid         7\nhome.path  ann\ntags       a\n",
      stderr: "4 of 12 fields; -o yaml shows all, --fields selects some\n",
    });
    expect((await shown(view, { format: "table", columns: 80, quiet: true })).stderr).toBe("");
    expect(await shown(view, { format: "table", columns: 80, fields: ["token"] })).toMatchObject({
      stdout: "token  [redacted]\n",
      stderr: "",
    });
  });

  test.each(["table", "tsv", "csv", "json", "yaml"] as const)(
    "without a terminal all fields are shown: %s",
    async (format) => {
      const view = { record: ann, entity: person };
      const carded = { record: ann, entity: { ...person, card: ["name"] } };
      expect(await shown(carded, { format })).toEqual(await shown(view, { format }));
    },
  );

  test("its message goes to stderr, unless quiet", async () => {
    const view = { record: { id: 1 }, message: "scheduled" };
    expect((await shown(view, { format: "table" })).stderr).toBe("scheduled\n");
    expect((await shown(view, { format: "table", quiet: true })).stderr).toBe("");
  });
});

import { describe, expect, test } from "vitest";
import { render } from "../../../src/terminal/render.ts";
import { loadStyle } from "../../../src/terminal/style.ts";
import { loadMeasure } from "../../../src/terminal/width.ts";
import { ann, bob, person } from "./people.ts";
import { optionsFor, shown } from "./recorder.ts";

const columns = ["id", "name", "created_at", "bot", "storage", "elapsed", "emails", "token"];
const people = { rows: [ann, bob], columns, entity: person };

describe("a list as a table", () => {
  test("on a terminal: numbers right, times relative, sizes for people, secrets masked", async () => {
    const { stdout } = await shown(people, { format: "table", columns: 120 });
    expect(stdout).toBe(
      [
        "  id  name  created_at  bot  storage  elapsed  emails                          token",
        "   7  Ann   3 days ago  no   1.5 MiB    1m 5s  ann@example.com, a@example.com  [redacted]",
        "1234  Bob   -           yes      0 B    0.35s  -                               -",
        "",
      ].join("\n"),
    );
  });

  test("fits the width by cutting the longest texts, never the numbers", async () => {
    const { stdout } = await shown(people, { format: "table", columns: 70 });
    expect(stdout).toBe(
      [
        "  id  name  created_at  bot  storage  elapsed  emails       token",
        "   7  Ann   3 days ago  no   1.5 MiB    1m 5s  ann@exampl…  [redacted]",
        "1234  Bob   -           yes      0 B    0.35s  -            -",
        "",
      ].join("\n"),
    );
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(70);
  });

  test("off a terminal nothing is cut and times are absolute", async () => {
    const rows = [{ ...ann, name: "n".repeat(300) }];
    const { stdout } = await shown({ ...people, rows }, { format: "table" });
    expect(stdout).toContain("n".repeat(300));
    expect(stdout).toContain("2026-03-07T11:00:00.000Z");
    expect(stdout).not.toContain("…");
  });

  test("--no-header leaves the header out, and its width too", async () => {
    const { stdout } = await shown(
      { rows: [ann], columns: ["id", "name"], entity: person },
      { format: "table", header: false },
    );
    expect(stdout).toBe("7  Ann\n");
  });

  test("the header is bold where color is on", async () => {
    const style = await loadStyle("always", {}, { isTerminal: true });
    const { stdout } = await shown(
      { rows: [ann], columns: ["id", "name"], entity: person },
      { format: "table", style },
    );
    expect(stdout).toBe("\u001b[1mid  name\u001b[22m\n 7  Ann\n");
  });

  test.each([
    ["CJK", "日本語の長い名前です"],
    ["emoji with joiners", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦"],
    ["combining marks", "e\u0301".repeat(30)],
    ["flags", "🇩🇪🇫🇷🇮🇹🇪🇸🇯🇵🇰🇷🇧🇷🇨🇦"],
  ])("cuts %s at whole characters, by what they measure", async (_, name) => {
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

  test("wide characters do not shift the columns behind them", async () => {
    const rows = [
      { name: "日本", x: "a" },
      { name: "abcd", x: "b" },
      { name: "e\u0301a\u0300b\u0302c", x: "c" },
    ];
    const { stdout } = await shown({ rows, columns: ["name", "x"] }, { format: "table" });
    expect(stdout).toBe("name  x\n日本  a\nabcd  b\ne\u0301a\u0300b\u0302c  c\n");
  });

  test("shows control characters instead of obeying them, and keeps a cell on its line", async () => {
    const rows = [{ name: "\u001b[2Jevil\u009b1m\u202eabc\u0007\nnext\tcell\u007f" }];
    const { stdout } = await shown({ rows, columns: ["name"] }, { format: "table", columns: 80 });
    expect(stdout).toBe("name\n␛[2Jevil\\u009b1m\\u202eabc␇ next cell␡\n");
  });

  test("a row wider than the first 200 still fits the terminal, and its number stays whole", async () => {
    const rows = Array.from({ length: 300 }, (_, id) => ({ id: id === 299 ? 123_456_789 : 1, name: "x".repeat(30) }));
    const { stdout } = await shown({ rows, columns: ["id", "name"] }, { format: "table", columns: 20 });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(301);
    expect(lines[1]).toBe(` 1  ${"x".repeat(15)}…`);
    expect(lines[300]).toBe(`123456789  ${"x".repeat(8)}…`);
  });

  test("more columns than the terminal is wide do not overflow it", async () => {
    const row = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`column${index}`, "value"]));
    const { stdout } = await shown({ rows: [row], columns: Object.keys(row) }, { format: "table", columns: 40 });
    for (const line of stdout.trimEnd().split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  test("ten times the rows take about ten times as long", async () => {
    const time = async (count: number) => {
      const rows = Array.from({ length: count }, (_, id) => ({ ...ann, id, name: `person ${id} 日本` }));
      const { options } = optionsFor({ format: "table", columns: 100 });
      const start = performance.now();
      await render({ rows, columns, entity: person }, options);
      return performance.now() - start;
    };
    await time(1000);
    // The best of a few: what else the machine does only ever adds to a time.
    let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 5 && !(large / small < 20); round += 1) {
      small = Math.min(small, await time(1000), await time(1000), await time(1000));
      large = Math.min(large, await time(10_000));
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
        "created_at  3 days ago",
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

  test("pairs are a line each, and free JSON is indented, also where it comes as a text", async () => {
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

  test("the command's own columns win, and a field that was asked for shows although it is missing", async () => {
    const record = { id: 1, name: "n" };
    expect((await shown({ record, columns: ["name"] }, { format: "table" })).stdout).toBe("name  n\n");
    const asked = await shown({ record, entity: person }, { format: "table", fields: ["home.path", "id"] });
    expect(asked.stdout).toBe("home.path  -\nid         1\n");
  });

  test("its message goes to stderr, unless quiet", async () => {
    const view = { record: { id: 1 }, message: "scheduled" };
    expect((await shown(view, { format: "table" })).stderr).toBe("scheduled\n");
    expect((await shown(view, { format: "table", quiet: true })).stderr).toBe("");
  });
});

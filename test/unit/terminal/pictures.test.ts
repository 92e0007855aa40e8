import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repaints } from "../../../src/terminal/interaction/repaint.ts";
import { bar, heatMap, monthlyWords, sparkline } from "../../../src/terminal/pictures.ts";
import { loadStyle, plainStyle } from "../../../src/terminal/style.ts";
import type { RowsView } from "../../../src/terminal/view.ts";
import { shown } from "./recorder.ts";

const dayMs = 86_400_000;

/** Consecutive days with these counts. */
function from(date: string, counts: readonly number[]) {
  const first = Date.parse(date);
  return counts.map((count, index) => ({ date: new Date(first + index * dayMs).toISOString().slice(0, 10), count }));
}

test("a bar is full only at 100%, and empty only at 0", () => {
  expect([0, 0.001, 0.5, 0.999, 1].map((share) => bar(share, 10))).toEqual([
    "          ",
    "█         ",
    "█████     ",
    "█████████ ",
    "██████████",
  ]);
  expect([bar(-1, 2, "░"), bar(7, 2, "░")]).toEqual(["░░", "██"]);
});

test("a sparkline distinguishes nothing from little, and the most from less", () => {
  expect(sparkline([0, 1, 50, 99, 100])).toBe("·▁▄██");
  expect([sparkline([]), sparkline([0, 0]), sparkline([1, 1])]).toEqual(["", "··", "██"]);
});

test.each([
  [{}, true],
  [{ ACCESSIBLE: "1" }, false],
  [{ ACCESSIBLE: "0" }, true],
  [{ ACCESSIBLE: "" }, true],
  [{ TERM: "dumb" }, false],
])("%j: pictures %s", (env, drawn) => {
  expect(repaints(env)).toBe(drawn);
});

describe("a heat map", () => {
  test("has the platform's five levels, one column per week starting on Sunday, and gaps for missing days", () => {
    // A Monday.
    const days = from("2026-03-02", [0, 1, 9, 10, 19, 20, 29, 30, 1000]);
    expect(heatMap(days, 80, plainStyle)).toEqual({
      months: "    Mar",
      days: ["Sun   ▓", "Mon · █", "Tue ░ █", "Wed ░", "Thu ▒", "Fri ▒", "Sat ▓"],
      legend: "· none  ░ 1-9  ▒ 10-19  ▓ 20-29  █ 30+",
      drawn: 2,
      weeks: 2,
    });
  });

  test("color repeats the characters", async () => {
    const style = await loadStyle("always", {}, { isTerminal: true });
    const { days } = heatMap(from("2026-03-01", [0, 1]), 80, style);
    expect(days.slice(0, 2)).toEqual(["Sun \u001b[2m·\u001b[22m", "Mon \u001b[36m░\u001b[39m"]);
  });

  const year = from("2025-11-16", new Array(371).fill(1));

  test("uses two columns per week if there is room, else one, else only the newest weeks", () => {
    const at = (columns: number) => {
      const { days, drawn } = heatMap(year, columns, plainStyle);
      return [days[0]?.length, drawn];
    };
    expect([120, 109, 108, 57, 56, 40, 5, 1].map(at)).toEqual([
      [109, 53],
      [109, 53],
      [57, 53],
      [57, 53],
      [56, 52],
      [40, 36],
      [5, 1],
      [5, 1],
    ]);
  });

  test("names each month above the first week that ends in it", () => {
    expect(heatMap(year, 120, plainStyle).months).toBe(
      "    Nov Dec     Jan       Feb     Mar     Apr     May       Jun     Jul     Aug       Sep     Oct       Nov",
    );
  });

  test("never has a line wider than the terminal, or a name that touches the next", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 1099 }),
        fc.integer({ min: 5, max: 400 }),
        (start, length, columns) => {
          const first = new Date(Date.parse("2020-01-01") + start * dayMs).toISOString().slice(0, 10);
          const { months, days } = heatMap(from(first, new Array(length).fill(7)), columns, plainStyle);
          for (const line of [months, ...days]) expect(line.length).toBeLessThanOrEqual(columns);
          expect(months).toMatch(/^ {4}(?: *[A-Z][a-z]{2}(?= |$))*$/);
        },
      ),
    );
  });

  test("in words: one line per month", () => {
    const days = from("2026-01-30", [3, 3, 0, 1]);
    expect(monthlyWords(days)).toEqual([
      "2026-01: 6 on 2 days, most on 2026-01-31 (3)",
      "2026-02: 1 on 1 day, most on 2026-02-02 (1)",
    ]);
    expect(monthlyWords(from("2026-02-01", [0]))).toEqual(["2026-02: nothing"]);
  });
});

describe("a view with a picture", () => {
  const shape = { date: { kind: "date" }, count: { kind: "integer" } };
  const view = (): RowsView => ({
    rows: from("2026-03-01", [0, 12]),
    columns: ["date", "count"],
    entity: { name: "CalendarDay", shape },
    drawn: "calendar",
    summary: () => ({
      text: "12 events",
      counts: [
        ["pushes", 9],
        ["notes", 3],
      ],
    }),
  });

  test("is drawn on a terminal, and in words where nothing is drawn", async () => {
    const drawn = await shown(view(), { format: "table", columns: 40, stderrColumns: 40 });
    expect(drawn.stdout).toContain("Mon ▒\n");
    expect(drawn.stderr).toBe("12 events\npushes  ████████████████████  9\nnotes   ██████                3\n");
    const told = await shown(view(), { format: "table", columns: 40, stderrColumns: 40, pictures: false });
    expect(told.stdout).toBe("2026-03: 12 on 1 day, most on 2026-03-02 (12)\n");
    expect(told.stderr).toBe("12 events: 9 pushes, 3 notes\n");
  });

  test("is rows without a terminal, with --fields, and in every other format", async () => {
    expect((await shown(view(), { format: "table" })).stdout).toBe(
      "date        count\n2026-03-01      0\n2026-03-02     12\n",
    );
    expect((await shown(view(), { format: "table", columns: 40, fields: ["count"] })).stdout).toBe(
      "count\n    0\n   12\n",
    );
    expect((await shown(view(), { format: "csv", columns: 40 })).stdout).toBe(
      "date,count\n2026-03-01,0\n2026-03-02,12\n",
    );
  });

  test("bars shrink on a narrow terminal, and disappear when too short", async () => {
    const at = async (stderrColumns: number) =>
      (await shown(view(), { format: "csv", stderrColumns })).stderr.split("\n").slice(1, 3);
    expect(await at(18)).toEqual(["pushes  ███████  9", "notes   ██       3"]);
    expect(await at(14)).toEqual(["pushes  9", "notes   3"]);
  });

  test("--quiet silences the summary", async () => {
    expect((await shown(view(), { format: "table", columns: 40, stderrColumns: 40, quiet: true })).stderr).toBe("");
  });
});

describe("pictures in a table", () => {
  const entity = {
    name: "Usage",
    shape: { path: { kind: "string" }, share: { kind: "share" }, days: { kind: "array", pictured: "sparkline" } },
  } as const;
  const rows = [
    { path: "acme/商店/前台", share: 0.7, days: [1, 2, 4] },
    { path: "acme/worker", share: 0.3, days: [0, 0, 1] },
  ];
  const table = async (columns: number, more = {}) =>
    (
      await shown(
        { rows, columns: ["path", "share", "days"], entity },
        { format: "table", columns, header: false, ...more },
      )
    ).stdout;

  test("bars use the remaining width, and shrink before a text is cut; the number stays", async () => {
    expect(await table(80)).toBe(
      "acme/商店/前台  ██████████████        70 %  ▂▄█\nacme/worker     ██████                30 %  ··█\n",
    );
    expect(await table(40)).toBe(
      "acme/商店/前台  █████████      70 %  ▂▄█\nacme/worker     ███            30 %  ··█\n",
    );
    expect(await table(26)).toBe("acme/商店/前台   70 %  ▂▄█\nacme/worker      30 %  ··█\n");
    expect(await table(24)).toBe("acme/商店/…    70 %  ▂▄█\nacme/worker    30 %  ··█\n");
  });

  test("without pictures there are numbers", async () => {
    expect(await table(80, { pictures: false })).toBe("acme/商店/前台  70 %  1, 2, 4\nacme/worker     30 %  0, 0, 1\n");
  });
});

import { describe, expect, test } from "vitest";
import { loadStyle } from "../../../src/terminal/style.ts";
import type { Passage } from "../../../src/terminal/view.ts";
import { shown } from "./recorder.ts";

const talk = [
  {
    id: "t1",
    notes: [
      { who: "Ann", at: "2026-03-07T12:00:00.000Z", text: "One, two, three, four, five, six, seven.\n\n\tdone" },
      { who: "Bob\u001b[2J", at: "2026-03-10T11:00:00.000Z", text: "\u202eYes\r\nerror: \u0007" },
    ],
  },
  { id: "t2", notes: [{ who: "李小龙", at: "not a time", text: "" }] },
];

const passage = (row: object): Passage => {
  const { id, notes } = row as (typeof talk)[number];
  return {
    heading: ["thread", id],
    inner: notes.map(({ who, at, text }) => ({ heading: [who, { time: at }], text })),
  };
};

const view = { rows: talk, columns: ["id", "notes.who"], passage };

describe("rows as passages", () => {
  test("on a terminal: indented, wrapped to its width, times short, control characters shown", async () => {
    const { stdout } = await shown(view, { format: "table", columns: 34 });
    expect(stdout).toBe(
      [
        "thread  t1",
        "  Ann  Sat 12:00",
        "    One, two, three, four, five,",
        "    six, seven.",
        "",
        "        done",
        "  Bob␛[2J  Tue 11:00",
        "    \\u202eYes",
        "    error: ␇",
        "",
        "thread  t2",
        "  李小龙  not a time",
        "",
      ].join("\n"),
    );
  });

  test("a text of another person that begins like a command stays beside its margin", async () => {
    const text = `forgectl ${"x ".repeat(11)} Bob  Sat 12:00 ${"y ".repeat(12)}`;
    const rows = [{ id: "t1", notes: [{ who: "Ann", at: "2026-03-07T12:00:00.000Z", text }] }];
    const inPassage = (await shown({ ...view, rows }, { format: "table", columns: 34 })).stdout;
    for (const line of inPassage.trimEnd().split("\n").slice(2)) expect(line).toMatch(/^ {4}.{1,30}$/);
    const record = (await shown({ record: { name: "n", body: text } }, { format: "table", columns: 34 })).stdout;
    expect(record.match(/^(?:name|body|\s{4}) {2}.{1,28}$/gm)).toHaveLength(record.trimEnd().split("\n").length);
  });

  test("a long value of a list of values writes no line that looks like another value", async () => {
    const text = `url    "https://a.example" -> "b ${"x".repeat(20)} token  not sent"\nname   "n"`;
    const rows = [{ id: "t1", notes: [] }];
    const itemized = () => ({ heading: ["~ hooks/Deploy"], text, itemized: true });
    const { stdout } = await shown({ ...view, rows, passage: itemized }, { format: "table", columns: 40 });
    const lines = stdout.trimEnd().split("\n").slice(1);
    expect(lines.filter((line) => /^ {2}\S/.test(line)).map((line) => line.slice(0, 6))).toEqual(["  url ", "  name"]);
    expect(lines.every((line) => line.length <= 40 && /^ {2}(?:\S| {4}\S)/.test(line))).toBe(true);
    expect(lines.join(" ").replace(/\s+/g, " ").trim()).toBe(text.replace(/\s+/g, " "));
  });

  test("a name of several lines writes none that looks like another heading", async () => {
    const who = `${"x".repeat(30)} ${"\u00a0\u00a0Bob\u00a0\u00a0Sat\u00a012:00".padEnd(33, "\u00a0")} y`;
    const rows = [{ id: "t1", notes: [{ who, at: "2026-03-07T12:00:00.000Z", text: "Yes" }] }];
    const { stdout } = await shown({ ...view, rows }, { format: "table", columns: 34 });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.filter((line) => /^\s{2,3}\S/.test(line))).toEqual([`  ${"x".repeat(22)}`]);
    expect(lines.at(-1)).toBe("    Yes");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(34);
  });

  test("a part of a heading that is one word, such as an ID, is not broken; a sign stays before its name", async () => {
    const id = "6a9c1750b37d513a43987b574953fceb50b03ce7";
    const heading = [`- acme/docs#protected_environments/${"review app ".repeat(4)}`.trim(), "state.yaml:12", id];
    const plan = { ...view, rows: [{}], passage: (): Passage => ({ heading }) };
    const { stdout } = await shown(plan, { format: "table", columns: 44 });
    expect(stdout.split("\n")).toEqual([
      "- acme/docs#protected_environments",
      "        /review app review app review",
      "        app review app  state.yaml:12",
      `        ${id}`,
      "",
    ]);
  });

  test("a command is one line, which the terminal wraps: of several lines, each would be pasted as one", async () => {
    const line = "forgectl --profile staging job-token limit on -p acme/platform/gateway";
    const shape = { where: { kind: "string" }, try: { kind: "string", whole: true } } as const;
    const rows = [{ where: "acme/platform/gateway", try: line }];
    const listed = { rows, columns: Object.keys(shape), entity: { name: "finding", shape } };
    const beside = (): Passage => ({ heading: ["warn"], beside: `it is not limited\ntry: ${line}` });
    for (const each of [listed, { ...listed, columns: ["try"] }, { ...listed, passage: beside }]) {
      const { stdout } = await shown(each, { format: "table", columns: 40 });
      expect(stdout.split("\n").map((text) => text.replace(/^.*(?=forgectl)/, ""))).toContain(line);
    }
  });

  test("without a terminal a table has absolute times and lines of any length", async () => {
    const { stdout } = await shown(view, { format: "table" });
    expect(stdout).toContain("  Ann  2026-03-07T12:00:00.000Z\n    One, two, three, four, five, six, seven.\n");
  });

  test("a terminal too narrow to wrap in gets whole lines", async () => {
    const { stdout } = await shown(view, { format: "table", columns: 20 });
    expect(stdout).toContain("    One, two, three, four, five, six, seven.\n");
  });

  test("the first part of a heading is highlighted", async () => {
    const style = await loadStyle("always", {}, { isTerminal: true });
    const { stdout } = await shown({ rows: talk.slice(1), columns: [], passage }, { format: "table", style });
    expect(stdout).toContain("\u001b[1mthread\u001b[22m  \u001b[2mt2\u001b[22m\n");
  });

  test("requested columns make it a table again, and the other formats do not change", async () => {
    expect((await shown(view, { format: "table", fields: ["id"] })).stdout).toBe("id\nt1\nt2\n");
    const { stdout } = await shown({ ...view, rows: talk.slice(1) }, { format: "tsv" });
    expect(stdout).toBe('id\tnotes.who\nt2\t["李小龙"]\n');
    expect(JSON.parse((await shown(view, { format: "json" })).stdout)).toEqual(talk);
  });

  test("consecutive pages are separated as their rows are", async () => {
    async function* slowly() {
      for (const row of talk) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield row;
      }
    }
    const whole = await shown(view, { format: "table" });
    expect(await shown({ ...view, rows: slowly() }, { format: "table" })).toEqual(whole);
  });

  test("nothing is written for an empty list", async () => {
    const { stdout, stderr } = await shown({ ...view, rows: [] }, { format: "table", stderrColumns: 80 });
    expect([stdout, stderr]).toEqual(["", "nothing found\n"]);
  });
});

describe("a record as a passage", () => {
  const [record = {}] = talk.slice(1);

  test("reads like one from a list", async () => {
    const { stdout } = await shown({ record, passage }, { format: "table", columns: 80 });
    expect(stdout).toBe("thread  t2\n  李小龙  not a time\n");
  });

  test("is a record again with --fields, and in the other formats", async () => {
    expect((await shown({ record, passage }, { format: "table", fields: ["id"] })).stdout).toBe("id  t2\n");
    expect(JSON.parse((await shown({ record, passage }, { format: "json" })).stdout)).toEqual(record);
  });
});

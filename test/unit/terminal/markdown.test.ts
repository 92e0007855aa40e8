import { expect, test } from "vitest";
import { markdownOf } from "../../../src/commands/audit/reports.ts";
import { markdownTable } from "../../../src/terminal/reports/markdown.ts";

test("a long audit is cut to what a note takes, and the rest is counted", () => {
  const rows = Array.from({ length: 2000 }, (_, at) => ({
    where: `acme/project-${at}`,
    rule: "job-token.open",
    severity: "high" as const,
    verdict: "fail" as const,
    finding: "jobs of every project of the instance have access",
    since: null,
    try: `forgectl job-token limit on -p acme/project-${at}`,
  }));
  const text = markdownOf(rows, "2000 findings");
  const shown = text.split("\n").filter((line) => line.startsWith("| `acme/")).length;
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(text.length).toBeGreaterThan(59_000);
  expect(text).toContain(`\n${2000 - shown} more rows are not shown.\n`);
});

/** The cells of a row as renderers split it: a backslash takes the character after it along. */
const cellsOf = (row: string) => [...row.matchAll(/((?:\\[^\n]|[^|\\\n])+)\|/g)].map(([, cell = ""]) => cell.trim());

test.each(["a|@all", "a\\|@all", "a\\\\|@all", "a\\\\\\|@all", "|", "\\|", "`|`", "(|(cn=a)(cn=\\2a))", "a\\"])(
  "%s is one cell, and code",
  (name) => {
    const text = markdownTable({ title: "", columns: ["name"], rows: [[name]] });
    const row = text.split("\n").at(-4) ?? "";
    const [cell = "", ...others] = cellsOf(row.slice(1));
    expect(others).toEqual([]);
    const [, fence = ""] = /^(`+)/.exec(cell) ?? [];
    expect([fence.length > 0, cell.endsWith(fence)]).toEqual([true, true]);
  },
);

test.each([
  ["public\u202e etavirp\u2066", "`public\\u202e etavirp\\u2066`"],
  ["##[error]x ##vso[task.complete]", "`##'[error]x ##'vso[task.complete]`"],
  ["a ##teamcity[buildStop]", "`a ##'teamcity[buildStop]`"],
  ["\u061c|\u200f", "`\\u061c\\|\\u200f`"],
  ["## a", "`## a`"],
])("%j is shown as it is, and obeyed by no viewer and no log", (name, cell) => {
  const text = markdownTable({ title: "", columns: ["name"], rows: [[name]] });
  expect(text).toContain(`\n| ${cell} |\n`);
});

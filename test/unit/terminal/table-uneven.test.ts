import { expect, test } from "vitest";
import { shown } from "./recorder.ts";

// A text that is never cut, and that no column is made for, makes its own line long and no other one.

const shape = { id: { kind: "id" }, address: { kind: "string", whole: true }, name: { kind: "string" } } as const;
const long = "x".repeat(100_000);
const rows = (at: number) =>
  Array.from({ length: 300 }, (_, index) => ({
    ...{ id: index, address: index === at ? long : "a", name: index === at ? "n".repeat(2000) : "Ann" },
  }));
const tableOf = async (at: number, columns?: number) => {
  const view = { rows: rows(at), columns: Object.keys(shape), entity: { name: "place", shape } };
  const { stdout } = await shown(view, { format: "table", ...(columns !== undefined && { columns }) });
  return stdout;
};

test("in a row after those that decide the layout, on a terminal: what may be cut is", async () => {
  const stdout = await tableOf(250, 60);
  expect(stdout.length).toBeLessThan(2 * long.length);
  const lines = stdout.split("\n");
  expect(lines[251]?.startsWith(`250  ${long}  n`)).toBe(true);
  expect(lines[251]?.length).toBeLessThan(long.length + 60);
  expect(lines[252]).toBe(lines[250]?.replace("249", "251"));
});

test.each([5, 250])("in a pipe, as row %i: nothing is cut", async (at) => {
  const stdout = await tableOf(at);
  expect(stdout.length).toBeLessThan(2 * long.length);
  const lines = stdout.split("\n");
  expect(lines[at + 1]).toBe(`${String(at).padStart(3)}  ${long}  ${"n".repeat(2000)}`);
  expect(lines[at]?.endsWith("  a        Ann")).toBe(true);
});

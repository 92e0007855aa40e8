import fc from "fast-check";
import { expect, test } from "vitest";
import type { Format } from "../../../src/base/format.ts";
import { loadStyle } from "../../../src/terminal/style.ts";
import { shown } from "./recorder.ts";

const style = await loadStyle("always", {}, { isTerminal: true });
// biome-ignore lint/suspicious/noControlCharactersInRegex: it takes the colors out again
const colors = /\u001b\[\d+m/g;
const value = { id: -1.5e3, "a:b": 'x": "y', ok: true, no: null, list: ["\\", "\u001b[31m"], empty: {} };

test("names, strings, words, and null have their own colors", async () => {
  const { stdout } = await shown({ record: value }, { format: "json", columns: 80, style });
  expect(stdout.split("\n").slice(0, 6)).toEqual([
    "{",
    '  \u001b[36m"id"\u001b[39m: \u001b[33m-1500\u001b[39m,',
    '  \u001b[36m"a:b"\u001b[39m: \u001b[32m"x\\": \\"y"\u001b[39m,',
    '  \u001b[36m"ok"\u001b[39m: \u001b[33mtrue\u001b[39m,',
    '  \u001b[36m"no"\u001b[39m: \u001b[2mnull\u001b[22m,',
    '  \u001b[36m"list"\u001b[39m: [',
  ]);
});

test.each<[string, Parameters<typeof shown>[0], Format, string | undefined]>([
  ["a record", { record: value }, "json", undefined],
  ["a line of a record", { record: value }, "ndjson", undefined],
  ["a list", { rows: [value, value] }, "json", undefined],
  ["lines", { rows: [value, value] }, "ndjson", undefined],
  ["a bare value", { value }, "table", undefined],
  ["a bare list", { value: [value] }, "json", undefined],
  ["a filter's results", { record: value }, "json", ".list, ."],
])("%s says the same in color, and has none without a terminal", async (_, view, format, jq) => {
  const plain = await shown(view, { format, columns: 80, jq });
  const painted = await shown(view, { format, columns: 80, jq, style });
  expect(painted.stdout).toContain("\u001b[32m");
  expect(painted.stdout.replaceAll(colors, "")).toBe(plain.stdout);
  expect((await shown(view, { format, jq, style })).stdout).toBe((await shown(view, { format, jq })).stdout);
});

test("a text of 20 million characters is painted as any other", async () => {
  const view = { record: { text: "x\\".repeat(10_000_000) } };
  const painted = await shown(view, { format: "json", columns: 80, style });
  const plain = await shown(view, { format: "json", columns: 80 });
  // Two colors begin and end: the name's, and the text's.
  expect(painted.stdout.length).toBe(plain.stdout.length + 20);
  expect(painted.stdout.slice(-14).replaceAll(colors, "")).toBe(plain.stdout.slice(-9));
});

test("in a filter's results, strings are bare and JSON is in color", async () => {
  const wanted = { format: "json", explicitFormat: false, columns: 80, jq: '.list[1], .ok, {a: "b"}', style } as const;
  expect((await shown({ record: value }, wanted)).stdout).toBe(
    '␛[31m\n\u001b[33mtrue\u001b[39m\n{\u001b[36m"a"\u001b[39m:\u001b[32m"b"\u001b[39m}\n',
  );
});

test("any value is the same JSON without the color", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (any) => {
      const { stdout } = await shown({ value: { any } }, { format: "json", columns: 80, style });
      expect(JSON.parse(stdout.replaceAll(colors, ""))).toEqual(JSON.parse(JSON.stringify({ any })));
    }),
    { seed: 14, numRuns: 200 },
  );
});

import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import { formats } from "../../../src/base/format.ts";
import { every } from "../../../src/node/timers.ts";
import { renderFailure } from "../../../src/terminal/failure-text.ts";
import { createProgress } from "../../../src/terminal/interaction/progress.ts";
import { loadStyle } from "../../../src/terminal/style.ts";
import type { ShapeField, View } from "../../../src/terminal/view.ts";
import { now, plain, recorder, shown, type Wanted } from "./recorder.ts";

// Untrusted text on a terminal, with a fixed seed: hostile texts in every place of every kind of view, in every format.

const seeded = { seed: 15, numRuns: 300 };

/** Sets the title, the clipboard, clears the screen, moves the cursor, starts CSI with one character, reorders. */
const attacks = [
  "\u001b]0;t\u0007",
  "\u001b]52;c;eA==\u0007",
  "\u001b[2J",
  "\r",
  "\b",
  "\u009b31m",
  "\u202e",
  "\u007f",
];
/** Everything that controls a terminal, except line feeds (with their carriage return) and tabs. */
const obeyed = new RegExp(
  [
    "[\\0-\\x08",
    "\\x0b",
    "\\x0c",
    "\\x0e-\\x1f",
    "\\x7f-\\x9f",
    "\\u061c\\u200e\\u200f",
    "\\u2028-\\u202e",
    "\\u2066-\\u2069]",
    "|\\r(?!\\n)",
  ].join(""),
);

const hostile = fc
  .array(fc.constantFrom(...attacks, "a", "b.c", " ", "\n", "\t", "日", "-", '"'), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""));
const field = fc.record<ShapeField>({
  kind: fc.constantFrom("string", "json", "timestamp", "date", "integer", "object", "array", "map", "boolean"),
});
const tree = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, hostile, fc.integer(), tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 3 }),
  object: fc.dictionary(hostile, tie("value"), { minKeys: 1, maxKeys: 4 }),
}));
const record = tree.object as fc.Arbitrary<object>;
const entity = fc.record({ name: hostile, shape: fc.dictionary(hostile, field, { maxKeys: 3 }) });
const passage = fc.record({
  heading: fc.array(fc.oneof(hostile, fc.record({ time: hostile })), { minLength: 1, maxLength: 3 }),
  text: hostile,
});
const passages = fc.tuple(passage, passage).map(([outer, inner]) => () => ({ ...outer, inner: [inner] }));
/** Columns that rows have, most of the time: a missing column shows its header only. */
const columnsOf = (row: object) => fc.subarray([...Object.keys(row), "a", "\u001b[2J"], { minLength: 1 });
const described = (row: object) => ({ columns: columnsOf(row), entity, passage: passages });
const views = fc.oneof(
  record.chain((row) => fc.record({ rows: fc.constant([row, row]), ...described(row) }, { requiredKeys: ["rows"] })),
  record.chain((row) =>
    fc.record({ record: fc.constant(row), message: hostile, ...described(row) }, { requiredKeys: ["record"] }),
  ),
  fc.record({ value: tree.value }),
  fc.record({ message: hostile }),
  hostile.map((text) => ({ bytes: bytesOf(text) })),
) as fc.Arbitrary<View>;
const asked = fc.record({
  format: fc.constantFrom(...formats),
  explicitFormat: fc.boolean(),
  header: fc.boolean(),
  /** `--fields` with the view's own columns. */
  chosen: fc.boolean(),
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

function wantedOf(view: View, { chosen, ...wanted }: { chosen: boolean } & Wanted): Wanted {
  const columns = "columns" in view ? view.columns : undefined;
  return chosen && columns !== undefined ? { ...wanted, fields: columns } : wanted;
}

test("no view controls a terminal, with any keys, columns, and values", async () => {
  const told: string[] = [];
  await fc.assert(
    fc.asyncProperty(views, asked, async (view, wanted) => {
      const { stdout, stderr, error } = await shown(view, {
        ...wantedOf(view, wanted),
        columns: 60,
        stderrColumns: 60,
      });
      told.push(stdout);
      expect(stdout).not.toMatch(obeyed);
      expect(stderr).not.toMatch(obeyed);
      if (error !== undefined) expect(error).toBeInstanceOf(Failure);
    }),
    seeded,
  );
  // Something was shown, including text that would control a terminal.
  expect(told.filter((text) => text.includes("␛")).length).toBeGreaterThan(50);
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: removes what color adds
const painted = /\u001b\[\d+m/g;

test("neither in color: apart from the program's own colors", async () => {
  const style = await loadStyle("always", {}, { isTerminal: true });
  await fc.assert(
    fc.asyncProperty(views, asked, async (view, wanted) => {
      const { stdout } = await shown(view, { ...wantedOf(view, wanted), style, columns: 60 });
      expect(stdout.replaceAll(painted, "")).not.toMatch(obeyed);
    }),
    seeded,
  );
});

test("without a terminal stdout is unchanged data, and stderr is still safe", async () => {
  await fc.assert(
    fc.asyncProperty(views, asked, async (view, wanted) => {
      const { stderr } = await shown(view, wantedOf(view, wanted));
      expect(stderr).not.toMatch(obeyed);
    }),
    seeded,
  );
  expect((await shown({ value: "\u001b[2J" })).stdout).toBe("\u001b[2J\n");
});

test("no error controls a terminal, including its trace, after its secrets are redacted", () => {
  const redact = (text: string) => text.replaceAll("\u001b]0;secret", "[redacted]");
  const details = fc.record({
    reason: hostile,
    hint: hostile,
    path: hostile,
    method: hostile,
    requestId: hostile,
    fields: fc.dictionary(hostile, fc.array(hostile, { maxLength: 2 }), { maxKeys: 2 }),
  });
  fc.assert(
    fc.property(hostile, details, hostile, fc.boolean(), (message, more, trace, json) => {
      const error = new Failure("refused", `${message}\u001b]0;secret`, more);
      const text = renderFailure(error, { json, style: plain, redact, trace });
      expect(text).not.toMatch(obeyed);
      expect(text).toContain("[redacted]");
    }),
    seeded,
  );
});

test("no label of a progress line controls a terminal", async () => {
  const stderr = recorder(60);
  const progress = createProgress({ stderr, env: {}, enabled: true, elapsedMs: () => now.getTime(), every });
  for (const attack of attacks) {
    const before = stderr.text.length;
    const task = progress.start(attack);
    await expect.poll(() => stderr.text.length).toBeGreaterThan(before);
    task.stop();
  }
  expect(stderr.text).toContain("␛[2J");
  const drawing = ["\u001b[?2026h", "\u001b[?2026l", "\u001b[K", "\r"];
  expect(drawing.reduce((text, sequence) => text.replaceAll(sequence, ""), stderr.text)).not.toMatch(obeyed);
});

test("terminal text is created in one file", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const makers = files.filter((path) =>
    / as TerminalText|(?<!\w)<TerminalText>/.test(readFileSync(`src/${path}`, "utf8")),
  );
  expect(makers).toEqual(["terminal/sanitize.ts"]);
});

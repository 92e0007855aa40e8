import { inTurns } from "../../base/in-turns.ts";
import { nextTurn } from "../../base/next-turn.ts";
import { hideSecrets } from "../../base/secrets.ts";
import { groupDigits } from "../../base/wording.ts";
import { ClosedPipe } from "../../host.ts";
import { batches } from "../batches.ts";
import { cutOf } from "../cut.ts";
import { asRow, checkAsked, projection } from "../fields.ts";
import { type RenderOptions, type RowWriter, writeNotice } from "../render-options.ts";
import { ndjsonText, safe } from "../sanitize.ts";
import { type Column, columnsOf } from "../table/cells.ts";
import type { Cut, RowsView } from "../view.ts";
import { headerLine, rowLine } from "./delimited-text.ts";
import { jsonPainter } from "./json-color.ts";
import { PendingText } from "./pending-text.ts";
import { isWhole, jsonItems, writeData } from "./whole-value.ts";

export async function renderRows(view: RowsView, options: RenderOptions): Promise<void> {
  const { fields } = options;
  checkAsked(fields, view, undefined);
  const paths = fields ?? view.columns;
  const writer = await writerFor(view, paths && columnsOf(paths, view.entity?.shape), options);
  const prepare = preparation(view, options);
  const { sorted } = view;
  const source = "batches" in view.rows ? view.rows.batches() : batches(view.rows);
  const ordered = sorted === undefined || options.format === "ndjson" ? source : inOrder(source, sorted);
  let count = 0;
  try {
    for await (const batch of ordered) {
      // Rows of a job are results, and all are shown.
      if ("batches" in view.rows) options.signal.throwIfAborted();
      if (count === 0) checkAsked(fields, view, batch[0]);
      count += batch.length;
      await writer.take(batch.map(prepare));
      // Rows of an array would all be written in one turn, in which no signal is heard.
      await nextTurn();
    }
  } catch (error) {
    if (!(error instanceof ClosedPipe)) await writer.failed(error);
    throw error;
  }
  await writer.end();
  if (count === 0) await noticeNothing(options);
  const cut = cutOf(view);
  if (cut !== undefined) await writeNotice(options, cutText(cut));
  const summary = view.summary?.();
  if (summary === undefined) return;
  const { writeSummary } = await import("./summary.ts");
  await writeSummary(summary, options);
}

/** All rows in order; those that arrived before a failure are yielded before it is thrown. */
async function* inOrder(source: AsyncIterable<object[]>, compare: NonNullable<RowsView["sorted"]>) {
  const all: object[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for await (const batch of source) all.push(...batch);
  } catch (error) {
    failure = { error };
  }
  if (all.length > 0) yield* inTurns(all.sort(compare as (a: object, b: object) => number));
  if (failure !== undefined) throw failure.error;
}

/** JSON and YAML contain all fields of a row unless `--fields` is given; the other formats choose columns. */
function preparation(view: RowsView, options: RenderOptions): (row: object) => object {
  const shape = view.entity?.shape;
  const unmasked = view.reveal === true ? (row: object) => row : (row: object) => hideSecrets(row, shape);
  if (options.fields === undefined || !(isWhole(options) || options.format === "ndjson")) return unmasked;
  const project = projection(options.fields, shape);
  return (row) => project(unmasked(row)) as object;
}

async function writerFor(
  view: RowsView,
  columns: readonly Column[] | undefined,
  options: RenderOptions,
): Promise<RowWriter> {
  if (options.format === "markdown") return markdownWriter(view.markdown, options);
  if (isWhole(options)) return wholeWriter(view, options);
  if (options.format === "ndjson") return ndjsonWriter(options);
  if (columns === undefined) return options.explicitFormat ? lateWriter(view, options) : ndjsonWriter(options);
  if (options.format === "csv" || options.format === "tsv") return delimitedWriter(options.format, columns, options);
  if (view.passage !== undefined && options.fields === undefined) {
    const { passageWriter } = await import("./passage.ts");
    return passageWriter(view.passage, options);
  }
  if (view.drawn !== undefined && options.stdout.isTerminal && options.fields === undefined) {
    const { calendarWriter } = await import("./calendar.ts");
    return calendarWriter(options);
  }
  const { tableWriter } = await import("../table/index.ts");
  const chosen = options.fields !== undefined;
  let left: readonly string[] = [];
  const onLeftOut = (paths: readonly string[]) => {
    left = paths;
  };
  const spare = chosen ? [] : (view.spare ?? []);
  const writer = await tableWriter(columns, { ...options, live: view.live === true, chosen, spare, onLeftOut });
  const end = async () => {
    await writer.end();
    if (left.length > 0) await writeNotice(options, `left out, for lack of width: ${left.join(", ")} (--fields)`);
  };
  return { ...writer, end };
}

/** A program cannot tell a partial list from a complete one, so it is printed only if it is valid by itself. */
function wholeWriter(view: RowsView, options: RenderOptions): RowWriter {
  return options.jq === undefined && options.format === "json" && view.enclosed === undefined
    ? arrayWriter(view, options)
    : valueWriter(view, options);
}

/** Rows are converted to JSON text at once: the objects of a long list would take several times the memory. */
function arrayWriter({ validIfPartial }: RowsView, options: RenderOptions): RowWriter {
  const { stdout } = options;
  const paint = jsonPainter(options);
  const pending = new PendingText();
  let empty = true;
  const end = async () => {
    if (empty) return stdout.write(safe`[]\n`);
    await pending.writeTo(stdout);
    await stdout.write(safe`\n]\n`);
  };
  return {
    async take(rows) {
      for (const items of jsonItems(rows)) {
        await pending.add(safe`${empty ? safe`[\n` : safe`,\n`}${paint ? paint(items) : items}`);
        empty = false;
      }
    },
    end,
    async failed() {
      if (validIfPartial) await end();
    },
  };
}

/** A filter and YAML need the complete value. */
function valueWriter({ rows: source, validIfPartial, enclosed }: RowsView, options: RenderOptions): RowWriter {
  const all: object[] = [];
  const leaving = "batches" in source ? options.signal : undefined;
  const write = () =>
    writeData(enclosed === undefined ? all : { ...enclosed.beside, [enclosed.name]: all }, options, leaving);
  return {
    async take(rows) {
      for (const row of rows) all.push(row);
    },
    end: write,
    async failed() {
      if (validIfPartial) await write();
    },
  };
}

function markdownWriter(markdown: RowsView["markdown"], { stdout }: RenderOptions): RowWriter {
  const all: object[] = [];
  return {
    async take(rows) {
      all.push(...rows);
    },
    end: () => stdout.writeData(markdown?.(all) ?? ""),
    failed: async () => {},
  };
}

function ndjsonWriter(options: RenderOptions): RowWriter {
  const paint = jsonPainter(options);
  return {
    take: (rows) => options.stdout.write(paint ? paint(ndjsonText(rows)) : ndjsonText(rows)),
    end: async () => {},
    failed: async () => {},
  };
}

/** The format has columns, and they are known only from the first row. What others have besides is said at the end. */
function lateWriter(view: RowsView, options: RenderOptions): RowWriter {
  let writer: RowWriter | undefined;
  const known = new Set<string>();
  const left = new Set<string>();
  return {
    async take(items) {
      const rows = items.map(asRow);
      for (const name of writer === undefined ? Object.keys(rows[0] ?? {}) : []) known.add(name);
      for (const name of rows.flatMap(Object.keys)) if (!known.has(name)) left.add(name);
      writer ??= await writerFor(view, columnsIn(rows[0] ?? {}), options);
      await writer.take(rows);
    },
    async end() {
      await writer?.end();
      if (left.size > 0) await writeNotice(options, leftText([...left]));
    },
    failed: async (error) => writer?.failed(error),
  };
}

const mostNamed = 20;

function leftText(names: readonly string[]): string {
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more` : "";
  return `left out, as the first row does not have them: ${names.slice(0, mostNamed).join(", ")}${more} (--fields, -o ndjson)`;
}

/** The row's own field names: a dot in a name does not mean nesting. */
function columnsIn(row: object): Column[] {
  return Object.keys(row).map((path) => ({ path, names: [path], field: undefined }));
}

function delimitedWriter(format: "csv" | "tsv", columns: readonly Column[], options: RenderOptions): RowWriter {
  const shape = { format, isLogged: options.isLogged };
  let header = options.header ? headerLine(shape, columns) : "";
  const write = async (lines: readonly string[]) => {
    const text = header + lines.join("");
    header = "";
    if (text !== "") await options.stdout.writeData(text);
  };
  return {
    take: (rows) => write(rows.map((row) => rowLine(shape, columns, row))),
    end: () => write([]),
    failed: async () => {},
  };
}

async function noticeNothing(options: RenderOptions): Promise<void> {
  if (options.stderr.isTerminal && !isWhole(options)) await writeNotice(options, "nothing found");
}

function cutText({ shown, total, page, nextPage }: Cut): string {
  const count = groupDigits(shown);
  if (page !== undefined) {
    const all = total === undefined ? "" : ` of ${groupDigits(total)}`;
    const further = nextPage === undefined ? "a greater --limit shows more" : `--page ${nextPage} for the next`;
    return `shown ${count}${all}, from page ${page} on; ${further}`;
  }
  if (total === undefined) return `shown ${count}; there are more: --limit all for the rest`;
  return `shown ${count} of ${groupDigits(total)}; --limit all for the rest`;
}

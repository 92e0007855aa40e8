import { hideSecrets } from "../base/secrets.ts";
import { blockCell, type Column, cellOptions, columnsOf } from "./cells.ts";
import { isWhole, writeData } from "./data.ts";
import { headerLine, rowLine } from "./delimited.ts";
import { checkAsked, projection, valueAt } from "./fields.ts";
import { type RenderOptions, writeNotice } from "./options.ts";
import { blanks, joined, safe, trimmedEnd, visible } from "./sanitize.ts";
import type { RecordView, ShapeField } from "./view.ts";
import { loadMeasure, wrapInto } from "./width.ts";

export async function renderRecord(view: RecordView, options: RenderOptions): Promise<void> {
  const { fields, format } = options;
  checkAsked(fields, view, view.record);
  const record = view.reveal === true ? view.record : hideSecrets(view.record, view.entity?.shape);
  if (format === "table" && !isWhole(options) && view.passage !== undefined && fields === undefined) {
    const { passageWriter } = await import("./passage.ts");
    await (await passageWriter(view.passage, options)).take([record]);
  } else if (format === "table" && !isWhole(options)) {
    await writeList(record, recordColumns(view, options, false), options);
  } else if ((format === "csv" || format === "tsv") && !isWhole(options)) {
    const columns = recordColumns(view, options, true);
    const header = options.header ? headerLine(format, columns) : "";
    await options.stdout.writeData(header + rowLine(format, columns, record));
  } else {
    await writeData(fields === undefined ? record : projection(fields)(record), options);
  }
  if (view.message !== undefined) await writeNotice(options, view.message);
}

const nested = new Set(["array", "object", "map", "json"]);

/** What was asked for, else what the command chose, else what is documented, else what is there. */
function recordColumns(view: RecordView, options: RenderOptions, scalars: boolean): Column[] {
  const shape = view.entity?.shape;
  const chosen = options.fields ?? view.columns;
  if (chosen !== undefined) return columnsOf(chosen, shape);
  if (shape !== undefined) {
    const wanted = Object.entries<ShapeField>(shape).filter(
      ([, field]) => !scalars || !nested.has(field.kind) || field.worded !== undefined,
    );
    return columnsOf(
      wanted.map(([name]) => name),
      shape,
    );
  }
  const entries = Object.entries(view.record).filter(
    ([, value]) => !scalars || typeof value !== "object" || value === null,
  );
  return entries.map(([path]) => ({ path, names: [path], field: undefined }));
}

const gap = safe`  `;

/** `field  value`, a line each; long text is wrapped, never cut. */
async function writeList(record: object, columns: readonly Column[], options: RenderOptions): Promise<void> {
  const measure = await loadMeasure();
  const { stdout, style } = options;
  const cells = cellOptions(options);
  const present = columns
    .map(({ path, names, field }) => ({ label: visible(path), field, value: valueAt(record, names) }))
    // Undefined is what this instance, tier, or request does not give; null is an answer.
    .filter(({ value }) => value !== undefined || options.fields !== undefined);
  const labelWidth = present.reduce((widest, { label }) => Math.max(widest, measure.width(label)), 0);
  const room = (stdout.columns ?? Number.POSITIVE_INFINITY) - labelWidth - gap.length;
  const indent = blanks(labelWidth);
  const lines = present.flatMap(({ label, field, value }) => {
    const block = blockCell(value, field, cells).flatMap((line) => wrapInto(room, line, measure));
    return block.map((line, index) => {
      const begin = index === 0 ? safe`${style.bold(label)}${blanks(labelWidth - measure.width(label))}` : indent;
      return trimmedEnd(safe`${begin}${gap}${line}`);
    });
  });
  if (lines.length > 0) await stdout.write(safe`${joined(lines, safe`\n`)}\n`);
}

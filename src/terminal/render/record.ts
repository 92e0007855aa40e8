import { hideSecrets } from "../../base/secrets.ts";
import { checkAsked, projection, scalarsOf, valueAt } from "../fields.ts";
import { tableLines } from "../job-log.ts";
import { type RenderOptions, writeNotice } from "../render-options.ts";
import { joined, safe } from "../sanitize.ts";
import { type Column, cellOptions, columnsOf } from "../table/cells.ts";
import { recordLines } from "../table/field-list.ts";
import type { RecordView } from "../view.ts";
import { loadMeasure } from "../width.ts";
import { headerLine, rowLine } from "./delimited-text.ts";
import { isWhole, writeData } from "./whole-value.ts";

export async function renderRecord(view: RecordView, options: RenderOptions): Promise<void> {
  const { fields, format } = options;
  checkAsked(fields, view, view.record);
  const record = view.reveal === true ? view.record : hideSecrets(view.record, view.entity?.shape);
  if (format === "table" && !isWhole(options) && view.passage !== undefined && fields === undefined) {
    const { passageWriter } = await import("./passage.ts");
    await (await passageWriter(view.passage, options)).take([record]);
  } else if (format === "table" && !isWhole(options)) {
    const card = cardOf(view, options);
    await writeList(record, card ?? recordColumns(view, options, false), options);
    if (card !== undefined) await noticeRest(record, card, options);
  } else if ((format === "csv" || format === "tsv") && !isWhole(options)) {
    const columns = recordColumns(view, options, true);
    const shape = { format, isLogged: options.isLogged };
    const header = options.header ? headerLine(shape, columns) : "";
    await options.stdout.writeData(header + rowLine(shape, columns, record));
  } else {
    await writeData(fields === undefined ? record : projection(fields, view.entity?.shape)(record), options);
  }
  if (view.message !== undefined) await writeNotice(options, view.message);
}

/** The requested columns, else the command's, else the documented fields, else those of the record. */
function recordColumns(view: RecordView, options: RenderOptions, scalars: boolean): Column[] {
  const shape = view.entity?.shape;
  const chosen = options.fields ?? view.columns;
  if (chosen !== undefined) return columnsOf(chosen, shape);
  if (shape !== undefined) return columnsOf(scalars ? scalarsOf(shape) : Object.keys(shape), shape);
  const entries = Object.entries(view.record).filter(
    ([, value]) => !scalars || typeof value !== "object" || value === null,
  );
  return entries.map(([path]) => ({ path, names: [path], field: undefined }));
}

/** The columns shown on a terminal for a record with many fields. */
function cardOf({ entity, record }: RecordView, { stdout, fields }: RenderOptions): Column[] | undefined {
  if (entity?.card === undefined || !stdout.isTerminal || fields !== undefined) return undefined;
  const asked = Object.keys(entity.shape).filter(
    (name) => entity.shape[name]?.onlyWith !== undefined && valueAt(record, [name]) !== undefined,
  );
  return columnsOf([...new Set([...entity.card, ...asked])], entity.shape);
}

async function noticeRest(record: object, card: readonly Column[], options: RenderOptions): Promise<void> {
  const all = Object.keys(record);
  const shown = card.filter(({ names }) => all.includes(names[0] ?? ""));
  if (shown.length === all.length) return;
  await writeNotice(options, `${shown.length} of ${all.length} fields; -o yaml shows all, --fields selects some`);
}

/** Writes a line for each field that is present or was requested. */
async function writeList(record: object, columns: readonly Column[], options: RenderOptions): Promise<void> {
  const measure = await loadMeasure(options.style.signs);
  const { stdout, style, fields } = options;
  const cells = cellOptions(options);
  // Undefined: this instance, tier, or request does not return the field. Null is a value.
  const present = columns.filter(({ names }) => valueAt(record, names) !== undefined || fields !== undefined);
  const lines = recordLines(record, present, { stdout, style, cells, measure, margin: safe``, label: style.bold });
  if (lines.length > 0) await stdout.write(tableLines(safe`${joined(lines, safe`\n`)}\n`, stdout));
}

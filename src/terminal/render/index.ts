import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { hideSecrets } from "../../base/secrets.ts";
import { bareJson, bareText } from "../job-log.ts";
import { type RenderOptions, writeNotice } from "../render-options.ts";
import { jsonText } from "../sanitize.ts";
import { rawText } from "../table/cells.ts";
import type { ValueView, View } from "../view.ts";
import { renderBytes } from "./bytes.ts";
import { renderRecord } from "./record.ts";
import { renderRows } from "./rows.ts";
import { selected, writeData, writeJson } from "./whole-value.ts";

/** Writes a command's result, the only output on stdout. On a closed pipe, stops the rows' source and throws. */
export async function render(view: View, options: RenderOptions): Promise<void> {
  if ("rows" in view) return renderRows(view, options);
  if ("record" in view) return renderRecord(view, options);
  if ("value" in view) return renderValue(view, options);
  if ("message" in view) return writeNotice(options, view.message);
  const flag = options.jq !== undefined ? "--jq" : options.fields !== undefined ? "--fields" : undefined;
  if (flag !== undefined)
    throw new UsageError(`${flag} does not apply here: the result is bytes`, { code: "bad_flag" });
  await renderBytes(view, options.stdout);
}

async function renderValue({ value: given, text, reveal = false }: ValueView, options: RenderOptions): Promise<void> {
  const rows = rowsIn(given, options);
  if (rows !== undefined) return renderRows({ rows, reveal }, options);
  let value = reveal ? given : hideSecrets(given);
  if (options.fields !== undefined) {
    if (typeof value !== "object" || value === null) {
      throw new UsageError("--fields does not apply here: the result is a single value", { code: "bad_flag" });
    }
    value = selected(value, options.fields);
  }
  const { format, jq, typedFormat } = options;
  const isBare = !typedFormat && (typeof value !== "object" || value === null);
  if (jq !== undefined || (!isBare && (format === "json" || format === "ndjson" || format === "yaml")))
    return writeData(value, options, options.signal);
  const pretty = format === "table" && typeof value === "object" && value !== null;
  if (pretty) return writeJson(jsonText(value, 2), options);
  const bare = value === given ? (text ?? rawText(value)) : rawText(value);
  const isJson = typeof value === "object" && value !== null;
  await options.stdout.writeData(`${isJson ? bareJson(bare, options) : bareText(bare, options)}\n`);
}

/** The rows of a value, if a row format was requested. */
function rowsIn(value: unknown, { format, explicitFormat, jq }: RenderOptions): object[] | undefined {
  if (!explicitFormat || jq !== undefined || format === "json" || format === "yaml") return undefined;
  if (Array.isArray(value)) return value.every(isObject) ? value : undefined;
  // One object is one line of JSON; a table shows it in full.
  return isObject(value) && (format === "csv" || format === "tsv") ? [value] : undefined;
}

export type { RenderOptions } from "../render-options.ts";

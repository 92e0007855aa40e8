import { inTurns } from "../../base/in-turns.ts";
import type { TerminalText } from "../../host.ts";
import { checkAsked, projection } from "../fields.ts";
import { bareResults, filter, jsonResults, paintedResults, yamlResults } from "../jq.ts";
import { type RenderOptions, writeNotice } from "../render-options.ts";
import { jsonText, part, safe } from "../sanitize.ts";
import { toYaml } from "../yaml.ts";
import { jsonPainter } from "./json-color.ts";

/** Whether the result is printed as one value, so that a list must be complete first. */
export function isWhole({ format, jq }: RenderOptions): boolean {
  return jq !== undefined || format === "json" || format === "yaml";
}

/**
 * Prints a complete result in a format for programs, filtered by `--jq` if given.
 *
 * @param leaving ends it between two parts; not given for results of a job, which are all shown
 */
export async function writeData(value: unknown, options: RenderOptions, leaving?: AbortSignal): Promise<void> {
  if (options.jq !== undefined) return writeFiltered(options.jq, value, options, leaving);
  if (options.format === "yaml") return writeYaml(value, options, leaving);
  if (Array.isArray(value) && options.format !== "ndjson") return writeArray(value, options);
  await writeJson(jsonText(value, options.format === "ndjson" ? undefined : 2), options);
}

/** Writes JSON text, in color on a terminal. */
export function writeJson(text: TerminalText, options: Pick<RenderOptions, "stdout" | "style">): Promise<void> {
  const paint = jsonPainter(options);
  return options.stdout.write(safe`${paint ? paint(text) : text}\n`);
}

async function writeFiltered(
  expression: string,
  value: unknown,
  options: RenderOptions,
  leaving: AbortSignal | undefined,
): Promise<void> {
  // A filter may run forever.
  const { results, notes } = await options.unwatched(() => filter(expression, value));
  if (notes !== "") await writeNotice({ ...options, quiet: false }, notes);
  if (results.length === 0) return;
  if (options.typedFormat && options.format === "yaml") return writeDocuments(results, options, leaving);
  const isJson = options.typedFormat && (options.format === "json" || options.format === "ndjson");
  if (isJson) return writeJson(jsonResults(results), options);
  const paint = jsonPainter(options);
  await (paint
    ? options.stdout.write(paintedResults(results, paint))
    : options.stdout.writeData(bareResults(results, options)));
}

async function writeYaml(value: unknown, { stdout }: RenderOptions, leaving?: AbortSignal): Promise<void> {
  if (!Array.isArray(value) || value.length === 0) return stdout.writeData(await toYaml(value));
  for await (const items of inTurns(value, leaving)) await stdout.writeData(await toYaml(items));
}

async function writeDocuments(
  results: readonly string[],
  { stdout }: RenderOptions,
  leaving?: AbortSignal,
): Promise<void> {
  let before = "";
  for await (const some of inTurns(results, leaving)) {
    await stdout.writeData(before + (await yamlResults(some)));
    before = "---\n";
  }
}

async function writeArray(items: readonly unknown[], options: RenderOptions): Promise<void> {
  const { stdout } = options;
  if (items.length === 0) return stdout.write(safe`[]\n`);
  const paint = jsonPainter(options);
  let before = safe`[\n`;
  for (const text of jsonItems(items)) {
    await stdout.write(safe`${before}${paint ? paint(text) : text}`);
    before = safe`,\n`;
  }
  await stdout.write(safe`\n]\n`);
}

/** Items in one text: a long list need not fit into one string, and V8 is slower with texts of more than 128 kB. */
const itemsAtOnce = 50;

/**
 * The items of an array as JSON texts, to be joined with commas; without the brackets and the line feeds next to them.
 */
export function* jsonItems(items: readonly unknown[]): Generator<TerminalText> {
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    yield part(jsonText(items.slice(start, start + itemsAtOnce), 2), 2, -2);
  }
}

/** The requested fields of a value without a documented entity. */
export function selected(value: unknown, fields: readonly string[]): unknown {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === "object" && first !== null) checkAsked(fields, {}, first);
  return projection(fields)(value);
}

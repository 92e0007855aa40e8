import { UsageError } from "../base/errors.ts";
import type { TerminalText } from "../host.ts";
import { bareJson, bareText, type Written } from "./job-log.ts";
import { joined, jsonLines, safe, visibleLines } from "./sanitize.ts";
import type { Paint } from "./style.ts";
import { toYaml } from "./yaml.ts";

/** Refuses a `--jq` filter that does not compile; without input, none of it runs. */
export async function checkJq(expression: string): Promise<void> {
  await run("", expression);
}

interface JqResult {
  /** Each result as one line of compact JSON. */
  results: string[];
  /** Output of `debug` and `stderr` in the filter. */
  notes: string;
}

/** Runs a `--jq` filter on a value. Throws a UsageError with jq's message if it fails. */
export async function filter(expression: string, value: unknown): Promise<JqResult> {
  const { stdout, stderr } = await run(JSON.stringify(value) ?? "null", expression);
  return { results: stdout === "" ? [] : stdout.split("\n"), notes: stderr };
}

async function run(input: string, expression: string) {
  const jq = await import("jq-wasm");
  // The space keeps a filter such as `-1` from being parsed as an option. Compact output is one result per line.
  const result = await jq.raw(input, ` ${expression}`, ["-c"]).catch((error: unknown) => {
    throw isTooCostly(error) ? tooCostly() : error;
  });
  if (result.exitCode === 0) return result;
  // Without input, only the filter itself can fail.
  const compiled = result.exitCode !== 3 && input !== "";
  throw new UsageError(compiled ? "the --jq filter failed on this result" : "the --jq filter does not compile", {
    code: compiled ? "jq_failed" : "bad_jq",
    reason: compiled && result.stderr.length > maxNotes ? "it writes too many messages" : cleaned(result.stderr),
  });
}

/** jq ends its own machine when it has no memory or no stack left. */
function isTooCostly(error: unknown): boolean {
  return error instanceof Error && (error.name === "RuntimeError" || error instanceof RangeError);
}

function tooCostly(): UsageError {
  return new UsageError("the --jq filter failed on this result", {
    code: "jq_failed",
    reason: "it needs too much memory or too many nested calls",
  });
}

/** Characters: jq repeats the line of the filter for each error. */
const maxMessage = 2000;
/** Characters, at least, that jq has written when it is stopped (scripts/patches.mjs). */
const maxNotes = 1e6;

/** jq's message, or its beginning, without the parts that only apply to a program called jq reading stdin. */
function cleaned(stderr: string): string {
  const shown =
    stderr.length > maxMessage ? `${stderr.slice(0, maxMessage).replace(/[\ud800-\udbff]$/, "")}…` : stderr.trimEnd();
  return shown.replace(/^jq: error(?: \(at \/dev\/stdin:\d+\))?:? ?/gm, "").replace(/\njq: \d+ compile errors?$/, "");
}

/** Strings without quotes, one result per line: for shells. */
export function bareResults(results: readonly string[], where: Written): string {
  const bare = (line: string) =>
    line.startsWith('"') ? bareText(JSON.parse(line) as string, where) : bareJson(line, where);
  return results.map((line) => `${bare(line)}\n`).join("");
}

/** The same for people: JSON in color. */
export function paintedResults(results: readonly string[], paint: Paint): TerminalText {
  const lines = results.map((line) =>
    line.startsWith('"') ? visibleLines(JSON.parse(line) as string) : paint(jsonLines(line)),
  );
  return safe`${joined(lines, safe`\n`)}\n`;
}

/** One JSON text per line, without the last line feed. */
export function jsonResults(results: readonly string[]): TerminalText {
  return joined(results.map(jsonLines), safe`\n`);
}

/** One YAML document per result. */
export async function yamlResults(results: readonly string[]): Promise<string> {
  const documents: string[] = [];
  for (const line of results) documents.push(await toYaml(JSON.parse(line)));
  return documents.join("---\n");
}

import type { Fields } from "../api/field.ts";
import { missing, UsageError } from "../base/errors.ts";
import type { Command } from "../declare/command.ts";
import { argumentTerms, type FlagDescription, flagUsage, parsedFlags } from "../declare/describe.ts";
import { parseMany, parseValue } from "./parse.ts";
import { isRelativeTime } from "./time.ts";

/** commander's values by flag: text, a list of texts if repeated, or whether it was given. */
export type RawFlags = Readonly<Record<string, string | string[] | boolean | undefined>>;

/** Flags as values, by parameter name. Throws UsageError if a required one is missing. */
export function convertFlags(fields: Fields, raw: RawFlags): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const flag of parsedFlags(fields)) {
    const value = raw[flag.name];
    if (value === undefined) {
      if (flag.required) throw missing(flagUsage(flag), { code: "missing_flag" });
      continue;
    }
    values[flag.name] = convertFlag(flag, value);
  }
  return values;
}

function convertFlag(flag: FlagDescription, value: string | string[] | boolean): unknown {
  if (flag.field.refused !== undefined) throw new UsageError(`${flag.long}: ${flag.field.refused}`);
  if (typeof value === "boolean") return value;
  return Array.isArray(value) ? parseMany(flag.field, value, flag.long) : parseValue(flag.field, value, flag.long);
}

/** The flags that have a relative time, with their text: its value is another one in each run. */
export function relativeTimes(fields: Fields, raw: RawFlags): Record<string, string> {
  const times: Record<string, string> = {};
  for (const { name, field } of parsedFlags(fields)) {
    const text = raw[name];
    const isTime = field.kind === "timestamp" || field.kind === "date";
    if (isTime && typeof text === "string" && isRelativeTime(text)) times[name] = text;
  }
  return times;
}

/** Positional texts as values, by argument name. */
export function convertArguments(command: Command, texts: readonly (string | string[] | undefined)[]) {
  const values: Record<string, unknown> = {};
  for (const [index, { name, term, field }] of argumentTerms(command.args).entries()) {
    const text = texts[index];
    if (text === undefined || (Array.isArray(text) && text.length === 0)) continue;
    values[name] = Array.isArray(text) ? parseMany(field, text, term) : parseValue(field, text, term);
  }
  return values;
}

import { RE2JS, RE2JSException } from "re2js";
import { ownValue } from "../../own-value.ts";
import { type FieldErrors, invalid, missing } from "../../server/problem.ts";
import type { Tag } from "./model.ts";

/** The parameters of a bulk delete; 1-project-api: Bulk delete parameters. */
interface BulkParams {
  readonly name_regex: string | undefined;
  readonly name_regex_delete: string | undefined;
  readonly name_regex_keep: string | undefined;
  readonly keep_n: number | undefined;
  readonly older_than: string | undefined;
}

/**
 * The tags that a bulk delete deletes, oldest last. The platform puts `\A` before a pattern and `\z` after it, without
 * a group: `a|b` matches names that begin with `a` or end with `b`.
 */
export function chooseTags(tags: readonly Tag[], params: BulkParams, now: Date): Tag[] {
  const name = params.name_regex_delete === undefined && params.name_regex !== undefined ? "name_regex" : undefined;
  const pattern = params.name_regex_delete ?? params.name_regex;
  if (pattern === undefined) throw missing("name_regex_delete");
  const errors: Record<string, FieldErrors[string]> = {};
  const deletes = compile(pattern, name ?? "name_regex_delete", errors);
  const keeps = compile(params.name_regex_keep, "name_regex_keep", errors);
  const seconds = params.older_than === undefined ? 0 : secondsOf(params.older_than);
  if (seconds === undefined) errors.older_than = ["is not a duration"];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const limit = new Date(now.getTime() - (seconds ?? 0) * 1000).toISOString();
  return tags
    .filter((tag) => deletes?.(tag.name) && !keeps?.(tag.name) && tag.name !== "latest")
    .sort((a, b) => (a.created_at > b.created_at ? -1 : a.created_at < b.created_at ? 1 : a.id - b.id))
    .slice(params.keep_n ?? 0)
    .filter((tag) => params.older_than === undefined || tag.created_at < limit);
}

function compile(
  pattern: string | undefined,
  name: string,
  errors: Record<string, FieldErrors[string]>,
): ((name: string) => boolean) | undefined {
  if (pattern === undefined || pattern === "") return undefined;
  try {
    RE2JS.compile(pattern);
    const anchored = RE2JS.compile(`\\A${pattern}\\z`);
    return (text) => anchored.matcher(text).find();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    errors[name] = [`not valid RE2 syntax: ${error.message.replace(/^error parsing regexp: /, "")}`];
    return undefined;
  }
}

const DAY = 86_400;
const units: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  d: DAY,
  day: DAY,
  w: 7 * DAY,
  wk: 7 * DAY,
  week: 7 * DAY,
  mo: 30 * DAY,
  month: 30 * DAY,
  y: 365.25 * DAY,
  yr: 365.25 * DAY,
  year: 365.25 * DAY,
};

/** `1h`, `1d`, `1month`, `2 weeks`, `1 day 12 hours`; undefined for anything else. */
function secondsOf(text: string): number | undefined {
  const parts = [...text.toLowerCase().matchAll(/(?<!\d)(\d+(?:\.\d+)?)\s*([a-z]+)/g)];
  const rest = text.toLowerCase().replace(/(?<!\d)(\d+(?:\.\d+)?)\s*([a-z]+)|,|\band\b/g, "");
  if (parts.length === 0 || rest.trim() !== "") return undefined;
  let total = 0;
  for (const [, count, word = ""] of parts) {
    const unit = ownValue(units, word) ?? ownValue(units, word.replace(/s$/, ""));
    if (unit === undefined) return undefined;
    total += Number(count) * unit;
  }
  return total === 0 ? undefined : total;
}

import { string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";

export const linesFlag = string("Only these lines, counted from 1", { placeholder: "a-b" });

/** `--lines` as the two parameters of a blame. */
export function rangeOf(text: string | undefined): { range_start?: number; range_end?: number } {
  if (text === undefined) return {};
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const start = Number(from);
  const end = Number(to ?? from);
  if (from !== undefined && start >= 1 && end >= start) return { range_start: start, range_end: end };
  throw new UsageError(`--lines: must be two line numbers such as 3-5, the smaller one first, not "${text}"`);
}

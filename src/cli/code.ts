import { UsageError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";

/**
 * The number for its name, in any case, or for its digits. Throws UsageError on other text.
 *
 * @param label the flag or argument as typed: `--access-level`.
 */
export function readCode(codes: Readonly<Record<string, number>>, text: string, label: string): number {
  const name = text.toLowerCase();
  const number = /^\d+$/.test(text) ? Number(text) : Object.hasOwn(codes, name) ? codes[name] : undefined;
  if (number !== undefined && Object.values(codes).includes(number)) return number;
  const guess = nearest(name, Object.keys(codes));
  const allowed = Object.entries(codes).map(([each, value]) => `${each} (${value})`);
  throw new UsageError(
    `${label}: must be one of ${allowed.join(", ")}, not "${text}"`,
    guess === undefined ? {} : { hint: `did you mean ${guess}?` },
  );
}

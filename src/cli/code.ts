import { notOneOf } from "../base/not-one-of.ts";
import { ownValue } from "../base/own-value.ts";

/**
 * The number for its name, in any case, or for its digits, up to the highest that is documented. Throws UsageError on
 * other text.
 *
 * @param label the flag or argument as typed: `--access-level`.
 */
export function readCode(codes: Readonly<Record<string, number>>, text: string, label: string): number {
  const name = text.toLowerCase();
  const number = /^\d+$/.test(text) ? Number(text) : ownValue(codes, name);
  const known = Object.values(codes);
  // Newer releases have levels between those that are documented.
  if (number !== undefined && number > 0 && number <= Math.max(...known)) return number;
  const shown = Object.entries(codes).map(([each, value]) => `${each} (${value})`);
  throw notOneOf({ label, text, allowed: Object.keys(codes), shown });
}

import { isEmpty, type Problem } from "./value.ts";

/** Bytes. */
const megabyte = 1_048_576;

/** Settings that instances show in bytes, and take in megabytes (settings-taken-in-megabytes). */
const takenInMegabytes: ReadonlySet<string> = new Set(["repository_size_limit"]);

/** Settings that instances show as an empty text, and take as a word instead of it (settings-all-protocols). */
const takenForEmpty: ReadonlyMap<string, string> = new Map([["enabled_git_access_protocol", "all"]]);

/** Settings that instances show as a list, and take as one text with commas. */
const takenAsText: ReadonlySet<string> = new Set(["elasticsearch_url"]);

/** The word that an instance takes for the empty text that it shows; undefined if it takes that. */
export function wordForEmpty(name: string): string | undefined {
  return takenForEmpty.get(name);
}

/** Whether it has another unit when it is sent, so that it must be a number. */
export function hasOwnUnit(name: string): boolean {
  return takenInMegabytes.has(name);
}

/** A value as an instance shows it, as it takes it: in another unit, a word for an empty text, or a text for a list. */
export function asTaken(name: string, value: unknown): unknown {
  if (isEmpty(value)) return wordForEmpty(name) ?? value;
  if (takenAsText.has(name) && Array.isArray(value)) return value.join(",");
  return takenInMegabytes.has(name) && typeof value === "number" ? value / megabyte : value;
}

/** A value that cannot be sent. */
export function checkUnit(name: string, value: unknown): Problem[] {
  if (!takenInMegabytes.has(name) || value === null || value === "") return [];
  // A number that is written as a text would be sent as it is, and taken in megabytes.
  if (typeof value !== "number") return [{ severity: "error", message: "must be a number of bytes" }];
  if (value % megabyte === 0) return [];
  const hint = `${value} megabytes are ${value * megabyte}`;
  return [{ severity: "error", message: `is in bytes, as instances show it, and a multiple of ${megabyte}`, hint }];
}

import type { Problem } from "./value.ts";

/** Bytes. */
const megabyte = 1_048_576;

/** Settings that instances show in bytes, and take in megabytes (settings-taken-in-megabytes). */
const takenInMegabytes: ReadonlySet<string> = new Set(["repository_size_limit"]);

/** Whether it has another unit when it is sent, so that it must be a number. */
export function hasOwnUnit(name: string): boolean {
  return takenInMegabytes.has(name);
}

/** A value in the unit that an instance shows, in the one that it takes. */
export function asTaken(name: string, value: unknown): unknown {
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

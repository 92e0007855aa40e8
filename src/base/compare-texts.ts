/** The order of two texts by their UTF-16 units, for `sort`: the same on every machine, and faster than a locale's. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A body's announced size, such as ` (1.2 kB)`; nothing where none was announced. */
export function size(headers: Readonly<Record<string, string>>): string {
  const length = headers["content-length"];
  return length === undefined || !/^\d+$/.test(length) ? "" : ` (${inUnits(Number(length))})`;
}

function inUnits(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let amount = bytes;
  let unit = "";
  for (const next of ["kB", "MB", "GB"]) {
    if (amount < 999.95) break;
    amount /= 1000;
    unit = next;
  }
  return `${amount.toFixed(1)} ${unit}`;
}

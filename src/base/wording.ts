const sizes = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** Binary units with three significant digits: "512 B", "1.5 KiB", "12.3 MiB". */
export function byteSize(bytes: number): string {
  if (!Number.isFinite(bytes)) return String(bytes);
  let amount = Math.abs(bytes);
  let size = 0;
  // 1023.5 and more would be rounded to 1024 of the unit.
  while (amount >= (size === 0 ? 1024 : 1023.5) && size < sizes.length - 1) {
    amount /= 1024;
    size += 1;
  }
  const digits = size === 0 || amount >= 99.95 ? amount.toFixed(0) : amount.toFixed(1);
  return `${bytes < 0 ? "-" : ""}${digits} ${sizes[size]}`;
}

/** "1.5 KiB", or "1.5 KiB (without 2 of unknown size)": a sum without some of them is not that of all. */
export function sumOfSizes(sizes: readonly unknown[]): string {
  const known = sizes.filter((size) => typeof size === "number");
  const sum = byteSize(known.reduce((total, size) => total + size, 0));
  const unknown = sizes.length - known.length;
  return unknown === 0 ? sum : `${sum} (without ${groupDigits(unknown)} of unknown size)`;
}

/** "2,431" */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 day", "2,431 days", "2 repositories" */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 ? noun : plural}`;
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text with its first letter in lower case: a summary within a sentence. */
export function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** "a", "a or b", "a, b, or c"; at start-up, where `Intl` would take milliseconds. */
export function oneOf(names: readonly string[]): string {
  if (names.length < 3) return names.join(" or ");
  return `${names.slice(0, -1).join(", ")}, or ${names.at(-1)}`;
}

/** "a, b, c", or "a, b and 3 more" if there are more than `max` names. */
export function someOf(names: readonly string[], max = 10): string {
  const more = names.length - max;
  return names.slice(0, max).join(", ") + (more > 0 ? ` and ${groupDigits(more)} more` : "");
}

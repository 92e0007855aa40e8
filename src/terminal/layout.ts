/**
 * Column widths that fit into the available ones: what is short keeps its width, the widest give way evenly. Rigid
 * columns (a number cut short would be another number) give way only when nothing else is left to take from.
 */
export function fitWidths(natural: readonly number[], rigid: readonly boolean[], available: number): number[] {
  const total = sum(natural);
  if (total <= available) return [...natural];
  const flexible = natural.filter((_, index) => !rigid[index]);
  const fixed = total - sum(flexible);
  // Below three columns a text is nothing but its dots.
  const enough = flexible.length > 0 && available - fixed >= 3 * flexible.length;
  const room = enough ? available - fixed : available;
  const gives = natural.map((_, index) => !enough || !rigid[index]);
  const limit = shareOf(enough ? flexible : natural, room);
  const widths = natural.map((width, index) => (gives[index] ? Math.max(1, Math.min(width, limit)) : width));
  return spread(widths, natural, available);
}

/** What pictures give before anything else is cut: each down to the width that it can do with. */
export function eased(natural: readonly number[], least: readonly number[], available: number): number[] {
  let over = sum(natural) - available;
  return natural.map((width, index) => {
    const gives = Math.max(0, Math.min(over, width - (least[index] ?? width)));
    over -= gives;
    return width - gives;
  });
}

/** The greatest width such that all of them, cut to it, fit. */
function shareOf(widths: readonly number[], room: number): number {
  const ascending = widths.toSorted((a, b) => a - b);
  let left = room;
  for (const [index, width] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (width > share) return share;
    left -= width;
  }
  return room;
}

/** Hands the columns that rounding left over to those that were cut. */
function spread(widths: number[], natural: readonly number[], available: number): number[] {
  let left = available - sum(widths);
  return widths.map((width, index) => {
    if (left <= 0 || width >= (natural[index] ?? 0)) return width;
    left -= 1;
    return width + 1;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

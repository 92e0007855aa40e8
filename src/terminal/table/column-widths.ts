/** The width that a column needs, in terminal columns. */
export interface Need {
  /** Its widest cell. */
  readonly content: number;
  /**
   * The minimum for that cell: its full width if it is never cut (part of a number is another number, part of an
   * address is useless), less for text or a picture.
   */
  readonly least: number;
  /** It contains pictures, which are drawn smaller instead of being cut. */
  readonly drawn: boolean;
  /** The width of its header on one line. */
  readonly header: number;
  /** The widest part of its header that stays on one line when the header wraps. */
  readonly headerPart: number;
}

/** The minimum width of text: shorter, it says too little. */
export const leastText = 12;

/**
 * Column widths that fit into the available width, or undefined if the table does not fit. First headers wrap, then
 * pictures are drawn smaller, then texts are cut, evenly, starting with the widest.
 */
export function fitWidths(columns: readonly Need[], available: number): number[] | undefined {
  const natural = columns.map(({ content, header }) => Math.max(content, header));
  const wrapped = columns.map(({ content, headerPart }) => Math.max(content, headerPart));
  if (sum(wrapped) <= available) return spread(wrapped, natural, available);
  const least = leastWidths(columns);
  if (sum(least) > available) return undefined;
  const eased = withSmallerPictures(columns, { wrapped, least, available });
  const widths = cutWidths(least, eased, available);
  return spread(widths, eased, available);
}

/** The minimum width of each column, for rows wider than the layout: they run past the terminal's edge. */
export function leastWidths(columns: readonly Need[]): number[] {
  return columns.map(({ least, headerPart }) => Math.max(least, headerPart));
}

/** Shrinks pictures, down to their minimum width, before anything else is cut. */
function withSmallerPictures(
  columns: readonly Need[],
  { wrapped, least, available }: { wrapped: readonly number[]; least: readonly number[]; available: number },
): number[] {
  let over = sum(wrapped) - available;
  return wrapped.map((width, index) => {
    const gives = columns[index]?.drawn ? Math.max(0, Math.min(over, width - (least[index] ?? width))) : 0;
    over -= gives;
    return width - gives;
  });
}

/** Cuts columns to the greatest common width at which all fit, but never below their minimum. */
function cutWidths(least: readonly number[], wanted: readonly number[], available: number): number[] {
  const cutTo = (limit: number) => least.map((width, index) => Math.max(width, Math.min(wanted[index] ?? 0, limit)));
  let limit = 0;
  while (limit < available && sum(cutTo(limit + 1)) <= available) limit += 1;
  return cutTo(limit);
}

/** Gives the remaining width to the columns that want more, one terminal column each in turn. */
function spread(widths: readonly number[], wanted: readonly number[], available: number): number[] {
  const given = [...widths];
  let left = available - sum(given);
  for (let taken = true; left > 0 && taken; ) {
    taken = false;
    for (const [index, width] of given.entries()) {
      if (left <= 0 || width >= (wanted[index] ?? 0)) continue;
      given[index] = width + 1;
      left -= 1;
      taken = true;
    }
  }
  return given;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

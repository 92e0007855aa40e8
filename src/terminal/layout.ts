/** What a column needs of a terminal's width, in columns of the terminal. */
export interface Need {
  /** Its widest cell. */
  readonly content: number;
  /**
   * What that cell can do with: as much, where it is never cut (a number cut short would be another number, an address
   * would lead nowhere), and less for a text or a picture.
   */
  readonly least: number;
  /** It holds pictures, which are drawn smaller and not cut. */
  readonly drawn: boolean;
  /** Its header on one line. */
  readonly header: number;
  /** The widest part of its header that stays on one line when the header wraps. */
  readonly headerPart: number;
}

/** A text that is cut to less than this says too little. */
export const leastText = 12;

/**
 * Column widths that fit into the available ones, or undefined where the table does not fit. Headers give way first:
 * they wrap. Then pictures are drawn smaller; then texts are cut, the widest ones first and evenly.
 */
export function fitWidths(columns: readonly Need[], available: number): number[] | undefined {
  const natural = columns.map(({ content, header }) => Math.max(content, header));
  const wrapped = columns.map(({ content, headerPart }) => Math.max(content, headerPart));
  if (sum(wrapped) <= available) return spread(wrapped, natural, available);
  const least = leastWidths(columns);
  if (sum(least) > available) return undefined;
  const eased = easedWidths(columns, { wrapped, least, available });
  const widths = cutWidths(least, eased, available);
  return spread(widths, eased, available);
}

/** The least that each column can do with: rows that are wider than the table was laid out for run over its edge. */
export function leastWidths(columns: readonly Need[]): number[] {
  return columns.map(({ least, headerPart }) => Math.max(least, headerPart));
}

/** What pictures give before anything else is cut: each down to the width that it can do with. */
function easedWidths(
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

/** The columns cut to the greatest width that lets all of them fit, or to the least that they need. */
function cutWidths(least: readonly number[], wanted: readonly number[], available: number): number[] {
  const cutTo = (limit: number) => least.map((width, index) => Math.max(width, Math.min(wanted[index] ?? 0, limit)));
  let limit = 0;
  while (limit < available && sum(cutTo(limit + 1)) <= available) limit += 1;
  return cutTo(limit);
}

/** Hands the columns that are left over to those that would take them, one each in turn. */
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

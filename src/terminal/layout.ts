/** What a column needs of a terminal's width, in columns of the terminal. */
export interface Need {
  /** Its widest cell. */
  readonly content: number;
  /** Its header on one line. */
  readonly header: number;
  /** The widest part of its header that stays on one line when the header wraps. */
  readonly headerPart: number;
  /** Its cells are never cut: a number cut short would be another number, an address would lead nowhere. */
  readonly whole: boolean;
}

/** A text that is cut to less than this says too little. */
export const leastText = 12;

/**
 * Column widths that fit into the available ones, or undefined where the table does not fit. Headers give way first:
 * they wrap. Then texts are cut, the widest ones first and evenly, but not below `leastText`.
 */
export function fitWidths(columns: readonly Need[], available: number): number[] | undefined {
  const natural = columns.map(({ content, header }) => Math.max(content, header));
  const wrapped = columns.map(({ content, headerPart }) => Math.max(content, headerPart));
  if (sum(wrapped) <= available) return spread(wrapped, natural, available);
  const least = leastWidths(columns);
  if (sum(least) > available) return undefined;
  const limit = widestCut({ least, wrapped }, available);
  const widths = least.map((width, index) => Math.max(width, Math.min(wrapped[index] ?? 0, limit)));
  return spread(widths, wrapped, available);
}

/** The least that each column can do with: rows that are wider than the table was laid out for run over its edge. */
export function leastWidths(columns: readonly Need[]): number[] {
  return columns.map(({ content, headerPart, whole }) =>
    Math.max(whole ? content : Math.min(content, leastText), headerPart),
  );
}

/** The greatest width such that all columns fit that are cut to it, or to the least that they need. */
function widestCut(
  { least, wrapped }: { least: readonly number[]; wrapped: readonly number[] },
  available: number,
): number {
  const total = (limit: number) =>
    sum(least.map((width, index) => Math.max(width, Math.min(wrapped[index] ?? 0, limit))));
  let limit = leastText;
  while (total(limit + 1) <= available) limit += 1;
  return limit;
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

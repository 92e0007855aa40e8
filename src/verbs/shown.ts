import type { Entity, Fields, Path } from "../api/field.ts";
import type { Listing } from "../api/types.ts";
import type { Batched, Passage, RecordView } from "../terminal/view.ts";

/**
 * How a thing is shown where its endpoint's entity does not say it all. Its functions are pure: they read one row, and
 * neither ask, send, nor decide anything.
 */
export interface Shown<S extends Fields = Fields> {
  /** What is shown: the endpoint's entity, or one with more fields. */
  readonly entity: Entity<S>;
  /** What a table of one of them shows; all fields unless said. */
  readonly columns?: readonly Path<S>[];
  /** An answer's row as it is shown. */
  readonly read?: (row: object) => object;
  /** What stands for it in a table, see `View`. */
  readonly passage?: (row: object) => Passage;
  /** One of them, where what it is, or what was typed, decides over the columns or is worth a word. */
  readonly view?: (record: object, input: Readonly<Record<string, unknown>>) => Omit<RecordView, "record">;
}

/** One of them as a view. */
export function recordOf<S extends Fields>(
  shown: Shown<S>,
  answer: object,
  input: Readonly<Record<string, unknown>> = {},
): RecordView {
  const { read = (row) => row, columns, passage, entity, view } = shown;
  const record = read(answer);
  return { record, entity, ...(columns && { columns }), ...(passage && { passage }), ...view?.(record, input) };
}

/** A list with its rows read, page by page as they come. */
export function readRows<T extends object>(rows: Listing<T>, read: ((row: object) => object) | undefined): Batched {
  if (read === undefined) return rows;
  return {
    async *batches() {
      for await (const page of rows.batches()) yield page.map((row) => read(row));
    },
    cut: () => rows.cut(),
  };
}

import type { Listing } from "../api/api.ts";
import type { Entity, Fields, Path } from "../api/field.ts";
import { Failure } from "../base/errors.ts";
import type { Batched, RecordView } from "../terminal/view.ts";

/**
 * How a resource is shown if its endpoint's entity is not enough. Its functions are pure: they read one row, and
 * have no side effects.
 */
export interface ResourceView<S extends Fields = Fields> {
  /** The endpoint's entity, or one with more fields. */
  readonly entity: Entity<S>;
  /** The columns of a table with a single one; all fields by default. */
  readonly columns?: readonly Path<S>[];
  /** Converts a row of the answer for display. */
  readonly read?: (row: object) => object;
  /** Its representation in a table, see `View`. */
  readonly passage?: RecordView["passage"];
  /** The view of a single one, if its columns or a notice depend on the record or on what was typed. */
  readonly view?: (record: object, input: Readonly<Record<string, unknown>>) => Omit<RecordView, "record">;
}

/** One of them as a view. */
export function recordOf<S extends Fields>(
  shown: ResourceView<S>,
  answer: object,
  input: Readonly<Record<string, unknown>> = {},
): RecordView {
  const { read = (row) => row, columns, passage, entity, view } = shown;
  const record = read(answer);
  return { record, entity, ...(columns && { columns }), ...(passage && { passage }), ...view?.(record, input) };
}

/** For `catch`: an object that was stored otherwise is shown like any other. */
export function storedAs<S extends Fields>(
  shown: ResourceView<S> | undefined,
  input: Readonly<Record<string, unknown>> = {},
): (error: unknown) => never {
  return (error) => {
    if (shown === undefined || !(error instanceof Failure) || error.details.stored === undefined) throw error;
    const { record, ...shownAs } = recordOf(shown, error.details.stored, input);
    throw error.with({ stored: record, shownAs });
  };
}

/** A list with its rows converted, page by page as they arrive. */
export function readRows<T extends object>(rows: Listing<T>, read: ((row: object) => object) | undefined): Batched {
  if (read === undefined) return rows;
  return {
    async *batches() {
      for await (const page of rows.batches()) yield page.map((row) => read(row));
    },
    cut: () => rows.cut(),
  };
}

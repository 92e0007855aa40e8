import { type Entity, entity, type Fields, outcome, uncut } from "../api/field.ts";
import type { RowsView } from "../terminal/view.ts";

/** The result of a deletion: the name of the thing, the outcome, and the reason of a failure. */
export function deletionOf(named: Fields): Entity {
  const whole = Object.entries(named).map(([name, field]) => [name, { ...field, whole: true }]);
  return entity("Deleted", { ...Object.fromEntries(whole), status: outcome(), error: uncut() });
}

/** The results of one or more deletions. A single deletion that fails has no row: the command fails with its error. */
export function deletions(of: Entity, rows: RowsView["rows"]): RowsView {
  return { rows, columns: Object.keys(of.shape), entity: of, validIfPartial: true };
}

import { type Entity, entity, type Fields, outcome, uncut } from "../api/field.ts";
import type { RowsView } from "../terminal/view.ts";

/** What is told of a deletion: how the thing is called, how it ended, and, where it failed, why. */
export function deletionOf(named: Fields): Entity {
  return entity("Deleted", { ...named, status: outcome(), error: uncut() });
}

/** How the deletions of things ended, however many there were. A single one that fails is no row: the command fails as it does. */
export function deletions(of: Entity, rows: RowsView["rows"]): RowsView {
  return { rows, columns: Object.keys(of.shape), entity: of, stands: true };
}

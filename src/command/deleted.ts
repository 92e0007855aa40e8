import { type Entity, entity, type Fields, string } from "../api/field.ts";
import type { RowsView } from "../terminal/view.ts";

/** What is told of a deletion: how the thing is called, how it ended, and, where it failed, why. */
export function deletionOf(named: Fields): Entity {
  return entity("Deleted", { ...named, status: string(), error: string() });
}

/** How the deletions of so many things ended. A single one that fails is no row: the command fails as it does. */
export function deletions(of: Entity, rows: RowsView["rows"], count: number): RowsView {
  const columns = Object.keys(of.shape).filter((column) => count > 1 || column !== "error");
  return { rows, columns, entity: of };
}

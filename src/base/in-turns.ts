import { nextTurn } from "./next-turn.ts";

/** Rows that are worked on in one turn of the event loop. */
const maxRows = 1000;

/** A long list in parts, each in a turn of its own: signals and the network are handled between them. */
export async function* inTurns<T>(rows: T[]): AsyncGenerator<T[]> {
  if (rows.length <= maxRows) return yield rows;
  for (let at = 0; at < rows.length; at += maxRows) {
    yield rows.slice(at, at + maxRows);
    await nextTurn();
  }
}

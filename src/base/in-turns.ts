import { nextTurn } from "./next-turn.ts";

/** Rows that are worked on in one turn of the event loop. */
const maxRows = 1000;

/**
 * A long list in parts, each in a turn of its own: signals and the network are handled between them.
 *
 * @param leaving ends it between two parts
 */
export async function* inTurns<T>(rows: readonly T[], leaving?: AbortSignal): AsyncGenerator<T[]> {
  for (let at = 0; at < rows.length; at += maxRows) {
    if (at > 0) await nextTurn();
    if (at > 0) leaving?.throwIfAborted();
    yield rows.slice(at, at + maxRows);
  }
}

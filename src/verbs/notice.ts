import type { Context } from "../context.ts";

/** Rows with a word on stderr once they are out: a summary above a long table has scrolled away. */
export async function* noticeAfter<T extends object>(
  context: Context,
  rows: Iterable<T> | AsyncIterable<T>,
  text: string,
): AsyncGenerator<T> {
  yield* rows;
  context.notice(text);
}

import type { Context } from "../context.ts";

/** Rows followed by notices on stderr, since a summary above a long table would scroll away. */
export async function* noticeAfter<T extends object>(
  context: Context,
  rows: Iterable<T> | AsyncIterable<T>,
  ...texts: readonly string[]
): AsyncGenerator<T> {
  yield* rows;
  for (const text of texts) context.closing(text);
}

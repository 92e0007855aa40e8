import type { Context } from "../context.ts";

/** Rows followed by a notice on stderr, since a summary above a long table would scroll away. */
export async function* noticeAfter<T extends object>(
  context: Context,
  rows: Iterable<T> | AsyncIterable<T>,
  text: string,
): AsyncGenerator<T> {
  yield* rows;
  context.closing(text);
}

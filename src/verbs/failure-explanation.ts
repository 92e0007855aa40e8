import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";
import type { Command } from "../declare/command.ts";
import type { Batched, RowsView } from "../terminal/view.ts";

type Explain = (context: Context, error: Failure, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

/**
 * A command whose failures are investigated before they are reported: those that an instance reports with the same
 * message for several causes. The command itself remains data.
 *
 * @param explain returns the error to report, possibly the original one
 */
export function explaining(command: Command, explain: Explain): Command {
  return {
    ...command,
    async run(context, input) {
      const end = async (error: unknown): Promise<never> => {
        throw error instanceof Failure ? await explain(context, error, input) : error;
      };
      const view = await command.run(context, input).catch(end);
      return view !== undefined && "rows" in view ? { ...view, rows: followed(view.rows, end) } : view;
    },
  };
}

function followed(rows: RowsView["rows"], end: (error: unknown) => Promise<never>): RowsView["rows"] {
  if ("batches" in rows) {
    const { cut } = rows;
    const batches = () => caught(rows.batches(), end);
    return { batches, ...(cut && { cut: () => cut.call(rows) }) } satisfies Batched;
  }
  return caught(rows, end);
}

async function* caught<T>(
  items: Iterable<T> | AsyncIterable<T>,
  end: (error: unknown) => Promise<never>,
): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    await end(error);
  }
}

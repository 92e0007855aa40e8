import type { Listing } from "../../api/types.ts";
import type { Batched } from "../../terminal/view.ts";

/** Rows made into others, page by page as they come. */
export function mapped<T>(rows: Listing<T>, to: (row: T) => object): Batched {
  return {
    async *batches() {
      for await (const page of rows.batches()) yield page.map(to);
    },
  };
}

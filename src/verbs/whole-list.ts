import type { Api } from "../api/api.ts";
import type { ListEndpoint } from "../api/endpoint.ts";
import type { Fields, Row } from "../api/field.ts";
import { isShorter, shorter } from "../api/shorter-lists.ts";

/** A list that is shorter after each of them is one that entries leave all the time. */
const maxReadings = 3;

/** The rows of a list; one that entries left meanwhile is read again. If it is in part, an error follows its rows. */
export async function* wholeRows<I, S extends Fields>(
  api: Api,
  endpoint: ListEndpoint<I, S>,
  input: I,
): AsyncGenerator<Row<S>> {
  let read = await reading(api, endpoint, input);
  for (let left = maxReadings - 1; left > 0 && isShorter(read.error); left--)
    read = await reading(api, endpoint, input);
  yield* read.rows;
  if (read.error !== undefined) throw read.error;
}

async function reading<I, S extends Fields>(api: Api, endpoint: ListEndpoint<I, S>, input: I) {
  const rows: Row<S>[] = [];
  let error: unknown;
  // Pages that were requested ahead may be answered after the last row.
  const onShorter = () => {
    error ??= shorter();
  };
  try {
    for await (const batch of api.list(endpoint, input, { limit: undefined, onShorter }).batches()) {
      for (const row of batch) rows.push(row);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { rows, error };
}

/** All of them; not whole if entries left the list during each reading, so that one of the others may be missing. */
export async function wholeList<I, S extends Fields>(
  api: Api,
  endpoint: ListEndpoint<I, S>,
  input: I,
): Promise<{ rows: readonly Row<S>[]; isWhole: boolean }> {
  const rows: Row<S>[] = [];
  try {
    for await (const row of wholeRows(api, endpoint, input)) rows.push(row);
  } catch (error) {
    if (isShorter(error)) return { rows, isWhole: false };
    throw error;
  }
  return { rows, isWhole: true };
}

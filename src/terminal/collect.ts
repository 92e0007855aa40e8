import { hideSecrets } from "../base/secrets.ts";
import { batches } from "./batches.ts";
import { cutOf } from "./cut.ts";
import type { Cut, ExitView, RowsView, View } from "./view.ts";

/** A view's result as data, complete and with secrets masked, as in `-o json`. */
export interface Collected {
  /** Rows of a list, a record, or a value; null if there is none. */
  readonly result: unknown;
  /** The exit code of a success: 0, or 10 if differences were found. */
  readonly exit: number;
  /** The view's description of its rows or its record. */
  readonly about?: Pick<RowsView, "columns" | "entity">;
  /** Set if the list was cut short. */
  readonly cut?: Cut;
  /** Secrets are not masked (`--reveal`), and must not be later. */
  readonly reveal?: boolean;
}

/** What is valid of a result although its view failed later. */
export interface Kept {
  rows?: readonly object[];
  record?: object;
  about?: Collected["about"];
  reveal?: boolean;
}

/** The most bytes in a text result. */
const maxTextBytes = 1024 * 1024;

/**
 * Reads a view to its end. Binary data and text over 1 MiB are refused with the error of `tooMuch`. Rows that remain
 * valid after a later failure are in `kept` as they arrive, and all of them once they are complete.
 */
export async function collect(
  view: View | ExitView | undefined,
  tooMuch: () => Error,
  kept: Kept = {},
): Promise<Collected> {
  if (view === undefined) return { result: null, exit: 0 };
  if ("exit" in view) return { result: null, exit: view.exit };
  if ("bytes" in view) return { result: await textOf(view.bytes, tooMuch), exit: 0 };
  if ("message" in view && !("record" in view)) return { result: view.message, exit: 0 };
  const revealed = "reveal" in view && view.reveal === true ? { reveal: true } : {};
  if ("value" in view) return { result: revealed.reveal ? view.value : hideSecrets(view.value), exit: 0, ...revealed };
  const shape = view.entity?.shape;
  const shown = <T extends object>(row: T) => (revealed.reveal ? row : hideSecrets(row, shape));
  const { columns, entity } = view;
  const about = { ...(columns !== undefined && { columns }), ...(entity !== undefined && { entity }) };
  Object.assign(kept, { about, ...revealed });
  if ("record" in view) kept.record = shown(view.record);
  const result: unknown = "record" in view ? kept.record : await rowsOf(view, shown, kept);
  await view.until?.(Promise.resolve());
  const cut = "rows" in view ? cutOf(view) : undefined;
  return { result, exit: view.exitCode?.() ?? 0, about, ...revealed, ...(cut && { cut }) };
}

async function rowsOf(
  { rows, validIfPartial }: RowsView,
  shown: (row: object) => object,
  kept: Kept,
): Promise<object[]> {
  const all: object[] = [];
  if (validIfPartial) kept.rows = all;
  for await (const batch of "batches" in rows ? rows.batches() : batches(rows)) all.push(...batch.map(shown));
  kept.rows = all;
  return all;
}

async function textOf(bytes: AsyncIterable<Uint8Array>, tooMuch: () => Error): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(Uint8Array.from(chunk));
    size += chunk.length;
    if (size > maxTextBytes) throw tooMuch();
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw tooMuch();
  }
}

import type { Format } from "../base/format.ts";
import type { Output } from "../host.ts";
import { joined, safe, visible, visibleLines } from "./sanitize.ts";
import type { Style } from "./style.ts";

export interface RenderOptions {
  format: Format;
  /** Dotted paths of `--fields`, in the given order. */
  fields?: readonly string[] | undefined;
  jq?: string | undefined;
  /** Whether table, csv, and tsv have a header row. */
  header: boolean;
  stdout: Output;
  stderr: Output;
  /** See `Context.isLogged`. */
  isLogged: boolean;
  /** The style of stdout. */
  style: Style;
  now: Date;
  /** On a terminal, show times in full. */
  times: boolean;
  quiet: boolean;
  /** Draw pictures on a terminal; otherwise (`ACCESSIBLE=1`, `TERM=dumb`) words replace them. */
  pictures: boolean;
  /** The user chose the format; otherwise it depends on whether stdout is a terminal. */
  explicitFormat: boolean;
  /** The format was typed on this command line: one from a profile or the environment never quotes a bare value. */
  typedFormat: boolean;
  /** Aborted when the program is asked to stop. */
  signal: AbortSignal;
  /** Runs a computation that blocks signal handlers; meanwhile, Ctrl-C ends the process. */
  unwatched<T>(compute: () => Promise<T>): Promise<T>;
}

/** Writes a line for people to stderr. A failed write is ignored: the data on stdout is still complete. */
export async function writeNotice({ stderr, quiet }: RenderOptions, text: string | readonly string[]): Promise<void> {
  // A name in a line of several begins no line of its own.
  const shown = typeof text === "string" ? visibleLines(text) : joined(text.map(visible), safe`\n`);
  if (!quiet) await stderr.write(safe`${shown}\n`).catch(() => undefined);
}

/** Writes a list in one format. */
export interface RowWriter {
  /** Writes rows as they arrive, some at a time. */
  take(rows: readonly object[]): Promise<void>;
  /** The list is complete. */
  end(): Promise<void>;
  /** The list ended early: rows not written yet are written if a part of the list is useful. */
  failed(error: unknown): Promise<void>;
}

import type { Format } from "../base/format.ts";
import type { Output } from "../host.ts";
import { safe, visibleLines } from "./sanitize.ts";
import type { Style } from "./style.ts";

export interface RenderOptions {
  format: Format;
  /** Dotted paths of `--fields`, in the order wanted. */
  fields?: readonly string[] | undefined;
  jq?: string | undefined;
  /** False leaves out the header row of table, csv, and tsv. */
  header: boolean;
  stdout: Output;
  stderr: Output;
  /** The style of stdout. */
  style: Style;
  now: Date;
  quiet: boolean;
  /** Pictures are drawn on a terminal; without them the same is told in words (`ACCESSIBLE=1`, `TERM=dumb`). */
  pictures: boolean;
  /** The format was asked for, not chosen by what stdout is. */
  explicitFormat: boolean;
  /** Computes what hears no signal while it lasts; Ctrl-C ends the process then. */
  unwatched<T>(compute: () => Promise<T>): Promise<T>;
}

/** A line for people on stderr. Where it cannot be written, the data on stdout is whole all the same. */
export async function writeNotice({ stderr, quiet }: RenderOptions, text: string): Promise<void> {
  if (!quiet) await stderr.write(safe`${visibleLines(text)}\n`).catch(() => undefined);
}

/** One format's way of writing a list. */
export interface RowWriter {
  /** Takes rows as they arrive, some at a time. */
  take(rows: readonly object[]): Promise<void>;
  /** The list is complete. */
  end(): Promise<void>;
  /** The list broke off: what was held back is written where a part of the list is worth having. */
  broke(error: unknown): Promise<void>;
}

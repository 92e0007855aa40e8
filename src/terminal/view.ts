import type { Tone, Tones } from "../base/tone.ts";
import type { Signs } from "./signs.ts";

/** A command's result. Only `render` turns it into text; a command never checks the output format. */
export type View = RowsView | RecordView | ValueView | BytesView | MessageView;

/** The exit code of another program, instead of a result. */
export interface ExitView {
  exit: number;
}

/** What `render` needs to know about a field; the API's entities satisfy it. */
export interface ShapeField {
  readonly kind: string;
  readonly secret?: boolean;
  readonly shape?: Shape;
  readonly item?: ShapeField;
  /** A list of numbers shown as a picture on a terminal. */
  readonly pictured?: "sparkline";
  /** Text for all of a list's items, for table, csv, and tsv. */
  readonly worded?: (items: readonly unknown[], signs: Pick<Signs, "arrow">) => string;
  /** Names of numbers, shown to people. */
  readonly codes?: Readonly<Record<string, number>>;
  /** Colors of values. */
  readonly tones?: Tones;
  /** Returned only if this parameter requests it. */
  readonly onlyWith?: string;
  /** Never cut in a table: addresses, rules, problems, requests. */
  readonly whole?: boolean;
}
export type Shape = { readonly [name: string]: ShapeField };

/** A row as indented text, for what does not fit into columns: a thread with its notes. */
export interface Passage {
  /** One line; its first part is highlighted. On a terminal, a time is relative to now. */
  heading: readonly (string | { readonly time: string })[];
  /** The color of its first part. */
  tone?: Tone;
  /** Text starting on the heading's line and wrapped beside it; then no empty line separates passages. */
  beside?: string;
  /** Indented below the heading; wrapped, never cut. */
  text?: string;
  /** The text is not wrapped, so that it can be copied. */
  verbatim?: boolean;
  /** Each line of the text is an item of its own: what is wrapped is indented further. */
  itemized?: boolean;
  /** Nested passages, indented below. */
  inner?: readonly Passage[];
}

/** A list's summary for people, on stderr. */
export interface Summary {
  /** One line, or several: names in them may hold line feeds. */
  text: string | readonly string[];
  /** Its parts, largest first: bars on a terminal, `3 dormant, 1 external` after the text elsewhere. */
  counts?: readonly (readonly [name: string, count: number])[];
}

interface Described {
  /** Dotted paths of the columns of table, csv, and tsv without `--fields`. */
  columns?: readonly string[];
  /**
   * The documented fields; by default those of the command's `returns`. Its card is the fields shown on a terminal for
   * a single record.
   */
  entity?: { readonly name: string; readonly shape: Shape; readonly card?: readonly string[] } | undefined;
  /** Secret fields are masked unless this is set (`--reveal`). */
  reveal?: boolean;
  /**
   * What continues after the result is written and `printed` resolves: a server that runs until it is stopped, work
   * that must wait for the output, or a failure despite a complete result. `printed` rejects if writing fails.
   */
  until?: (printed: Promise<void>) => Promise<void>;
  /** Called after the result is written: the exit code, if it is not 0 (10: differences were found). */
  exitCode?: () => number;
  /** Replaces a row or a record in a table, unless `--fields` is given. */
  passage?: (row: object, signs: Signs) => Passage;
  /** The state before a change, for the `undo` line, if the command has read it. */
  before?: object;
}

/** Rows that have an end say whether their work, and so the end, depends on the reader. */
export type RowsView = Rows & ({ until?: never } | { finishes: boolean });

interface Rows extends Described {
  /**
   * Without columns, if table, csv, or tsv was requested, the first row determines the columns; if the format was
   * chosen automatically, each row is a line of JSON.
   */
  rows: Iterable<object> | AsyncIterable<object> | Batched;
  /** Columns that a narrow terminal does without if the table fits then, the first one first; a notice names them. */
  spare?: readonly string[];
  /** In JSON and YAML the rows are the member `name` of an object with these other members. */
  enclosed?: { readonly name: string; readonly beside: object };
  /** Rows arrive slowly, one by one: a table shows each at once, without waiting to align the columns. */
  live?: boolean;
  /** Rows received before a failure are valid by themselves: they are printed in every format before the failure. */
  validIfPartial?: boolean;
  /**
   * Whether the work behind the rows is finished if the reader closes the output; by default, that of a change is. Of a
   * command whose exit code is a verdict it is, too, and where all rows are known before the first is written.
   */
  finishes?: boolean;
  /** Called after the rows are written: the recorded run of this work, which a closed output must not hide. */
  run?: () => string | undefined;
  /** Called after the rows are written: set if the list was cut short. */
  cut?: () => Cut | undefined;
  /** Called after the rows are written. */
  summary?: () => Summary;
  /** The order in every format but ndjson, which prints the rows as they arrive. */
  sorted?: (a: never, b: never) => number;
  /** All rows as Markdown, for `-o markdown`. */
  markdown?: (rows: readonly object[]) => string;
  /** Rows of `date` and `count`, one per day without gaps, shown as a heat map on a terminal. */
  drawn?: "calendar";
}
/** Rows that arrive in pages. */
export interface Batched {
  batches(): AsyncIterable<object[]>;
  /** Replaces the view's `cut`. */
  cut?(): Cut | undefined;
}
export interface Cut {
  shown: number;
  /** Undefined if the instance does not return it. */
  total: number | undefined;
  /** The first page, if it was requested, and the next one, if only one page was read. */
  page?: number;
  nextPage?: number;
}

export interface RecordView extends Described {
  record: object;
  /** A note on stderr beside the record: "scheduled; the registry deletes it in the background". */
  message?: string;
}

/** A bare value: printed without quotes, except in JSON and YAML. In row formats, objects are rows. */
export interface ValueView {
  value: unknown;
  /** The value as its source wrote it, for output that asks for no format. */
  text?: string;
  /** Secrets are masked unless this is set (`--reveal`). */
  reveal?: boolean;
}

export interface BytesView {
  bytes: AsyncIterable<Uint8Array>;
  /** Whether the bytes are text: only text is written to a terminal. */
  text?: boolean;
  /** Whether the work behind them is finished if the reader closes the output. */
  finishes?: boolean;
}

/** A message for people on stderr; stdout stays empty. */
interface MessageView {
  message: string;
}

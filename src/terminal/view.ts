import type { Tone, Tones } from "../base/tone.ts";

/** What a command gives back. `render` alone turns it into text; a command never asks which output format is on. */
export type View = RowsView | RecordView | ValueView | BytesView | MessageView;

/** Another program's end in place of a result: its exit code is passed on. */
export interface ExitView {
  exit: number;
}

/** What render needs to know of a field; the API's entities satisfy it as they are. */
export interface ShapeField {
  readonly kind: string;
  readonly secret?: boolean;
  readonly shape?: Shape;
  readonly item?: ShapeField;
  /** A list of numbers that people at a terminal see as a picture. */
  readonly pictured?: "sparkline";
  /** How a list's items read together in table, csv, and tsv. */
  readonly worded?: (items: readonly unknown[]) => string;
  /** Numbers that people are shown by name. */
  readonly codes?: Readonly<Record<string, number>>;
  /** What color says beside the word. */
  readonly tones?: Tones;
  /** Given only where this parameter asks for it. */
  readonly onlyWith?: string;
  /** Never cut in a table: an address, a rule, a problem, a request. */
  readonly whole?: boolean;
}
export type Shape = { readonly [name: string]: ShapeField };

/** A row told as indented text, for what columns would tear apart: a thread with its notes. */
export interface Passage {
  /** One line; its first part stands out. A time is told relative to now on a terminal. */
  heading: readonly (string | { readonly time: string })[];
  /** What color says beside its first part, which says it too. */
  tone?: Tone;
  /** Text that begins on the heading's line, wrapped beside it; then no empty line stands between passages. */
  beside?: string;
  /** Below it, further in; wrapped, never cut. */
  text?: string;
  /** The text is not wrapped either: it is there to be copied. */
  verbatim?: boolean;
  /** Below that, further in as well. */
  inner?: readonly Passage[];
}

/** What a list comes to, for people, on stderr. */
export interface Summary {
  /** One line. */
  text: string;
  /** What it is made of, most first: bars on a terminal, `3 dormant, 1 external` behind the text elsewhere. */
  counts?: readonly (readonly [name: string, count: number])[];
}

interface Described {
  /** Dotted paths of the columns that a table, csv, and tsv show when `--fields` is not given. */
  columns?: readonly string[];
  /**
   * What the fields are; what the command returns, unless it is said here. Its card is what a person at a terminal is
   * shown of one of them.
   */
  entity?: { readonly name: string; readonly shape: Shape; readonly card?: readonly string[] } | undefined;
  /** Secret fields are masked unless this is set (`--reveal`). */
  reveal?: boolean;
  /**
   * What goes on once `printed` resolves: a server that runs until it is stopped, work that may only be done when the
   * result has reached its reader, a failure that comes with a whole result. Output that cannot be written rejects it.
   */
  until?: (printed: Promise<void>) => Promise<void>;
  /** Asked once the result is out: the exit code, where it is not that of success (10: differences were found). */
  exitCode?: () => number;
  /** What stands for a row or a record in a table, unless `--fields` asks for columns. */
  passage?: (row: object) => Passage;
  /** What was before a change, for the line that takes it back (`undo`), where the command has seen it. */
  before?: object;
}

export interface RowsView extends Described {
  /**
   * What rows without columns hold is not known beforehand: where table, csv, or tsv was asked for, the first row says
   * what the columns are; where it is only what stdout suggests, each row is a line of JSON.
   */
  rows: Iterable<object> | AsyncIterable<object> | Batched;
  /** Rows come one by one, long after another: a table shows each as it comes, and holds none back to align the columns. */
  live?: boolean;
  /** What came before a failure is a result of its own: it is printed in every format, and then the failure told. */
  stands?: boolean;
  /** Asked once the rows are out: set when the list was cut short. */
  cut?: () => Cut | undefined;
  /** Asked once the rows are out. */
  summary?: () => Summary;
  /** Rows of `date` and `count`, a day each and none left out: people at a terminal see them as a heat map. */
  drawn?: "calendar";
}
/** Rows that come by the page. */
export interface Batched {
  batches(): AsyncIterable<object[]>;
  /** As a view's `cut`, which need not say it then. */
  cut?(): Cut | undefined;
}
export interface Cut {
  shown: number;
  /** Undefined where the instance does not tell. */
  total: number | undefined;
  /** The page it began at, where that was asked for, and the one after it, where it was one page. */
  page?: number;
  nextPage?: number;
}

export interface RecordView extends Described {
  record: object;
  /** A note on stderr beside the record: "scheduled; the registry deletes it in the background". */
  message?: string;
}

/** A bare value: printed as it is, without quotes, except in JSON and YAML. Objects are rows where rows are asked for. */
export interface ValueView {
  value: unknown;
  /** Secrets in it are hidden unless this is set (`--reveal`). */
  reveal?: boolean;
}

export interface BytesView {
  bytes: AsyncIterable<Uint8Array>;
  /** What kind of bytes: text may go to a terminal, anything else only where it is no terminal. */
  text?: boolean;
}

/** A note for people, on stderr; stdout stays empty. */
interface MessageView {
  message: string;
}

import { outcomeTones, type Tones } from "../base/tone.ts";

/**
 * The vocabulary of parameters and responses. A field is data: the parser, the help, the completions, the request
 * placement, and the rendering of columns all read the same one.
 */
type FieldKind =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "timestamp"
  | "date"
  | "id"
  | "bytes"
  | "seconds"
  | "share"
  | "enum"
  | "code"
  | "array"
  | "object"
  | "map"
  | "json"
  | "file";

/** What the instance lists: TAB offers the values of such a field, and the user chooses from them if it is missing. */
export const listed = [
  "project",
  "group",
  "user",
  "repository",
  "image",
  "tag",
  "upload",
  "environment",
  "error-key",
  "hook",
  "delivery",
  "saml-identity",
  "scim-identity",
  "saml-link",
  "ldap-cn",
] as const;
export type Listed = (typeof listed)[number];

/** The source of completions for a field without its own list of values; `value-file` is a file in `key=@file`,
 * `own-command` a command of this program. */
export type Completes =
  | Listed
  | "file"
  | "directory"
  | "command"
  | "own-command"
  | "value-file"
  | "profile"
  | "profile-key"
  | "profile-value"
  | "setting"
  | "setting-value"
  | "hook-event"
  | "who"
  | "rule-who"
  | "field";

export interface FieldOptions {
  /** Minimum of a number, or of a text's length in characters. */
  min?: number;
  /** Maximum of a number, or of a text's length in characters. */
  max?: number;
  /** The pattern of a text, and its description: `a tag name: letters, digits, ".", "_", "-"`. */
  pattern?: { readonly test: RegExp; readonly words: string };
  /** Each entry of the object is a separate parameter of the body, for a body with arbitrary names. */
  entries?: boolean;
  /** An array that is sent with its name repeated (`scope=a&scope=b`), not as `scope[]`. */
  repeats?: boolean;
  /** Name in requests, if it differs from the key, such as `range[start]`. */
  wire?: string;
  /** The flag's name, if it differs from the key. */
  flag?: string;
  /** One-letter flag. */
  short?: string;
  /** Placeholder of the value in help: `<branch>`. */
  placeholder?: string;
  default?: string | number | boolean;
  /** A boolean that is also offered as `--no-<flag>`. */
  negatable?: boolean;
  /** A boolean that takes its value as a word: `--active true`. */
  valued?: boolean;
  /** Never shown in traces, dry runs, and errors; masked in results. */
  secret?: boolean;
  /** A scope flag: if not given, its value comes from the environment, the profile, or the CI job. */
  scope?: "project" | "group";
  /**
   * Identifies an object within this scope. Exactly one of a command's fields with it must be given, and it determines
   * which scope the command takes: `--issue` a project, `--epic` a group.
   */
  within?: "project" | "group";
  /** Determines by itself what the command works on: no project or group is needed beside it. */
  ownScope?: boolean;
  /** Takes an ID or a name: a name is looked up, and the ID is sent. */
  names?: "user" | "group" | "project" | "hook" | "repository";
  /** Converts a value to the API's spelling; values that already have it are unchanged. */
  sent?: (value: unknown) => unknown;
  /** Why this command does not take a flag of its siblings: it is left out of help and refused with this reason. */
  refused?: string;
  /** The source of completions: the name of a lookup in src/completion/lookups.ts. */
  completes?: Completes;
  /** Several of its values in one word, separated by commas. */
  commas?: boolean;
  /** Only in an answer: the documents leave it out of some answers. */
  sometimes?: true;
  /** Only in an answer: undocumented. */
  beyond?: true;
  /** Only in an answer: returned if this parameter requests it. */
  onlyWith?: string;
  /** A list of numbers that is drawn as a chart on a terminal; elsewhere it is printed unchanged. */
  pictured?: "sparkline";
  /**
   * How the answer to a change shows what was sent, if not under the same name as the same kind of value: `as` are
   * dotted paths of which the first that the answer has counts. `never`: it is not answered, or not as it was sent.
   */
  answered?: "never" | { readonly as?: readonly string[]; readonly form?: "rules" | "keys" };
  /** Formats a list's items as one text for table, csv, and tsv; other formats print them unchanged. */
  worded?: (items: readonly unknown[]) => string;
  /** The colors of the words that a value is shown as. */
  tones?: Tones;
  /** Never cut in a table: an address, a rule, a problem, a request. A table too narrow for it is shown as records. */
  whole?: boolean;
  /** Extra words that completion offers and the parser accepts unchanged. */
  suggests?: readonly string[];
}

export interface Field<T = unknown, R extends boolean = boolean> extends FieldOptions {
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: R;
  readonly values?: readonly string[];
  /** Only for a code: the number of each name. */
  readonly codes?: Readonly<Record<string, number>>;
  readonly item?: Field;
  readonly shape?: Fields;
  /** Type only: the parsed value. */
  readonly type?: T;
}

export type Fields = { readonly [name: string]: Field };
export type FieldType<F> = F extends Field<infer T, boolean> ? T : never;

type RequiredKeys<P extends Fields> = { [K in keyof P]: P[K] extends Field<unknown, true> ? K : never }[keyof P];

/** The parsed values of a set of fields: required ones are present, the others optional. */
export type Values<P extends Fields> = { [K in RequiredKeys<P>]: FieldType<P[K]> } & {
  [K in Exclude<keyof P, RequiredKeys<P>>]?: FieldType<P[K]> | undefined;
};

/** A resource of the API. The name is shown in help and docs. */
export interface Entity<S extends Fields = Fields> {
  readonly name: string;
  readonly shape: S;
  /** The fields that a single one shows on a terminal, if all of them would be too many. */
  readonly card?: readonly string[];
}
/** A row of an entity: documented fields are typed, unknown ones tolerated. */
export type Row<S extends Fields = Fields> = { [K in keyof S]: FieldType<S[K]> };

type Optional<T> = Field<T, false>;

const of =
  <T>(kind: FieldKind) =>
  (description = "", options: FieldOptions = {}): Optional<T> => ({ kind, description, required: false, ...options });

export const string = of<string>("string");
export const integer = of<number>("integer");
export const number = of<number>("number");
export const boolean = of<boolean>("boolean");
/** ISO 8601, UTC with milliseconds unless a field says otherwise. */
export const timestamp = of<string>("timestamp");
/** `YYYY-MM-DD`. */
export const date = of<string>("date");
export const id = of<number>("id");
/** A size in bytes. */
export const bytes = of<number>("bytes");
/** A duration in seconds. */
export const seconds = of<number>("seconds");
/** A fraction from 0 to 1, drawn as a bar on a terminal. */
export const share = of<number>("share");
/** A text that is never cut in a table: an address, a rule, a problem, or a name that other commands take. */
export const uncut = (description = "", options: FieldOptions = {}): Optional<string> =>
  string(description, { ...options, whole: true });
/** The outcome of a change, in one word. */
export const outcome = (description = ""): Optional<string> => string(description, { tones: outcomeTones });
/** Any JSON value, passed through unchanged. */
export const json = of<unknown>("json");
/** `key=value` pairs, the flag repeated. */
export const map = of<Record<string, string>>("map");
/** A local file, streamed as one part of a multipart form. */
export const file = of<UploadSource>("file");

export interface UploadSource {
  /** Name sent to the server. */
  name: string;
  /** Length in bytes, known before sending. */
  size: number;
  /** Reused buffers: each chunk is consumed before the next is requested. */
  stream(): AsyncIterable<Uint8Array>;
}

/** One of a fixed list of words. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  description = "",
  options: FieldOptions = {},
): Optional<V[number]> {
  return { kind: "enum", description, required: false, values, ...options };
}

/** A number whose values have names: accepted as either, the number in requests and JSON, the name in tables. */
export function code(
  codes: Readonly<Record<string, number>>,
  description = "",
  options: FieldOptions = {},
): Optional<number> {
  return { kind: "code", description, required: false, values: Object.keys(codes), codes, ...options };
}

/** A list; its flag is repeatable. */
export function array<T>(item: Field<T>, description = "", options: FieldOptions = {}): Optional<T[]> {
  return { kind: "array", description, required: false, item, ...options };
}

/** A value with named fields; `--fields` reaches into it with dots. */
export function object<S extends Fields>(shape: S, description = ""): Optional<Row<S>> {
  return { kind: "object", description, required: false, shape };
}

/** The same field, which may also be null. */
export function nullable<T>(field: Field<T>): Optional<T | null> {
  return { ...field, required: false } as Optional<T | null>;
}

/** The same field, which the documents leave out of some answers. */
export function sometimes<T>(field: Field<T>): Optional<T> {
  return { ...field, required: false, sometimes: true };
}

/** The same fields, each left out of some answers. */
export function eachSometimes<S extends Fields>(shape: S): S {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sometimes(field)])) as S;
}

/** The same field, required. */
export function required<T>(field: Field<T>): Field<T, true> {
  return { ...field, required: true };
}

/** Declares a resource of the API. */
export function entity<const N extends string, S extends Fields>(
  name: N,
  shape: S,
  { card }: { card?: readonly Path<S>[] } = {},
): Entity<S> {
  return { name, shape, ...(card && { card }) };
}

/** Dotted paths into a shape: what `--fields` accepts and what a column may name. */
export type Path<S extends Fields> = {
  [K in keyof S & string]: S[K] extends { shape: infer N extends Fields }
    ? K | `${K}.${Path<N>}`
    : FieldType<S[K]> extends object | null
      ? K | `${K}.${string}`
      : K;
}[keyof S & string];

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

/** What the instance lists: the values of such a field are offered on TAB, and chosen from where one is missing. */
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

/** Where the values of a field come from that no list of its own names; `value-file` is a file in `key=@file`,
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
  /** Least value of a number, or least length of a text in characters. */
  min?: number;
  /** Greatest value of a number, or greatest length of a text in characters. */
  max?: number;
  /** What a text must look like, and that in words: `a tag name: letters, digits, ".", "_", "-"`. */
  pattern?: { readonly test: RegExp; readonly words: string };
  /** Each entry of the object is a parameter of the body on its own, for a body whose names are open. */
  entries?: boolean;
  /** An array that travels as its name again and again (`scope=a&scope=b`), not as `scope[]`. */
  repeats?: boolean;
  /** Name on the wire where it differs from the key, such as `range[start]`. */
  wire?: string;
  /** The flag's name where it differs from the key. */
  flag?: string;
  /** One-letter flag. */
  short?: string;
  /** What stands for the value in help: `<branch>`. */
  placeholder?: string;
  default?: string | number | boolean;
  /** A boolean that is also offered as `--no-<flag>`. */
  negatable?: boolean;
  /** A boolean that takes its value as a word: `--active true`. */
  valued?: boolean;
  /** Never shown in traces, dry runs, and errors; masked in results. */
  secret?: boolean;
  /** A scope flag: where it is not typed, the environment, the profile, or the CI job gives its value. */
  scope?: "project" | "group";
  /**
   * Names a thing inside this scope. Of a command's fields that have it exactly one must be given, and it decides
   * which scope the command takes: `--issue` a project, `--epic` a group.
   */
  within?: "project" | "group";
  /** Names such a thing by its ID or by its name: a name is looked up, and the ID is sent. */
  names?: "user" | "group" | "project";
  /** The value in the API's words, for a field that people type in others; what is in the API's stays as it is. */
  sent?: (value: unknown) => unknown;
  /** Why this command does not take the flag that its siblings take: left out of help, refused with this reason. */
  refused?: string;
  /** What the shell can complete this value with: the name of a look-up in src/completion/lookups.ts. */
  completes?: Completes;
  /** Several of its values in one word, separated by commas. */
  commas?: boolean;
  /** Of an answer: given only where this parameter asks for it. */
  onlyWith?: string;
  /** A list of numbers that people at a terminal see as a picture; elsewhere it is given as it is. */
  pictured?: "sparkline";
  /** How a list's items read together in table, csv, and tsv; the other formats give them as they are. */
  worded?: (items: readonly unknown[]) => string;
  /** What color says beside the word that a value is shown as. */
  tones?: Tones;
  /** Never cut in a table: an address, a rule, a problem, a request. A table that would have to becomes records. */
  whole?: boolean;
  /** Extra words completion offers and the parser accepts as they are. */
  suggests?: readonly string[];
}

export interface Field<T = unknown, R extends boolean = boolean> extends FieldOptions {
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: R;
  readonly values?: readonly string[];
  /** Of a code: the number that each name stands for. */
  readonly codes?: Readonly<Record<string, number>>;
  readonly item?: Field;
  readonly shape?: Fields;
  /** Only a type: what the value is once parsed. */
  readonly type?: T;
}

export type Fields = { readonly [name: string]: Field };
export type FieldType<F> = F extends Field<infer T, boolean> ? T : never;

type RequiredKeys<P extends Fields> = { [K in keyof P]: P[K] extends Field<unknown, true> ? K : never }[keyof P];

/** What a set of fields is once parsed: required ones are there, the others may be. */
export type Values<P extends Fields> = { [K in RequiredKeys<P>]: FieldType<P[K]> } & {
  [K in Exclude<keyof P, RequiredKeys<P>>]?: FieldType<P[K]> | undefined;
};

/** A thing the API answers with. The name is shown in help and docs. */
export interface Entity<S extends Fields = Fields> {
  readonly name: string;
  readonly shape: S;
  /** What one of them shows on a terminal, where all of its fields are more than a person looks for. */
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
/** A part of a whole, from 0 to 1: a bar for people at a terminal. */
export const share = of<number>("share");
/** A text that is never cut in a table: an address, a rule, a problem. */
export const uncut = (description = "", options: FieldOptions = {}): Optional<string> =>
  string(description, { ...options, whole: true });
/** How a change ended, in a word. */
export const outcome = (description = ""): Optional<string> => string(description, { tones: outcomeTones });
/** Any JSON value, taken and given as it is. */
export const json = of<unknown>("json");
/** `key=value` pairs, the flag repeated. */
export const map = of<Record<string, string>>("map");
/** A file of this machine, sent streamed as one part of a multipart form. */
export const file = of<UploadSource>("file");

export interface UploadSource {
  /** Name sent to the server. */
  name: string;
  /** Length in bytes, known before sending. */
  size: number;
  /** Chunks that are lent: each is used up before the next is asked for. */
  stream(): AsyncIterable<Uint8Array>;
}

/** One of a few words. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  description = "",
  options: FieldOptions = {},
): Optional<V[number]> {
  return { kind: "enum", description, required: false, values, ...options };
}

/** A number whose values have names: typed as either, sent and given to programs as the number, shown to people by name. */
export function code(
  codes: Readonly<Record<string, number>>,
  description = "",
  options: FieldOptions = {},
): Optional<number> {
  return { kind: "code", description, required: false, values: Object.keys(codes), codes, ...options };
}

/** A list; as a flag it is given again and again. */
export function array<T>(item: Field<T>, description = "", options: FieldOptions = {}): Optional<T[]> {
  return { kind: "array", description, required: false, item, ...options };
}

/** A value with named fields; `--fields` reaches into it with dots. */
export function object<S extends Fields>(shape: S, description = ""): Optional<Row<S>> {
  return { kind: "object", description, required: false, shape };
}

/** The same field, where null is an answer too. */
export function nullable<T>(field: Field<T>): Optional<T | null> {
  return { ...field, required: false } as Optional<T | null>;
}

/** The same field, where it must be given. */
export function required<T>(field: Field<T>): Field<T, true> {
  return { ...field, required: true };
}

/** Declares a thing that the API answers with. */
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

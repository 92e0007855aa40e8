import { outcomeTones } from "../base/tone.ts";
import type { FieldKind, FieldOptions } from "./field-options.ts";

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
  /**
   * An answer to a change has at least one of these fields, not null, besides each required one; if one of these is
   * required, any of them is enough.
   */
  readonly proof?: readonly string[];
}
/**
 * A row of an entity: documented fields are typed, unknown ones tolerated. Any but a required one may be null or
 * missing; a read whose rows lack a required one is a Failure (src/api/shape.ts).
 */
export type Row<S extends Fields = Fields> = {
  [K in keyof S]: S[K] extends Field<infer T, true> ? T : FieldType<S[K]> | null | undefined;
};

/** What a change answers: any field may be null or missing. */
export type Answer<S extends Fields = Fields> = { [K in keyof S]: FieldType<S[K]> | null | undefined };

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
  return { ...field, required: false, nullable: true } as Optional<T | null>;
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
  { card, proof }: { card?: readonly Path<S>[]; proof?: readonly string[] } = {},
): Entity<S> {
  return { name, shape, ...(card && { card }), ...(proof && { proof }) };
}

/** Dotted paths into a shape: what `--fields` accepts and what a column may name. */
export type Path<S extends Fields> = {
  [K in keyof S & string]: S[K] extends { shape: infer N extends Fields }
    ? K | `${K}.${Path<N>}`
    : FieldType<S[K]> extends object | null
      ? K | `${K}.${string}`
      : K;
}[keyof S & string];

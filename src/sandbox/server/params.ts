import { UploadedFile } from "./body.ts";
import { asText, isHash, type RawParams } from "./nested.ts";
import { type FieldErrors, invalid, missing } from "./problem.ts";

/**
 * A declared parameter: converts a raw value to a typed one. `undefined` means not given, as does an explicit null
 * except in {@link nullable}. `at` is the full name, for the error of a missing attribute.
 */
export type Param<T> = (value: unknown, at: string) => T;

export interface Params {
  readonly [name: string]: Param<unknown>;
}

export type Values<P extends Params> = { readonly [K in keyof P]: ReturnType<P[K]> };

/** The reason to refuse a value, collected into the 400 of the request. */
class Rejected extends Error {
  readonly errors: readonly string[] | FieldErrors;

  constructor(errors: readonly string[] | FieldErrors) {
    super("rejected");
    this.errors = errors;
  }
}

class Missing extends Error {
  readonly attribute: string;

  constructor(attribute: string) {
    super(attribute);
    this.attribute = attribute;
  }
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** A text; `max` counts characters, not bytes. */
export function string(bounds: Bounds = {}): Param<string | undefined> {
  return given((value) => {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") throw rejected();
    const text = String(value);
    if (text.includes("\0")) throw rejected();
    const length = bounds.min === undefined && bounds.max === undefined ? 0 : [...text].length;
    if (length < (bounds.min ?? 0)) throw rejected(`is too short (minimum is ${bounds.min} characters)`);
    if (length > (bounds.max ?? length)) throw rejected(`is too long (maximum is ${bounds.max} characters)`);
    return text;
  });
}

/** A safe integer within the bounds, as JSON or text. */
export function integer(bounds: Bounds = {}): Param<number | undefined> {
  return given((value) => {
    const number = toNumber(value, /^[+-]?\d+$/);
    if (!Number.isSafeInteger(number)) throw rejected();
    return within(number, bounds);
  });
}

/** A decimal number within the bounds, as JSON or text. */
export function number(bounds: Bounds = {}): Param<number | undefined> {
  return given((value) => within(toNumber(value, /^[+-]?\d+(\.\d+)?$/), bounds));
}

/** `true` and `false` in any case, `1` and `0`, as JSON or text. */
export function boolean(): Param<boolean | undefined> {
  return given((value) => {
    const word = asText(value).toLowerCase();
    if (word === "true" || word === "1") return true;
    if (word === "false" || word === "0") return false;
    throw rejected();
  });
}

/** One of the words, case-sensitive. */
export function oneOf<const W extends string>(words: readonly W[]): Param<W | undefined> {
  return given((value) => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw rejected("does not have a valid value");
    return word;
  });
}

/** A date as `YYYY-MM-DD`, as a string. */
export function date(): Param<string | undefined> {
  return given((value) => {
    const text = asText(value);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw rejected();
    const instant = new Date(`${text}T00:00:00Z`);
    if (Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== text) throw rejected();
    return text;
  });
}

/** An ISO 8601 date, with or without a time. */
export function dateTime(): Param<Date | undefined> {
  return given((value) => {
    if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(asText(value)))
      throw rejected();
    const instant = new Date(asText(value));
    if (Number.isNaN(instant.getTime())) throw rejected();
    return instant;
  });
}

/** An array of `item`. Also accepts `a[0]=x` and, with `commas`, text separated by commas. */
export function array<T>(
  item: Param<T>,
  options: { readonly commas?: boolean } = {},
): Param<Exclude<T, undefined>[] | undefined> {
  return given((value, at) => {
    const elements = listOf(value, options.commas === true);
    if (elements === undefined) throw rejected();
    return elements.map((element) => item(element, at) as Exclude<T, undefined>);
  });
}

/** A hash with declared fields; others are dropped. */
export function hash<P extends Params>(fields: P): Param<Values<P> | undefined> {
  return given((value, at) => {
    if (!isHash(value)) throw rejected();
    return readFields(fields, value, (name) => `${at}[${name}]`);
  });
}

/** A hash with arbitrary names and unconverted values. */
export function anyHash(): Param<RawParams | undefined> {
  return given((value) => {
    if (!isHash(value)) throw rejected();
    return value;
  });
}

/** A file of a multipart form. The route must declare `upload: true`. */
export function file(): Param<UploadedFile | undefined> {
  return given((value) => {
    if (!(value instanceof UploadedFile)) throw rejected();
    return value;
  });
}

/** The same parameter, but required: a 400 names it if it is missing. */
export function required<T>(param: Param<T>): Param<Exclude<T, undefined>> {
  return (value, at) => {
    const result = param(value, at);
    if (result === undefined) throw new Missing(at);
    return result as Exclude<T, undefined>;
  };
}

/** The same parameter with a default value. */
export function fallback<T, const D>(param: Param<T>, value: D): Param<Exclude<T, undefined> | D> {
  return (raw, at) => (param(raw, at) ?? value) as Exclude<T, undefined> | D;
}

/** The same parameter, but an explicit null is a value. */
export function nullable<T>(param: Param<T>): Param<T | null> {
  return (value, at) => (value === null ? null : param(value, at));
}

/** Reads all declared parameters; throws a 400 in one of the documents' two formats. */
export function readParams<P extends Params>(params: P, raw: RawParams): Values<P> {
  try {
    return readFields(params, raw, (name) => name);
  } catch (error) {
    if (error instanceof Missing) throw missing(error.attribute);
    if (error instanceof Rejected && !isList(error.errors)) throw invalid(error.errors);
    throw error;
  }
}

function readFields<P extends Params>(params: P, raw: RawParams, nameOf: (name: string) => string): Values<P> {
  const values: Record<string, unknown> = {};
  const errors: Record<string, readonly string[] | FieldErrors> = {};
  for (const [name, param] of Object.entries(params)) {
    try {
      values[name] = param(raw[name], nameOf(name));
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      errors[name] = error.errors;
    }
  }
  if (Object.keys(errors).length > 0) throw new Rejected(errors);
  return values as Values<P>;
}

function given<T>(read: (value: unknown, at: string) => T): Param<T | undefined> {
  return (value, at) => (value === undefined || value === null ? undefined : read(value, at));
}

function rejected(reason = "is invalid"): Rejected {
  return new Rejected([reason]);
}

function toNumber(value: unknown, shape: RegExp): number {
  if (typeof value === "number") return value;
  if (typeof value === "string" && shape.test(value)) return Number(value);
  throw rejected();
}

function within(value: number, bounds: Bounds): number {
  if (value < (bounds.min ?? value)) throw rejected(`must be greater than or equal to ${bounds.min}`);
  if (value > (bounds.max ?? value)) throw rejected(`must be less than or equal to ${bounds.max}`);
  return value;
}

function listOf(value: unknown, commas: boolean): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (commas && typeof value === "string") return value === "" ? [] : value.split(",").map((part) => part.trim());
  if (isHash(value) && Object.keys(value).every((key) => /^\d+$/.test(key))) return Object.values(value);
  return undefined;
}

function isList(errors: readonly string[] | FieldErrors): errors is readonly string[] {
  return Array.isArray(errors);
}

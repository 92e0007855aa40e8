import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { holdsMask } from "../base/secrets.ts";
import { uncapitalize } from "../base/wording.ts";
import type { CallOptions } from "./api.ts";
import { type AnyEndpoint, pathNames } from "./endpoint.ts";
import { ruleText } from "./endpoints/who.ts";
import type { Field } from "./field.ts";
import { type ComparedField, canonical, type Form, normal } from "./normal.ts";
import { sentAs, summaryOf } from "./request.ts";
import { unmetRules } from "./rules.ts";

// A change whose answer shows another value than was sent has not been made as asked. Every change of a field of its
// endpoint is compared here; how a field is answered, if not under its own name, is declared with it (`answered`).

type Values = Readonly<Record<string, unknown>>;

/** A value that was sent and is stored otherwise. */
interface Difference {
  readonly name: string;
  readonly sent: string;
  readonly stored: string;
  readonly flag: boolean;
}

/** Whether an answer shows any of the values that were sent. */
export function showsSent(endpoint: AnyEndpoint, input: Values, answer: unknown): boolean {
  return isObject(answer) && sentFields(endpoint, input).some(([, field]) => field.shownIn(answer).length > 0);
}

/** Whether anything is sent that an answer could show. */
export function isComparable(endpoint: AnyEndpoint, input: Values): boolean {
  return sentFields(endpoint, input).length > 0;
}

/**
 * Compares the object that a change returned with what was sent. A difference is a Failure (exit 9) that names each
 * field: `not_taken` if the change had no effect, `altered` if the instance stored something else.
 *
 * @param known the object before the change, if it is known, and fields that are not compared
 */
export function checkStored(
  endpoint: AnyEndpoint,
  input: Values,
  answer: unknown,
  { before, mayIgnore = [] }: Pick<CallOptions, "before" | "mayIgnore"> = {},
): void {
  if (!isObject(answer)) return;
  const fields = sentFields(endpoint, input).filter(([name]) => !mayIgnore.includes(name));
  const differences = fields.flatMap(([, field]) => field.differences(answer));
  if (differences.length === 0) return;
  const names = new Set(differences.map(({ name }) => name));
  const all = fields.filter(([, field]) => field.shownIn(answer).length > 0).every(([name]) => names.has(name));
  const same =
    before !== undefined && fields.every(([name, field]) => !names.has(name) || field.isSame(before, answer));
  // A flag has no third value: it is as it was.
  const flags = endpoint.method !== "POST" && differences.every(({ flag }) => flag);
  throw stored(summaryOf(endpoint, input), differences, answer, all && (same || flags) ? "not_taken" : "altered");
}

function stored(
  summary: string,
  differences: readonly Difference[],
  answer: object,
  outcome: "altered" | "not_taken",
): Failure {
  const lines = differences.map(({ name, sent, stored: now }) => `sent ${name} ${sent}, the instance stored ${now}`);
  const act = uncapitalize(summary);
  const message =
    outcome === "not_taken"
      ? `could not ${act}: the instance accepted the request, and changed nothing`
      : `could not ${act} as asked: the instance stored something else`;
  const fields = differences.map(({ name, sent, stored: now }) => [name, [`sent ${sent}, stored ${now}`]]);
  return new Failure("partial", message, {
    code: outcome,
    reason: lines.join("\n"),
    fields: Object.fromEntries(fields),
    outcome,
    retryable: false,
    stored: answer,
  });
}

interface SentField {
  /** The values of the field that an answer has; several if it is in each item of a list. */
  shownIn(answer: object): unknown[];
  differences(answer: object): Difference[];
  /** Whether two answers have the same value. */
  isSame(a: object, b: object): boolean;
}

/** The fields of a request's body that an answer can show. */
function sentFields(endpoint: AnyEndpoint, input: Values): [string, SentField][] {
  const places = pathNames(endpoint);
  return Object.entries(endpoint.params).flatMap(([name, field]): [string, SentField][] => {
    const value = sentAs(field, input[name]);
    if (value === undefined || places.includes(name) || isHidden(field)) return [];
    // Each entry is a field of its own.
    if (field.entries && isObject(value)) {
      return Object.entries(value).map(([own, each]) => [own, sentField(own, entryField(each), each)]);
    }
    return [[name, sentField(field.wire ?? name, field, value)]];
  });
}

function entryField(value: unknown): Field {
  return { kind: typeof value === "boolean" ? "boolean" : "json", description: "", required: false };
}

/** Never answered, or not as it was sent. */
function isHidden(field: Field): boolean {
  return field.secret === true || field.kind === "file" || field.answered === "never";
}

function sentField(name: string, field: Field, value: unknown): SentField {
  const answered = field.answered === "never" ? {} : (field.answered ?? {});
  const { as = [name], form = forms[field.kind] ?? "json", missing } = answered;
  const compared: ComparedField = { form, ...(field.codes && { levels: field.codes }) };
  const normalOf = (each: unknown) => canonical(normal(compared, plainNull(form, each)));
  const shownIn = (answer: object) => {
    const found = as.map((path) => valuesAt(answer, path.split("."))).find((values) => values.length > 0) ?? [];
    // Rules hold no secrets, but the names of users, which may be any text; null does not show that one is gone.
    return found.filter((each) => (form === "rules" ? Array.isArray(each) : !holdsMask(each)));
  };
  return {
    shownIn,
    isSame: (a, b) => canonical(shownIn(a).map(normalOf)) === canonical(shownIn(b).map(normalOf)),
    differences: (answer) => {
      const found = shownIn(answer);
      const shown = found.length === 0 && missing === "unset" ? [null] : found;
      if (form === "rules") return shown.flatMap((rules) => ruleDifferences(name, value, rules));
      const other = shown.find((each) => !isMet(form, normalOf, value, each));
      if (shown.length === 0 || other === undefined) return [];
      // The values of keys are secret.
      const text = (each: unknown) => textOf(form === "keys" ? normal({ form }, each) : each);
      return [{ name, sent: text(value), stored: text(other), flag: field.kind === "boolean" }];
    },
  };
}

function isMet(form: Form, normalOf: (value: unknown) => string, sent: unknown, shown: unknown): boolean {
  if (form !== "keys") return normalOf(sent) === normalOf(shown);
  // Instances keep the keys that are not sent.
  const held = new Set((normal({ form }, shown) as unknown[]).map((key) => String(key).toLowerCase()));
  return (normal({ form }, sent) as unknown[]).every((key) => held.has(String(key).toLowerCase()));
}

const forms: Readonly<Partial<Record<Field["kind"], Form>>> = {
  boolean: "boolean",
  integer: "number",
  number: "number",
  id: "number",
  code: "level",
  enum: "text",
  string: "text",
  timestamp: "time",
  date: "text",
  array: "names",
};

/** A flag that is off, and a text that is empty, are null on some instances; they trim names. */
function plainNull(form: Form, value: unknown): unknown {
  if (form === "boolean") return value ?? false;
  return form === "text" && typeof value === "string" ? value.trim() : value;
}

function ruleDifferences(name: string, sent: unknown, shown: unknown): Difference[] {
  return unmetRules(sent, shown).map(({ asked, held }) => ({
    name,
    sent: asked._destroy === true ? `the removal of rule ${asked.id}` : ruleText(asked),
    stored: held === undefined ? "no such rule" : ruleText(held),
    flag: false,
  }));
}

/** The values at a dotted path: of a list those of every item, or of one if the path gives its number. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return value === undefined ? [] : [value];
  if (Array.isArray(value)) {
    if (/^\d+$/.test(name)) return valuesAt(value[Number(name)], rest);
    return value.flatMap((item) => valuesAt(item, [name, ...rest]));
  }
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

function textOf(value: unknown): string {
  if (value === null || value === "") return "nothing";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../base/is-object.ts";

/** A reference to a value of the payload: `{{project.name}}`. */
const reference = /\{\{([^{}\n]+)\}\}/g;

/** What an instance shows of a hook's template. */
export interface Templated {
  readonly custom_webhook_template?: unknown;
}

/** Whether a hook's body is its own, with values of the event. */
export function hasTemplate({ custom_webhook_template: template }: Templated): boolean {
  return typeof template === "string" && template.search(reference) >= 0;
}

/**
 * Whether a resend of this record sends other content. An instance records a body as its hook's template made it, and
 * applies the template to that again (hook-records). If the template failed, the record is empty.
 */
export function isAltered({ custom_webhook_template: template }: Templated, record: unknown): boolean {
  if (typeof template !== "string" || template === "") return isObject(record) && Object.keys(record).length === 0;
  return !makesAgain(template, record);
}

/** Whether a template makes a record of that record. */
function makesAgain(template: string, record: unknown): boolean {
  // What it makes is not longer, however often a large value is in the template.
  let left = (written(record)?.length ?? 0) + template.length;
  const parts: string[] = [];
  let from = 0;
  for (const { 0: whole, 1: path = "", index } of template.matchAll(reference)) {
    const value = written(valueAt(record, path));
    left -= value?.length ?? 0;
    if (value === undefined || left < 0) return false;
    parts.push(template.slice(from, index), value);
    from = index + whole.length;
  }
  try {
    return isDeepStrictEqual(JSON.parse(parts.join("") + template.slice(from)), record);
  } catch {
    return false;
  }
}

function valueAt(record: unknown, path: string): unknown {
  let here = record;
  for (const name of path.split(".")) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return here;
}

/** As a template has it: a text without its quotes. */
function written(value: unknown): string | undefined {
  const json = JSON.stringify(value);
  return typeof value === "string" ? json.slice(1, -1) : json;
}

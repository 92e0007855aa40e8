import { isObject } from "../base/is-object.ts";
import { parseAnswer, wordsOf } from "./json.ts";

export type Json = Record<string, unknown>;

/** An answer's JSON, if it is an object or a list. */
export function parseBody(text: string): Json | undefined {
  try {
    const body = parseAnswer(Buffer.from(text));
    return typeof body === "object" && body !== null ? (body as Json) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A server's message without dumps of internal objects (`#<Project id:7>`), and with errors of fields in words:
 * `{:path=>["has already been taken"]}` is `path: has already been taken`.
 */
export function plain(text: string): string {
  return text
    .replace(/(\w) (?=\{:?\w{1,100}(?:=>|: )\[")/g, "$1: ")
    .replace(/\{:?(\w{1,100})(?:=>|: )\[((?:"[^"]*"(?:, )?)+)\]\}/g, (_, name: string, said: string) => {
      return `${name}: ${said.replaceAll('"', "")}`;
    })
    .replace(/#<[^<>]*(?:<[^<>]*>[^<>]*)*>/g, "")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** The server's message, from any of the shapes in which servers send it. */
export function messageOf(body: Json | undefined): string | undefined {
  const said = body && sentenceOf(body);
  // The status is shown anyway.
  return said === undefined ? undefined : plain(said.replace(/^400 Bad request - (?=\S)/i, "")) || undefined;
}

function sentenceOf(body: Json): string | undefined {
  const { message, error, error_description: description, errors } = body;
  if (typeof message === "string" && message !== "") return message;
  if (isObject(message)) {
    if (typeof message.error === "string") return message.error;
    return "the instance did not accept these values";
  }
  if (typeof description === "string") return description;
  if (typeof error === "string" && error !== "") return error;
  if (Array.isArray(message)) return message.map(wordsOf).join("; ");
  return Array.isArray(errors) ? errors.map(registryError).join("; ") : undefined;
}

/** The container registry's error format: a list of `{ code, message }`. */
function registryError(error: unknown): string {
  if (!isObject(error)) return wordsOf(error);
  return [error.code, error.message].filter((part) => typeof part === "string" && part !== "").join(": ");
}

/** The validation errors of a 400 (`1-project-api: Errors`), nested entities flattened to dotted paths. */
export function fieldsOf(body: Json | undefined): Record<string, string[]> | undefined {
  const message = body?.message;
  if (!isObject(message) || typeof message.error === "string") return undefined;
  const fields = new Map<string, string[]>();
  const visit = (value: unknown, path: string): void => {
    if (isObject(value))
      for (const [key, item] of Object.entries(value)) visit(item, path === "" ? key : `${path}.${key}`);
    else
      fields.set(
        path,
        (Array.isArray(value) ? value : [value]).map((item) => plain(wordsOf(item))),
      );
  };
  visit(message, "");
  // A name such as `__proto__` is treated like any other field.
  return Object.fromEntries(fields);
}

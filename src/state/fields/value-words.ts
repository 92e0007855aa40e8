import { isQuoted, switchWords } from "../../base/yaml-words.ts";
import type { StateField } from "../kind.ts";
import type { Tree } from "../yaml/tree.ts";

/** The expected forms of values, for messages. */
const called: Readonly<Record<StateField["form"], string>> = {
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  text: "a text",
  id: "an ID (a whole number of at least 1)",
  level: "a level, by name or number",
  names: "a list",
  domains: "a list of domains",
  addresses: "a text with addresses",
  list: "a list",
  hash: "a mapping",
  rules: "a list of rules",
  keys: "a list of keys and values",
  json: "a value",
};

/** `must be true or false, not a text`. */
export function mismatchText(tree: Tree, { form }: StateField): string {
  const word = form === "boolean" && tree.kind === "scalar" ? switchWords(tree.value) : undefined;
  return word === undefined ? `must be ${called[form]}, not ${describe(tree)}` : `must be ${called[form]}; ${word}`;
}

/** The type of a value, and a short value itself; never called for secrets. */
export function describe(tree: Tree): string {
  if (tree.kind === "mapping") return "a mapping";
  if (tree.kind === "sequence") return "a list";
  if (tree.value === null) return "null";
  if (typeof tree.value === "string") return "a text";
  return typeof tree.value === "boolean" ? String(tree.value) : "a number";
}

/** What to do about the quotes of a value of the wrong type. */
export function quotes(tree: Tree, { form }: StateField): string | undefined {
  if (tree.kind !== "scalar" || tree.value === null) return undefined;
  if (form === "text" && typeof tree.value !== "string") return "write it in quotes";
  const type = form === "boolean" ? "boolean" : ["integer", "number", "id"].includes(form) ? "number" : undefined;
  const isText = typeof tree.value === "string" && type !== undefined && isQuoted(type, tree.value);
  return isText ? "write it without quotes" : undefined;
}

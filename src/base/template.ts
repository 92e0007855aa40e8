import { commandLine } from "./shell-words.ts";

/**
 * Fills in the values of a template's placeholders; the result is a shell line.
 *
 * - `{name}` is the value of that name, anywhere in a word; `{name|on|off}` is the first word if the value is true, the
 *   second if it is false;
 * - `{name...}` is one word per item of a list, `--flag={name...}` one `--flag=…` per item;
 * - `[--flag {name}]` is left out if a name in it has no value;
 * - `'…'` is one word, spaces included.
 *
 * Undefined if a name outside of brackets has no value.
 *
 * @param known the value of a name or a dotted path
 * @param encode how a value is written in its word
 */
export function filledLine(
  template: string,
  known: (name: string) => unknown,
  encode: (text: string) => string = String,
): string | undefined {
  const words = filledWords(template, known, encode);
  return words && commandLine(words);
}

function filledWords(
  template: string,
  known: (name: string) => unknown,
  encode: (text: string) => string,
): string[] | undefined {
  const words: string[] = [];
  for (const [part] of template.matchAll(/\[[^\]]*\]|(?:'[^']*'|[^\s'])+/g)) {
    const isOptional = part.startsWith("[");
    const filled = isOptional ? filledWords(part.slice(1, -1), known, encode) : filledWord(part, known, encode);
    if (filled === undefined && !isOptional) return undefined;
    words.push(...(filled ?? []));
  }
  return words;
}

function filledWord(
  word: string,
  known: (name: string) => unknown,
  encode: (text: string) => string,
): string[] | undefined {
  const [, lead = "", list] = /^([^{}]*)\{([\w.]+)\.\.\.\}$/.exec(word) ?? [];
  if (list !== undefined) {
    const values = [known(list)].flat().map(textOf);
    const isWhole = values.length > 0 && values.every((text) => text !== undefined);
    // One that begins with a hyphen would be read as a flag.
    if (!isWhole || (lead === "" && values.some((text) => text.startsWith("-")))) return undefined;
    return values.map((text) => `${lead}${encode(text)}`);
  }
  const parts = word.replaceAll("'", "").split(/(\{[^{}]*\})/);
  const texts = parts.map((part, index) => (index % 2 === 0 ? part : valueOf(part.slice(1, -1), known)));
  if (texts.includes(undefined)) return undefined;
  // A value would be read as a flag; one of the template's own words may be one.
  if (parts[0] === "" && texts[1]?.startsWith("-") && !parts[1]?.includes("|")) return undefined;
  return [texts.map((text = "", index) => (index % 2 === 0 ? text : encode(text))).join("")];
}

function valueOf(placeholder: string, known: (name: string) => unknown): string | undefined {
  const [name = "", yes, no] = placeholder.split("|");
  const value = known(name);
  if (yes !== undefined) return value === true ? yes : value === false ? no : undefined;
  return textOf(Array.isArray(value) && value.length === 1 ? value[0] : value);
}

function textOf(value: unknown): string | undefined {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

/** The names in a template's braces. */
export function namesIn(template: string): string[] {
  return [...template.matchAll(/\{([\w.]+?)(?:\.\.\.|\|[^{}]*)?\}/g)].map(([, name = ""]) => name);
}

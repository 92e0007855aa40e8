// Loaded late, with `import()`; named imports keep the rest of the package out of the bundle.
import { type Document, dump, SCALAR_STYLE, visit } from "js-yaml";
import { obeyedAnywhere } from "../base/ci.ts";
import { holdsCommand } from "./job-log.ts";

/** Controls that reorder text: the package writes them as they are, and a terminal or a viewer obeys them. */
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const everyBidi = new RegExp(bidi, "g");

/** Formats a value as YAML in which everything that is not shown is written as an escape; a parser reads the same. */
export function dumpYaml(value: unknown, options: Parameters<typeof dump>[1]): string {
  const isFolded = options?.lineWidth !== -1;
  const text = dump(value, { ...options, noRefs: true, transform: (documents) => quoteObeyed(documents, isFolded) });
  return text
    .replace(everyBidi, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(obeyedAnywhere, "#\\x23");
}

/** What makes YAML quote a text that begins with a letter. */
const quotedWith = /:(?:\s|$)|\s#/;

/**
 * Only double quotes have escapes, and are never folded. A block of lines would have the text's own at the beginning of
 * a job's lines, and a folded one any word. Single quotes would double the apostrophes of a line to paste, and so end
 * the quotes in it.
 */
function quoteObeyed(documents: Document[], isFolded: boolean): void {
  for (const { contents } of documents) {
    // Parsers do not agree from where the indentation of a block counts that is the whole document.
    const isIndented = contents?.kind === "scalar" && /^\s/.test(contents.value) && contents.value.includes("\n");
    if (isIndented) contents.style = SCALAR_STYLE.DOUBLE_QUOTED;
  }
  visit(documents, (node) => {
    if (node.kind !== "scalar") return;
    const lines = isFolded ? node.value.replace(/\s+/g, "\n") : node.value;
    const endsQuotes = node.value.includes("'") && quotedWith.test(node.value);
    const isObeyed = bidi.test(node.value) || holdsCommand(node.value) || holdsCommand(lines);
    if (endsQuotes || isObeyed || isOverflowing(node.value) || isOpenEnded(node.value))
      node.style = SCALAR_STYLE.DOUBLE_QUOTED;
  });
}

/** A number by YAML's schemas, of which the package quotes only those that it reads as one: some IDs of commits. */
function isOverflowing(text: string): boolean {
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)e[-+]?\d+$/i.test(text) && !Number.isFinite(Number(text));
}

/**
 * A block that ends in blank lines is followed by the mark of a document's end: what stands below would be another.
 * One that ends in spaces is not read alike.
 */
function isOpenEnded(text: string): boolean {
  return text.includes("\n") && /\s$/.test(text) && !/\S\n$/.test(text);
}

import { isUtf8 } from "node:buffer";
import { lastAttribute } from "./attributes.ts";

/**
 * What real instances show as the content of a text that is not UTF-8: its conversion, for which they guess the
 * encoding. This one always guesses Latin-1. Anything with a NUL is not a text.
 */
export function converted(content: Buffer): Buffer {
  return isUtf8(content) || content.includes(0) ? content : Buffer.from(content.toString("latin1"));
}

/** What real instances commit in place of a text: with LF for CRLF, unless `.gitattributes` says `-text`. */
export function withStoredBreaks(rules: string, path: string, content: Buffer): Buffer {
  const keeps = /^(?:-text|binary)$/.test(lastAttribute(rules, path, /^(?:[-!]?text(?:=.*)?|binary)$/) ?? "");
  const text = content.toString("latin1");
  if (keeps || text.includes("\0") || /\r(?!\n)/.test(text)) return content;
  return Buffer.from(text.replaceAll("\r\n", "\n"), "latin1");
}

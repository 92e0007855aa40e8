import { UsageError } from "../../base/errors.ts";

/** Text is sent as it is if JSON and the platform's checks preserve it, anything else in Base64. */
export function onTheWire(bytes: Uint8Array, encoding: "text" | "base64" | undefined) {
  const text = encoding === "base64" ? undefined : textOf(bytes);
  if (text !== undefined) return { content: text, ...(encoding !== undefined && { encoding }) };
  if (encoding === "text") {
    throw new UsageError("--encoding text: the content is not UTF-8 text", { hint: "leave it out, or use base64" });
  }
  return { content: Buffer.from(bytes).toString("base64"), encoding: "base64" as const };
}

/** Decodes bytes as text, including a byte order mark; undefined if they are not text: not UTF-8, or with a NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A text with LF for CRLF, as Git stores it; undefined if it has none, or is not a text for Git. */
export function withLineFeeds(bytes: Uint8Array): Uint8Array | undefined {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (content.includes(0) || !content.includes("\r\n")) return undefined;
  // Not by way of a string: of a large text that takes many times its size.
  const text = new Uint8Array(content.length);
  let size = 0;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] as number;
    if (byte !== carriageReturn) text[size++] = byte;
    else if (content[at + 1] !== lineFeed) return undefined;
  }
  return text.subarray(0, size);
}

const [carriageReturn, lineFeed] = [0x0d, 0x0a];

const byteOrderMark = "\ufeff";

/**
 * Restores what editors change by themselves: a byte order mark, CRLF if all line ends were CRLF, and a missing line
 * break at the end.
 */
export function inFormOf(before: string, edited: string): string {
  let text = edited;
  if (before.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark)) text = byteOrderMark + text;
  if (before.includes("\n") && !/(?<!\r)\n/.test(before)) text = text.replace(/\r?\n/g, "\r\n");
  if (before === "" || before.endsWith("\n")) return text;
  return text.replace(before.endsWith("\r") ? /\n$/ : /\r?\n$/, "");
}

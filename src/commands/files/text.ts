import { UsageError } from "../../base/errors.ts";

/** Text as it is where it survives JSON and the platform's checks, all else in Base64. */
export function onTheWire(bytes: Uint8Array, encoding: "text" | "base64" | undefined) {
  const text = encoding === "base64" ? undefined : textOf(bytes);
  if (text !== undefined) return { content: text, ...(encoding !== undefined && { encoding }) };
  if (encoding === "text") {
    throw new UsageError("--encoding text: the content is not UTF-8 text", { hint: "leave it out, or use base64" });
  }
  return { content: Buffer.from(bytes).toString("base64"), encoding: "base64" as const };
}

/** The text that bytes are, its byte order mark included; undefined where they are none: not UTF-8, or with a NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

const byteOrderMark = "\ufeff";

/**
 * An edited text with what editors change on their own account put back: a byte order mark, CRLF where all line ends were
 * CRLF, and no line end behind the last line where there was none.
 */
export function inFormOf(before: string, edited: string): string {
  let text = edited;
  if (before.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark)) text = byteOrderMark + text;
  if (before.includes("\n") && !/(?<!\r)\n/.test(before)) text = text.replace(/\r?\n/g, "\r\n");
  if (before === "" || before.endsWith("\n")) return text;
  return text.replace(before.endsWith("\r") ? /\n$/ : /\r?\n$/, "");
}

import { withoutEnd } from "../base/without-end.ts";

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const maxBytes = 200;

/** Makes a server's file name safe for this folder; undefined if nothing usable remains. */
export function safeFileName(given: string): string | undefined {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069<>:"|?*]/g, "_")
    .replace(/^[.\s-]+/, "");
  const name = withoutEnd(plain, /[.\s]/);
  if (name === "" || reserved.test(name)) return undefined;
  return shortened(name);
}

/** Shortened to the limit of file systems, keeping the extension. */
function shortened(name: string): string {
  const encoder = new TextEncoder();
  const size = (text: string) => encoder.encode(text).length;
  if (size(name) <= maxBytes) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && size(name.slice(dot)) <= 20 ? name.slice(dot) : "";
  // A character has at least one byte: of a long name, only the beginning is looked at.
  let stem = [...name.slice(0, Math.min(2 * maxBytes, name.length - extension.length))];
  while (size(stem.join("") + extension) > maxBytes) stem = stem.slice(0, -1);
  return stem.join("") + extension;
}

/** The file name of a `Content-Disposition`, made safe (RFC 6266: the encoded form wins). */
export function fileNameIn(headers: Readonly<Record<string, string>>): string | undefined {
  const text = headers["content-disposition"] ?? "";
  const [, charset = "", encoded] = /;\s*filename\*\s*=\s*"?([\w-]*)'[\w-]*'([^;"]*)/i.exec(text) ?? [];
  if (encoded !== undefined && charset.toLowerCase() === "utf-8") {
    const decoded = decode(encoded);
    const name = decoded === undefined ? undefined : safeFileName(decoded);
    if (name !== undefined) return name;
  }
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(text) ?? [];
  const plain = quoted?.replace(/\\(.)/g, "$1") ?? bare;
  return plain === undefined ? undefined : safeFileName(plain);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

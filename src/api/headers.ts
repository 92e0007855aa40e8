import type { Entity } from "./field.ts";

/** A valid HTTP header name (RFC 9110: Tokens). */
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Parses a header, `name: value`, or describes the problem without repeating the text, since a value may be a
 * secret (RFC 9110: Field Values).
 */
export function readHeaderLine(text: string): { name: string; value: string } | { problem: string } {
  const at = text.indexOf(":");
  if (at < 0) return { problem: 'must be "name: value"; it has no colon' };
  const name = text.slice(0, at).trim();
  const value = text.slice(at + 1).trim();
  if (/[\r\n]/.test(text.trim())) return { problem: "a header must not contain a line break" };
  if (!headerName.test(name)) return { problem: "the part before the colon is not a valid header name" };
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    return {
      problem: `the value of ${name} has a character that is not allowed in a header (a control character, or one outside Latin-1)`,
    };
  }
  return { name, value };
}

/**
 * Reads an entity from vendor headers (`X-Service-Blob-Id` → `blob_id`). The prefix differs between instances:
 * the configured one is tried first, then any single word.
 */
export function readHeaders(
  entity: Entity,
  headers: Readonly<Record<string, string>>,
  prefix: string,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(entity.shape)) {
    const suffix = name.replaceAll("_", "-");
    const text = headers[`${prefix.toLowerCase()}-${suffix}`] ?? anyVendor(headers, suffix);
    if (text !== undefined) record[name] = typed(field.kind, text);
  }
  return record;
}

function anyVendor(headers: Readonly<Record<string, string>>, suffix: string): string | undefined {
  const pattern = new RegExp(`^x-[^-]+-${suffix}$`);
  const name = Object.keys(headers).find((header) => pattern.test(header));
  return name === undefined ? undefined : headers[name];
}

function typed(kind: string, bytes: string): unknown {
  const text = fromBytes(bytes);
  if (kind === "boolean") return text === "true";
  return ["integer", "number", "bytes", "id"].includes(kind) && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** Header values arrive as one character per byte; non-ASCII text in them is UTF-8. */
function fromBytes(text: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
  } catch {
    return text;
  }
}

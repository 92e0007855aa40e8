import { refuseHalfCharacters } from "../base/unicode.ts";
import { type BuiltBody, encodePairs } from "./request.ts";
import type { WireBody } from "./transport/message.ts";

const encoder = new TextEncoder();

/** A built body as bytes of a known length, and its media type. A file is streamed, never kept in memory. */
export function encodeBody(body: BuiltBody): { contentType: string; body: WireBody } {
  if (body.kind === "raw") return { contentType: body.contentType, body: body.body };
  if (body.kind === "json") {
    refuseHalfCharacters(body.value);
    return { contentType: "application/json", body: inMemory(JSON.stringify(body.value)) };
  }
  if (body.kind === "form") {
    return { contentType: "application/x-www-form-urlencoded", body: inMemory(encodePairs(body.pairs)) };
  }
  refuseHalfCharacters({ ...Object.fromEntries(body.pairs), file: body.file?.source.name });
  // Random, so that no file contains it, and the same on every attempt.
  const boundary = `----forgectl${crypto.randomUUID().replaceAll("-", "")}`;
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: multipart(body, boundary) };
}

function multipart(body: Extract<BuiltBody, { kind: "multipart" }>, boundary: string): WireBody {
  const { file } = body;
  let head = "";
  for (const [name, value] of body.pairs) {
    head += `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`;
  }
  if (file !== undefined) {
    head += `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(file.name)}"; filename="${quoted(file.source.name)}"\r\n`;
    head += "Content-Type: application/octet-stream\r\n\r\n";
  }
  const before = encoder.encode(head);
  const after = encoder.encode(`${file === undefined ? "" : "\r\n"}--${boundary}--\r\n`);
  return {
    size: before.length + (file?.source.size ?? 0) + after.length,
    async *stream() {
      yield before;
      if (file !== undefined) yield* file.source.stream();
      yield after;
    },
  };
}

/** Quotes a name as browsers do (WHATWG: multipart/form-data encoding). */
function quoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A body in memory: a text is sent as UTF-8. */
export function inMemory(content: string | Uint8Array): WireBody {
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  return {
    size: bytes.length,
    async *stream() {
      yield bytes;
    },
  };
}

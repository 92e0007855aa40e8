import type { Readable } from "node:stream";
import type { Reply } from "./reply.ts";

/** A content to send. */
export interface Download {
  /** Bytes. */
  readonly size: number;
  /** Opens the content, or its bytes from `start` to `end`, inclusive. */
  readonly open: (range?: { readonly start: number; readonly end: number }) => Readable;
  readonly contentType: string;
  /** A strong validator without quotes, such as the SHA-256. */
  readonly etag: string;
  readonly lastModified?: Date;
  /** Name for `Content-Disposition: attachment`; without it the header is omitted. */
  readonly filename?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a content or one range of it: supports `Range`, `If-Range`, and `If-None-Match`. A request for several ranges
 * is answered with the complete content, as RFC 9110 allows.
 */
export function download(header: (name: string) => string | undefined, content: Download): Reply {
  const etag = `"${content.etag}"`;
  const headers: Record<string, string> = {
    "accept-ranges": "bytes",
    "content-type": content.contentType,
    etag,
    ...(content.lastModified && { "last-modified": content.lastModified.toUTCString() }),
    ...(content.filename !== undefined && { "content-disposition": disposition(content.filename) }),
    ...content.headers,
  };
  if (matches(header("if-none-match"), etag)) return { status: 304, headers };
  const asked = rangeStillMeant(header("if-range"), etag, headers["last-modified"]) ? header("range") : undefined;
  const range = parseRange(asked, content.size);
  if (range === "unsatisfiable") {
    return { status: 416, headers: { "content-range": `bytes */${content.size}` } };
  }
  if (range === undefined) {
    return { status: 200, headers: { ...headers, "content-length": String(content.size) }, body: () => content.open() };
  }
  const { start, end } = range;
  return {
    status: 206,
    headers: {
      ...headers,
      "content-length": String(end - start + 1),
      "content-range": `bytes ${start}-${end}/${content.size}`,
    },
    body: () => content.open(range),
  };
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((candidate) => [etag, `W/${etag}`, "*"].includes(candidate.trim()));
}

/** Whether the validator of `If-Range` still matches; otherwise the complete content must be sent. */
function rangeStillMeant(ifRange: string | undefined, etag: string, lastModified: string | undefined): boolean {
  return ifRange === undefined || ifRange === etag || (lastModified !== undefined && ifRange === lastModified);
}

function parseRange(
  text: string | undefined,
  size: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(text?.trim() ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (match === null || (first === "" && last === "")) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}

/** `attachment` with the name in both forms: ASCII for old clients, UTF-8 for others (RFC 6266). */
function disposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

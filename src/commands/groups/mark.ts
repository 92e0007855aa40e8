import { createHash } from "node:crypto";
import type { Download } from "../../api/api.ts";

/**
 * Identifies an archive, and is short enough to be typed: `etag-5f2a…`; if the instance sends no ETag, `date-…` of its
 * time; otherwise `sha256-…` of its content.
 */
export type Mark = string;

export const markPattern = {
  test: /^(?:etag|date|sha256)-[0-9a-f]{16}$/,
  words: "a mark as groups export prints it (etag-0123456789abcdef)",
};

/** The mark of an archive. The body is discarded, or read if the mark is of the content. */
export async function markOf(answer: Download): Promise<Mark> {
  const mark = headerMark(answer.headers, "etag") ?? headerMark(answer.headers, "date");
  if (mark === undefined) return contentMark(answer);
  await answer.discard();
  return mark;
}

/**
 * Whether an archive differs from the one with this mark; false if that cannot be determined. If it differs, its body
 * can still be read, unless the mark is of the content.
 */
export async function isOther(answer: Download, than: Mark): Promise<boolean> {
  if (isOfContent(than)) return (await contentMark(answer)) !== than;
  const kind = than.startsWith("etag") ? "etag" : "date";
  const mark = headerMark(answer.headers, kind);
  const isEarlier = kind === "date" && dateAndLength(answer.headers) === than;
  if (mark !== undefined && mark !== than && !isEarlier) return true;
  await answer.discard();
  return false;
}

export function isOfContent(mark: Mark): boolean {
  return mark.startsWith("sha256");
}

function headerMark(headers: Download["headers"], kind: "etag" | "date"): Mark | undefined {
  const { etag, "last-modified": modified } = headers;
  if (kind === "etag") return etag === undefined ? undefined : digested(kind, contentTag(etag));
  // Not of the length, which is in one answer for an archive and not in another: a proxy may send it in chunks.
  return modified === undefined ? undefined : digested(kind, modified);
}

/** The mark as earlier releases printed it. */
function dateAndLength(headers: Download["headers"]): Mark {
  return digested("date", `${headers["last-modified"]} ${lengthIn(headers)}`);
}

/** Proxies make an ETag weak, or add a suffix, in one answer and not in another: the content is the same. */
function contentTag(etag: string): string {
  return etag.replace(/^W\//, "").replace(/(?<!-)-+(?:gzip|br)(?="?$)/, "");
}

/** Length of the whole archive, even if the answer is a part of it. */
function lengthIn(headers: Download["headers"]): string {
  return /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1] ?? headers["content-length"] ?? "";
}

function digested(kind: string, text: string): Mark {
  return `${kind}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

async function contentMark(answer: Download): Promise<Mark> {
  const hash = createHash("sha256");
  for await (const chunk of answer.body) hash.update(chunk);
  return `sha256-${hash.digest("hex").slice(0, 16)}`;
}

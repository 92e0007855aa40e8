import type { Download } from "../api/api.ts";

/**
 * Whether an answer continues a partial content: some servers ignore `If-Range`, or send another range. One that does
 * not say what it is a part of may be a part of another content: a server has to repeat the ETag, and may leave out the
 * date (RFC 9110: 206 Partial Content), in which case all is requested again.
 */
export function fits(answer: Download, point: { size: number; validator: string }): boolean {
  const { etag, "last-modified": modified } = answer.headers;
  const named = point.validator.startsWith('"') ? etag : modified;
  return answer.status === 206 && startOf(answer) === point.size && named === point.validator;
}

/** Offset of a part's first byte (RFC 9110: Content-Range), from 0; undefined if not reported. */
export function startOf({ headers }: Download): number | undefined {
  const [, start] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/i.exec(headers["content-range"] ?? "") ?? [];
  return start === undefined ? undefined : Number(start);
}

/** Size of the whole content according to `Content-Range`, and of this answer, in bytes. */
export function lengthsOf({ status, headers }: Download): { total: number | undefined; length: number | undefined } {
  const [, total] = /^bytes \d+-\d+\/(\d+)$/i.exec(headers["content-range"] ?? "") ?? [];
  const length = headers["content-length"];
  return {
    total: status === 206 && total !== undefined ? Number(total) : undefined,
    length: length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined,
  };
}

/**
 * A validator that `If-Range` may carry: a strong ETag, or a date old enough to be one (RFC 9110: Strong comparison).
 */
export function validatorOf(headers: Readonly<Record<string, string>>): string | undefined {
  if (headers["accept-ranges"] === "none") return undefined;
  const { etag, date, "last-modified": modified } = headers;
  if (etag !== undefined) return etag.startsWith('"') ? etag : undefined;
  if (modified === undefined || date === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= 60_000 ? modified : undefined;
}

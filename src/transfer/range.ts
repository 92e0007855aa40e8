import type { Download } from "../api/types.ts";

/** Whether an answer is the rest of a begun content: some servers do not know `If-Range`, or send another range. */
export function fits(answer: Download, point: { size: number; validator: string }): boolean {
  const { etag, "last-modified": modified } = answer.headers;
  const named = point.validator.startsWith('"') ? etag : modified;
  const isSame = named === undefined || named === point.validator;
  return answer.status === 206 && startOf(answer) === point.size && isSame;
}

/** First byte of a part (RFC 9110: Content-Range), from 0; undefined where the answer does not tell. */
export function startOf({ headers }: Download): number | undefined {
  const [, start] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/i.exec(headers["content-range"] ?? "") ?? [];
  return start === undefined ? undefined : Number(start);
}

/** Bytes of the whole content, told by a part, and bytes of this answer. */
export function lengthsOf({ status, headers }: Download): { total: number | undefined; length: number | undefined } {
  const [, total] = /^bytes \d+-\d+\/(\d+)$/i.exec(headers["content-range"] ?? "") ?? [];
  const length = headers["content-length"] ?? "";
  return {
    total: status === 206 && total !== undefined ? Number(total) : undefined,
    length: /^\d+$/.test(length) ? Number(length) : undefined,
  };
}

/** A validator that `If-Range` may carry: a strong ETag, or a date old enough to be one (RFC 9110: Strong comparison). */
export function validatorOf(headers: Readonly<Record<string, string>>): string | undefined {
  if (headers["accept-ranges"] === "none") return undefined;
  const { etag, date, "last-modified": modified } = headers;
  if (etag !== undefined) return etag.startsWith('"') ? etag : undefined;
  if (modified === undefined || date === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= 60_000 ? modified : undefined;
}

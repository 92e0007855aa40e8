import type { ReceivedPage } from "./prefetch.ts";

/**
 * Reads where a list continues from an answer's headers: `X-Next-Page`, otherwise `Link`, otherwise this page's number
 * and the number of pages. Where none of them says it, the list is not paged, or a proxy has removed them.
 */
export function nextOf(headers: Readonly<Record<string, string>>): Exclude<ReceivedPage<never>["next"], "open"> {
  const link = headers.link === undefined ? undefined : linkTo(headers.link, "next");
  const number = headers["x-next-page"];
  if (number !== undefined && /^\d+$/.test(number)) return { page: Number(number) };
  if (link !== undefined) {
    const { searchParams } = new URL(link);
    // A cursor may be accompanied by a meaningless page number: it is the same in every link.
    if (searchParams.get("pagination") === "keyset") return { url: link };
    const page = searchParams.get("page");
    return page === null || !/^\d+$/.test(page) ? { url: link } : { page: Number(page) };
  }
  if (number !== undefined || headers.link !== undefined) return "end";
  const [page, pages] = [countOf(headers["x-page"]), countOf(headers["x-total-pages"])];
  if (page === undefined || pages === undefined) return "unsaid";
  return page < pages ? { page: page + 1 } : "end";
}

/** The URL of one relation in a `Link` header (RFC 8288). */
export function linkTo(header: string, relation: string): string | undefined {
  for (const match of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, url, params = ""] = match;
    if (new RegExp(`;\\s*rel="?(?:[^";]*\\s)?${relation}(?=["\\s;,]|$)`, "i").test(params)) return url;
  }
  return undefined;
}

/** A numeric header (`X-Total`); undefined if it is missing or not a number. */
export function countOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
}

import { Failure } from "../base/errors.ts";

/** With 100 rows per page, ten million rows: a safeguard against endless lists. */
export const maxPages = 100_000;

/** A list whose pages lead back to earlier ones would never end. */
export function cycle(): Failure {
  return endless("its pages form a cycle");
}

/** What is in front of the instance may answer each page with the same one. */
export function repeated(shown: number, total: number | undefined): Failure {
  const rows = total === undefined ? `${shown} rows` : `${shown} of ${total} rows`;
  const reason = `after ${rows}, a page is the one before it again`;
  return new Failure("refused", "the list could not be read to its end", { code: "repeated_page", reason });
}

/** What is in front of the instance may remove the headers that say where a list continues. */
export function incomplete(counted?: { readonly shown: number; readonly total: number }): Failure {
  const reason =
    counted === undefined
      ? "a full page does not say where the list continues"
      : `it ends after ${counted.shown} of ${counted.total} rows`;
  return new Failure("refused", "the list could not be read to its end", { code: "incomplete_list", reason });
}

/** The error for an endless list. */
export function endless(how: string): Failure {
  return new Failure("refused", `the list does not end: ${how}`, { code: "endless_list" });
}

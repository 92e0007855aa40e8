import { maxPageSize, type Window } from "../api/api.ts";
import { type Field, integer } from "../api/field.ts";

const defaultLimit = 100;

/** The flags that every list takes. */
export const listFlags = {
  limit: integer("Maximum number of rows to show", {
    short: "L",
    placeholder: "n|all",
    min: 1,
    default: defaultLimit,
    suggests: ["all"],
  }) as Field<number | "all", false>,
  page: integer("Start at this page; alone, show only that page", { placeholder: "n", min: 1 }),
  per_page: integer("Rows per request", { placeholder: "n", min: 1, max: maxPageSize }),
};

interface ListInput {
  limit?: number | "all" | undefined;
  page?: number | undefined;
  per_page?: number | undefined;
}

/**
 * The part of a list that the flags select. `--page` alone selects that page; with a limit, the list starts there.
 *
 * @param pageSize default rows per request; smaller for endpoints that accept fewer
 */
export function windowOf(input: ListInput, pageSize = maxPageSize): Window {
  const { limit, page, per_page: perPage } = input;
  const onePage = page !== undefined && limit === undefined;
  const rows = onePage ? (perPage ?? pageSize) : limit === "all" ? undefined : (limit ?? defaultLimit);
  return { limit: rows, page, perPage: perPage ?? Math.min(rows ?? pageSize, pageSize) };
}

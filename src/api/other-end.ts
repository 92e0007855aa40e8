/**
 * The path of a list by cursor from its other end, with one row: the last one of the list. Undefined if the order of
 * the list is not known.
 */
export function otherEnd(path: string, rows: readonly { id?: unknown }[]): string | undefined {
  const [resource = "", query] = path.split("?", 2);
  const params = new URLSearchParams(query);
  const sort = params.get("sort") ?? sortOf(rows);
  if (sort !== "asc" && sort !== "desc") return undefined;
  for (const place of ["id_after", "id_before", "cursor", "page"]) params.delete(place);
  params.set("sort", sort === "asc" ? "desc" : "asc");
  params.set("per_page", "1");
  return `${resource}?${params}`;
}

function sortOf(rows: readonly { id?: unknown }[]): string | undefined {
  const [first, last] = [rows[0]?.id, rows.at(-1)?.id];
  if (typeof first !== "number" || typeof last !== "number" || first === last) return undefined;
  return first < last ? "asc" : "desc";
}

import { UsageError } from "../base/errors.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import type { PageSource } from "./pages.ts";
import type { ReceivedPage } from "./prefetch.ts";
import type { BuiltRequest } from "./request.ts";

/** The request of a list. */
interface Asked {
  endpoint: AnyEndpoint;
  input: object;
  built: BuiltRequest;
  /** Rows per page. */
  perPage: number;
}

type Ask = (request: BuiltRequest) => Promise<ReceivedPage<never>>;

/** The pages of a list: by number, by the next page's URL, and by cursor where page numbers end. */
export function pagesOf(asked: Asked, ask: Ask, baseUrl: () => string): PageSource<never> {
  const { built, perPage } = asked;
  const source = {
    byNumber: (page: number) => ask(withPage(built, page, perPage)),
    byUrl: (url: string) => ask({ ...built, path: linkedPath(url, baseUrl()) }),
  };
  return { ...source, after: (last) => after(asked, last, { ...source, byRequest: ask }) };
}

/** Continues a list that is ordered by ID by cursor, after one of its rows. */
function after(
  { endpoint, input, built, perPage }: Asked,
  last: { id?: unknown },
  source: { byRequest: Ask; byUrl(url: string): Promise<ReceivedPage<never>> },
) {
  const { pagination, order_by } = endpoint.params;
  const { order_by: order = "id", sort = "desc", pagination: asked } = input as Record<string, unknown>;
  const can = pagination?.values?.includes("keyset") === true && order_by !== undefined && asked === undefined;
  if (!can || order !== "id" || typeof last.id !== "number") return undefined;
  const { id } = last;
  const ascending = sort === "asc";
  // A cursor at the start of the list would repeat the rows already shown.
  const unseen = async (page: Promise<ReceivedPage<never>>) => {
    const given = await page;
    return { ...given, open: () => given.open().filter(({ id: own }) => (ascending ? own > id : own < id)) };
  };
  const query = {
    pagination: "keyset",
    order_by: "id",
    sort: String(sort),
    [ascending ? "id_after" : "id_before"]: id,
  };
  const path = withQuery(built.path, query);
  return {
    first: () => unseen(source.byRequest(withPage({ ...built, path }, 1, perPage))),
    byUrl: (url: string) => unseen(source.byUrl(url)),
  };
}

/** A path with these query parameters replaced. */
function withQuery(path: string, more: Readonly<Record<string, string | number>>): string {
  const [resource = "", query] = path.split("?", 2);
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more)) params.set(name, String(value));
  return `${resource}?${params}`;
}

/** The path of the next page; a link to another origin is the instance's fault, not a usage error. */
export function linkedPath(url: string, baseUrl: string): string {
  try {
    return ownPath(url, baseUrl);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw error.with({
      exit: "refused",
      message: `the list continues on another origin: ${error.message}`,
      code: "unexpected_answer",
    });
  }
}

/** A `Link` target as a path of this instance; another origin is refused, since it would receive the token. */
export function ownPath(url: string, baseUrl: string): string {
  const root = `${baseUrl}/api/v4`;
  if (!URL.canParse(url, `${root}/`)) throw new UsageError(`"${url}" is not a valid address`);
  const target = new URL(url, `${root}/`).href;
  const normalRoot = new URL(root).href;
  if (!target.startsWith(`${normalRoot}/`)) {
    throw new UsageError(`"${target}" is not an address of ${baseUrl}`, {
      hint: "set the base URL to the address that the instance uses for itself",
    });
  }
  return target.slice(normalRoot.length);
}

/** The first page has no parameter, since a list by cursor has no page numbers. */
function withPage(request: BuiltRequest, page: number, perPage: number): BuiltRequest {
  const separator = request.path.includes("?") ? "&" : "?";
  const number = page === 1 ? "" : `&page=${page}`;
  return { ...request, path: `${request.path}${separator}per_page=${perPage}${number}` };
}

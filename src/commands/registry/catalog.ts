import { type Download, maxPageSize } from "../../api/api.ts";
import { endless, maxPages } from "../../api/endless.ts";
import { getCatalog } from "../../api/endpoints/registry.ts";
import { entity, uncut } from "../../api/field.ts";
import { parseAnswer, wordsOf } from "../../api/json.ts";
import { linkTo } from "../../api/page-headers.ts";
import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";
import type { Cut } from "../../terminal/view.ts";
import { readAll } from "../../transfer/source.ts";
import { bearer } from "./credentials.ts";

/** The registry sends at most a thousand names. */
const maxPageBytes = 16 * 1024 * 1024;

const CatalogEntry = entity("CatalogEntry", { name: uncut("Repository path") });

export const catalog = command({
  name: "catalog",
  summary: "List every repository of the container registry",
  details:
    "Uses the registry's own API, at --registry-url, with a token that it requests: administrator credentials are " +
    "needed in FORGECTL_REGISTRY_USER and FORGECTL_REGISTRY_PASSWORD.",
  params: listFlags,
  requests: [getCatalog],
  returns: CatalogEntry,
  prints: "rows",
  examples: [{ line: "registry catalog --limit all" }],
  related: ["registry list", "registry token"],
  async run(context, input) {
    const { limit, page = 1, perPage = maxPageSize } = windowOf(input);
    let cut: Cut | undefined;
    async function* rows(): AsyncGenerator<{ name: string }> {
      let skip = (page - 1) * perPage;
      let shown = 0;
      for await (const { names, next } of pages(context, perPage)) {
        const wanted = names.slice(skip);
        skip = Math.max(0, skip - names.length);
        for (const [index, name] of wanted.entries()) {
          yield { name };
          shown += 1;
          if (shown !== limit) continue;
          if (next !== undefined || index < wanted.length - 1) cut = { shown, total: undefined };
          return;
        }
      }
    }
    return { rows: rows(), columns: ["name"], cut: () => cut };
  },
});

interface Position {
  n: number;
  last?: string | undefined;
}

interface CatalogPage {
  names: string[];
  next: Position | undefined;
}

/** Each page's link leads to the next. Tokens are short-lived: one that expires meanwhile is requested again. */
async function* pages(context: Context, n: number): AsyncGenerator<CatalogPage> {
  const sign = () => bearer(context, "registry:catalog:*");
  let authorization = await sign();
  let position: Position | undefined = { n };
  const seen = new Set<string>();
  while (position !== undefined) {
    const at: Position = position;
    if (at.last !== undefined && seen.has(at.last)) throw endless("its pages form a cycle");
    if (seen.size >= maxPages) throw endless(`it continues after ${maxPages} pages`);
    seen.add(at.last ?? "");
    const ask = () => context.api.download(getCatalog, at, { authorization });
    const answer = await ask().catch(async (error: unknown) => {
      if (!isUnauthenticated(error)) throw error;
      if (at.last === undefined) throw notGranted(error);
      authorization = await sign();
      return ask();
    });
    const page: CatalogPage = { names: await namesIn(answer), next: nextOf(answer, at) };
    yield page;
    position = page.next;
  }
}

function isUnauthenticated(error: unknown): error is Failure {
  return error instanceof Failure && error.exit === "unauthenticated";
}

function notGranted(error: Failure): Failure {
  return error.with({
    hint: "the catalog is for administrators: check FORGECTL_REGISTRY_USER and FORGECTL_REGISTRY_PASSWORD",
  });
}

async function namesIn({ body }: Download): Promise<string[]> {
  try {
    const page = parseAnswer(await readAll(body, maxPageBytes));
    if (isObject(page) && Array.isArray(page.repositories)) return page.repositories.map(wordsOf);
  } catch {
    // Reported below: any other answer is not a catalog.
  }
  throw strange("the answer contains no list of repositories");
}

/** Only the position is taken from a link, so that the token never goes anywhere else. */
function nextOf({ headers }: Download, at: Position): Position | undefined {
  const link = headers.link === undefined ? undefined : linkTo(headers.link, "next");
  if (link === undefined) return undefined;
  if (!URL.canParse(link, "http://registry.invalid")) throw strange("the link to its next page is not valid");
  const query = new URL(link, "http://registry.invalid").searchParams;
  const last = query.get("last");
  if (last === null || last === at.last) throw strange("the link to its next page is not valid");
  return { n: Number(query.get("n")) || at.n, last };
}

function strange(reason: string): Failure {
  return new Failure("refused", "the registry's catalog could not be read", {
    code: "unexpected_answer",
    reason,
    hint: "check that --registry-url is the container registry's address",
  });
}

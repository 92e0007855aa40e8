import { hideInAddresses } from "../base/secrets.ts";
import { valueAt } from "./fields.ts";

/** What names a thing: where its row has the thing's page too, the name leads there. */
const naming = new Set(["id", "iid", "name", "username", "title", "full_path", "path_with_namespace"]);

/** The page of what is named at this place of a row, if it is one that may be linked. */
export function pageOf(row: object, names: readonly string[]): string | undefined {
  if (!naming.has(names.at(-1) ?? "")) return undefined;
  const address = valueAt(row, [...names.slice(0, -1), "web_url"]);
  return typeof address === "string" ? linkable(address) : undefined;
}

/** Terminals pass over a longer address. */
const longest = 2000;
/** What URL takes out without a word, or what hides where a link leads. */
const suspect = /[\p{Cc}\p{Cf}\p{Z}]/u;

/** An address as a terminal may open it: http or https, and nothing in it that is secret or no part of an address. */
export function linkable(address: string): string | undefined {
  if (suspect.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  if (username !== "" || password !== "" || hideInAddresses(href) !== href) return undefined;
  return href.length <= longest && /^[!-~]+$/.test(href) ? href : undefined;
}

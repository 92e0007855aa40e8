import { hideInAddresses } from "../../base/secrets.ts";
import { valueAt } from "../fields.ts";

/** Fields that identify a resource: they link to its page if the row has that too. */
const naming = new Set(["id", "iid", "name", "username", "title", "full_path", "path_with_namespace"]);

/** The web page of the resource named by this field of a row, if it is safe to link. */
export function pageOf(row: object, names: readonly string[]): string | undefined {
  if (!naming.has(names.at(-1) ?? "")) return undefined;
  const address = valueAt(row, [...names.slice(0, -1), "web_url"]);
  return typeof address === "string" ? linkable(address) : undefined;
}

/** Terminals ignore a longer address. */
const maxLength = 2000;
/** Characters that `URL` silently removes, or that hide a link's target. */
const suspect = /[\p{Cc}\p{Cf}\p{Z}]/u;

/** An address that a terminal may open: http or https, valid, and without secrets. */
export function linkable(address: string): string | undefined {
  if (suspect.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  if (username !== "" || password !== "" || hideInAddresses(href) !== href) return undefined;
  return href.length <= maxLength && /^[!-~]+$/.test(href) ? href : undefined;
}

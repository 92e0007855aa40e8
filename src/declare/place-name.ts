import { UsageError } from "../base/errors.ts";
import { isId } from "../base/group-paths.ts";
import { commandLine } from "../base/shell-words.ts";
import { withoutEnd } from "../base/without-end.ts";
import type { Config } from "../config/config.ts";

/**
 * A project or group as the API takes it: from an ID, a path with or without slashes at its end, or the web address of
 * one of its pages on this instance. Of what changes something, a group is refused that ends in a slash: without the
 * variable, `acme/$TEAM` would be all of `acme`.
 *
 * @param label where it was given: `--project`, `FORGECTL_PROJECT`
 */
export function placeName(
  text: string,
  scope: "project" | "group",
  label: string,
  config: Config,
  isToChange = false,
): string {
  const trimmed = text.trim();
  const isAddress = /^https?:\/\//i.test(trimmed);
  const path = isAddress ? pathIn(trimmed, scope, label, config) : trimmed;
  const name = withoutEnd(path, /\//);
  const bad = (problem: string, hint?: string) =>
    new UsageError(`${label}: ${JSON.stringify(text)} ${problem}`, { code: "bad_scope", ...(hint && { hint }) });
  if (name === "") throw bad(`names no ${scope}`);
  if (isToChange && scope === "group" && !isAddress && name !== path)
    throw bad("ends in a slash, as without a variable that is not set", `for all of ${name}: without the slash`);
  return name;
}

/** The path of a page's project or group: what follows `/-/` is the page. */
function pathIn(text: string, scope: "project" | "group", label: string, config: Config): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const known = config.baseUrl?.value;
  if (known === undefined) {
    throw new UsageError(`${label}: an address needs to be on the instance, and none is configured`, {
      code: "missing_base_url",
      hint: "give it with --base-url or FORGECTL_BASE_URL, or give an ID or a path",
    });
  }
  const base = new URL(known);
  const prefix = `${base.pathname.replace(/\/$/, "")}/`;
  if (url === undefined || url.username !== "" || url.host !== base.host || !url.pathname.startsWith(prefix)) {
    throw new UsageError(`${label}: the address is not on this instance, ${known}`, {
      code: "other_instance",
      hint:
        url === undefined ? "give an ID or a path" : `for that instance: ${commandLine(["--base-url", url.origin])}`,
    });
  }
  const below = decoded(url.pathname.slice(prefix.length), label);
  const [page = ""] = below.split(/\/-(?:\/|$)/, 1);
  const path = withoutEnd(scope === "group" ? page.replace(/^groups\//, "") : page.replace(/\.git$/, ""), /\//);
  if (!isId(path)) return path;
  throw new UsageError(`${label}: requests would read the path ${path} as the ID of another ${scope}`, {
    code: "bad_scope",
    hint: `give the ID, as in ${scope === "group" ? "forgectl groups list" : "forgectl projects list"}`,
  });
}

function decoded(path: string, label: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new UsageError(`${label}: the address is not valid`, { code: "bad_scope" });
  }
}

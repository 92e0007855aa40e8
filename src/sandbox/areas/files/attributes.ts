import { fitsWildcard } from "../../server/wildcard.ts";

/** Whether the rules of `.gitattributes` give a path the filter of large file storage. */
export function isInLargeStorage(rules: string, path: string): boolean {
  return lastAttribute(rules, path, /^[-!]?filter(?:=|$)/) === "filter=lfs";
}

/** The attribute of that kind that the rules of `.gitattributes` give a path: of several that match, the last. */
export function lastAttribute(rules: string, path: string, kind: RegExp): string | undefined {
  let last: string | undefined;
  for (const rule of rules.split("\n")) {
    const [pattern = "", ...attributes] = rule.trim().split(/\s+/);
    if (pattern === "" || pattern.startsWith("#") || !matches(pattern, path)) continue;
    last = attributes.findLast((attribute) => kind.test(attribute)) ?? last;
  }
  return last;
}

/** A pattern without a slash is one for the file's name, in any folder; `*` is any text. */
function matches(pattern: string, path: string): boolean {
  const text = pattern.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1);
  return fitsWildcard(pattern.replace(/^\//, ""), text);
}

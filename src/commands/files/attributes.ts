import { globOf } from "../../base/glob.ts";

// What the rules of `.gitattributes` say about a path.

/** Whether its content is put into large file storage. */
export function isLarge(rules: string, path: string): boolean {
  return lastOf(rules, path, /^[-!]?filter(?:=|$)/) === "filter=lfs";
}

/** Whether its line breaks are stored as they are sent. */
export function keepsBreaks(rules: string, path: string): boolean {
  return /^(?:-text|binary)$/.test(lastOf(rules, path, /^(?:[-!]?text(?:=.*)?|binary)$/) ?? "");
}

/** The attribute of that kind: of several rules that match, the last counts. */
function lastOf(rules: string, path: string, kind: RegExp): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const found = rules.split("\n").flatMap((line) => {
    const [pattern = "", ...attributes] = line.trim().split(/\s+/);
    const attribute = attributes.findLast((each) => kind.test(each));
    // A pattern without a slash is one for the name, in any folder.
    const isMatch = globOf(pattern.replace(/^\//, ""))(pattern.includes("/") ? path : name);
    return isMatch && attribute !== undefined ? [attribute] : [];
  });
  return found.at(-1);
}

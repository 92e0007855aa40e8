import { createHash } from "node:crypto";
import { globOf } from "../../base/glob.ts";

/** Maximum length of a pointer to content in large file storage. */
export const maxPointer = 1024;

/** The SHA-256 in a pointer to content in large file storage; undefined for any other text. */
export function pointedDigest(text: string): string | undefined {
  return /^version \S+\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n/.exec(text)?.[1];
}

/** The pointer to a content, in the one form that writers of pointers use. */
export function pointerTo(bytes: Uint8Array): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(bytes)}\nsize ${bytes.length}\n`;
}

/** Hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Whether the rules of `.gitattributes` put a path into large file storage: of several that match, the last counts. */
export function isLarge(rules: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const filters = rules.split("\n").flatMap((line) => {
    const [pattern = "", ...attributes] = line.trim().split(/\s+/);
    const filter = attributes.findLast((each) => /^[-!]?filter(?:=|$)/.test(each));
    // A pattern without a slash is one for the name, in any folder.
    const isMatch = globOf(pattern.replace(/^\//, ""))(pattern.includes("/") ? path : name);
    return isMatch && filter !== undefined ? [filter] : [];
  });
  return filters.at(-1) === "filter=lfs";
}

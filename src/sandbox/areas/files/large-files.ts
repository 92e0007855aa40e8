import { createHash } from "node:crypto";
import { fitsWildcard } from "../../server/wildcard.ts";
import type { World } from "../../store/world.ts";
import { largeFiles } from "./model.ts";

/** Puts a content into large file storage (LFS) and returns the pointer that the repository has in its place. */
export function addLargeFile(world: World, project_id: number, content: Buffer): Buffer {
  const oid = createHash("sha256").update(content).digest("hex");
  const table = world.store.table(largeFiles);
  if (table.find((one) => one.project_id === project_id && one.oid === oid) === undefined) {
    table.insert({ project_id, oid, blob: world.store.blobs.put(content).id });
  }
  return Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`);
}

/** Whether the rules of `.gitattributes` give a path the filter of large file storage: the last match counts. */
export function isInLargeStorage(rules: string, path: string): boolean {
  let isLarge = false;
  for (const rule of rules.split("\n")) {
    const [pattern = "", ...attributes] = rule.trim().split(/\s+/);
    if (pattern === "" || pattern.startsWith("#") || !matches(pattern, path)) continue;
    for (const attribute of attributes) {
      if (/^[-!]?filter(?:=|$)/.test(attribute)) isLarge = attribute === "filter=lfs";
    }
  }
  return isLarge;
}

/** A pattern without a slash is one for the file's name, in any folder; `*` is any text. */
function matches(pattern: string, path: string): boolean {
  const text = pattern.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1);
  return fitsWildcard(pattern.replace(/^\//, ""), text);
}

import { createHash } from "node:crypto";
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

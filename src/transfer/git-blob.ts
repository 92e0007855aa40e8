import { createHash, type Hash } from "node:crypto";

/** A file's content as a Git repository names it. */
export interface GitBlob {
  /** A hexadecimal digest of the size and the content. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

/** The digest that is the blob's ID once it has taken the content; undefined if the ID is not one of Git's. */
export function hashOf({ id, size }: GitBlob): Hash | undefined {
  const algorithm = /^[0-9a-f]+$/i.test(id) ? { 40: "sha1", 64: "sha256" }[id.length] : undefined;
  return algorithm === undefined ? undefined : createHash(algorithm).update(`blob ${size}\0`);
}

/** Whether a content is that of the blob. */
export function isBlob(blob: GitBlob, content: Uint8Array): boolean {
  if (blob.size !== content.length) return false;
  return hashOf(blob)?.update(content).digest("hex") === blob.id.toLowerCase();
}

import { createHash } from "node:crypto";

/** Maximum length of a pointer to content in large file storage. */
export const maxPointer = 1024;

/** The SHA-256 in a pointer to content in large file storage; undefined for any other text. */
export function pointedDigest(text: string): string | undefined {
  return /^version \S+\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n/.exec(text)?.[1];
}

/** The pointer to a content, in the one form that writers of pointers use. */
export function pointerTo(bytes: Uint8Array): Uint8Array {
  const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(bytes)}\nsize ${bytes.length}\n`;
  return new TextEncoder().encode(text);
}

/** Hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** No pointer to a content in large file storage is longer than this. */
export const longestPointer = 1024;

/** The SHA-256 of the content that a pointer to large file storage stands for; undefined for any other text. */
export function pointedDigest(text: string): string | undefined {
  return /^version \S+\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n/.exec(text)?.[1];
}

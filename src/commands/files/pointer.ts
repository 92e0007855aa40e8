/** Maximum length of a pointer to content in large file storage. */
export const maxPointer = 1024;

/** The SHA-256 in a pointer to content in large file storage; undefined for any other text. */
export function pointedDigest(text: string): string | undefined {
  return /^version \S+\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n/.exec(text)?.[1];
}
